/**
 * One form for all spellings of a URI (RFC 3986, section 6), so that a rule for a resource cannot be avoided by spelling its URI in
 * another way. `canonicalUri` means the same to every server and may be sent to one. `uriKey` goes further and is only compared.
 */

const PARTS = /^([a-z][a-z0-9+.-]*:)(?:\/\/([^/?#]*))?([^?#]*)(\?[^#]*)?(#.*)?$/is
const ESCAPE = /%([0-9a-f]{2})/gi
const UNRESERVED = /[a-z0-9._~-]/i
/** A URI cannot contain these as they are. */
const INVALID = /[^\x21-\x7e]|["<>\\^`{|}]/gu

const DEFAULT_PORT: Readonly<Record<string, string>> = { http: '80', https: '443', ws: '80', wss: '443', ftp: '21' }

/** URL parsers know these schemes: the authority is the name of a machine, and `\` is `/`. */
const isSpecial = (kind: string): boolean => kind === 'file' || Object.hasOwn(DEFAULT_PORT, kind)

/** A prefix of the host and a transport such as `git+https` are parts of a scheme. */
const kindOf = (scheme: string): string => scheme.slice(scheme.lastIndexOf('+') + 1, -1)

/** In lower case with its colon; undefined if there is none. */
export const schemeOf = (uri: string): string | undefined => /^[a-z][a-z0-9+.-]*:/i.exec(uri)?.[0].toLowerCase()

/** Whether the authority of such a URI is the name of a machine. */
export const isMachineScheme = (scheme: string): boolean => isSpecial(kindOf(scheme))

export interface UriParts {
  /** in lower case, with its colon */
  readonly scheme: string
  /** undefined if the URI has none, which differs from an empty one */
  readonly authority: string | undefined
  readonly path: string
  readonly query: string
  readonly fragment: string
}

/** The canonical parts of a URI; undefined if it has no scheme. */
export function uriParts(uri: string): UriParts | undefined {
  const scheme = schemeOf(uri)
  if (scheme === undefined) return undefined
  const kind = kindOf(scheme)
  const text = uri.toWellFormed()
  const [, , written, path = '', query = '', fragment = ''] =
    PARTS.exec(isSpecial(kind) ? withSlashes(text) : text) ?? []
  const authority = written ?? (kind === 'file' && path.startsWith('/') ? '' : undefined)
  const plainPath = withoutDots(plain(path))
  return {
    scheme,
    authority: authority === undefined ? undefined : plainAuthority(plain(authority), kind),
    path: plainPath === '' && authority !== undefined && isSpecial(kind) ? '/' : plainPath,
    query: query === '?' ? '' : plain(query),
    fragment: fragment === '#' ? '' : plain(fragment),
  }
}

/** Of a URI with a scheme that URL parsers know. */
const withSlashes = (uri: string): string => uri.replace(/^[^?#]*/, (before) => before.replaceAll('\\', '/'))

export function canonicalUri(uri: string): string {
  const parts = uriParts(uri)
  return parts === undefined ? plain(uri.toWellFormed()) : joined(parts)
}

const joined = ({ scheme, authority, path, query, fragment }: UriParts): string =>
  `${scheme}${authority === undefined ? '' : `//${authority}`}${path}${query}${fragment}`

/**
 * Equal for URIs that nearly every server takes for the same. The case of every authority is ignored, and so is the difference between a
 * character and its escape, unless it divides the URI.
 */
export function uriKey(uri: string): string {
  const parts = uriParts(uri)
  if (parts === undefined) return plain(uri.toWellFormed())
  const { authority, path } = parts
  const whole = joined({
    ...parts,
    authority: authority?.toLowerCase(),
    path: path === '' && authority !== undefined ? '/' : path,
  })
  return whole.replace(ESCAPE, (written, hex: string) => {
    const character = String.fromCharCode(Number.parseInt(hex, 16))
    return /[\x21-\x7e]/.test(character) && !/[/?#%]/.test(character) ? character : written
  })
}

/** A template that matches the canonical form of the URIs that it is for. Its expressions stay as they are. */
export function canonicalTemplate(text: string): string {
  const scheme = schemeOf(text)
  const special = scheme !== undefined && isSpecial(kindOf(scheme))
  const literals = text
    .split(/(\{[^{}]*\})/)
    .map((part, index) => (index % 2 === 1 ? part : plain(part, /[^\x21-\x7e]/gu)))
  const whole = literals.join('')
  if (scheme === undefined) return whole
  const authority = special ? /^[^:]*:\/\/([^/?#{]*)(?=[/?#])/.exec(whole)?.[1] : undefined
  const rest = whole.slice(scheme.length)
  if (authority === undefined) return scheme + rest
  return `${scheme}//${plainAuthority(authority, kindOf(scheme))}${rest.slice(2 + authority.length)}`
}

/** Without escapes that are not needed, and with those that are. */
const plain = (text: string, invalid = INVALID): string =>
  text
    .replace(ESCAPE, (written, hex: string) => {
      const character = String.fromCharCode(Number.parseInt(hex, 16))
      return UNRESERVED.test(character) ? character : written.toUpperCase()
    })
    .replace(invalid, encodeURIComponent)

/** The authorities of other schemes may be names whose case matters, such as the owner in `repo://{owner}/{repo}`. */
function plainAuthority(authority: string, kind: string): string {
  if (!isSpecial(kind)) return authority
  const [, user = '', host = '', port = ''] = /^(.*@)?(.*?)\.?(?::(\d*))?$/.exec(authority) ?? []
  const name = host.toLowerCase()
  if (kind === 'file' && name === 'localhost') return user
  const own = port.replace(/^0+(?=\d)/, '')
  return user + name + (own === '' || own === DEFAULT_PORT[kind] ? '' : `:${own}`)
}

function withoutDots(path: string): string {
  if (!path.startsWith('/') || !path.includes('/.')) return path
  const kept: string[] = []
  const segments = path.slice(1).split('/')
  for (const [index, segment] of segments.entries()) {
    const isDots = segment === '.' || segment === '..'
    if (segment === '..') kept.pop()
    if (!isDots) kept.push(segment)
    else if (index === segments.length - 1) kept.push('')
  }
  return `/${kept.join('/')}`
}
