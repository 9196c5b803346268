/**
 * Names for an upstream's tools. The server's name always comes first, so no server can claim another's tools. Of two tools that come
 * to the same name, only one is used, so a rule for that name holds for all that it could mean.
 *
 * A tool that repeats the name of its server is named without the repetition: `git_add` of `git` is `git.add`. It keeps the long name if
 * another tool of the server has the short one, or if the ledger knows a tool of the server by its long name: decisions about it stay
 * valid. The operator's rules can use both names (tool/tool-aliases.ts).
 */
import { TOOL_NAME_PATTERN } from '../../protocol/envelope.ts'
import { isObject, type JsonObject } from '../../protocol/json.ts'
import { META } from '../../protocol/versions.ts'
import { sha256 } from '../../tool/hash.ts'
import { toSnakeCase } from '../../tool/name.ts'
import { withoutServerName } from '../../tool/stutter.ts'

const MAX_LENGTH = 128

/** The canonical name that a Myrmex server declares; undefined for other servers. */
export function canonicalName({ _meta }: JsonObject): string | undefined {
  const name = isObject(_meta) ? _meta[META.name] : undefined
  return typeof name === 'string' && TOOL_NAME_PATTERN.test(name) ? name : undefined
}

export interface ToolName {
  /** canonical, at most 128 characters */
  readonly name: string
  /** canonical, not shortened: what rules are matched against */
  readonly full: string
  /** the other canonical name, not shortened, that rules may use for it */
  readonly alias?: string
  /** the original name of the tool that has this name instead, which must be skipped */
  readonly takenBy?: string
}

/** By the canonical name: whether a server that was here before this rule has tools whose names repeat its own. */
export type IsKnown = (canonical: string) => boolean

/** Returns the names in the order of the list. Original names must be unique. */
export function toolNames(server: string, listed: readonly JsonObject[], isKnown: IsKnown = () => true): ToolName[] {
  const plain = listed.map((one) => plainName(server, one))
  const owners = new Map<string, number>()
  for (const [index, { name, isExact }] of plain.entries()) {
    // An exact match keeps the name, so no other tool can take it over.
    if (isExact || !owners.has(name)) owners.set(name, index)
  }
  const short = shortNames(plain)
  const keepsLong = [...short.keys()].some((long) => isKnown(shortened(long)))
  return plain.map(({ name: long }, index) => {
    const original = (at: number): string => String(listed[at]?.name)
    const owner = owners.get(long) ?? index
    const other = short.get(long)
    const name = keepsLong ? long : (other ?? long)
    const alias = keepsLong ? other : other && long
    return {
      name: shortened(name, original(index)),
      full: name,
      ...(alias !== undefined && { alias }),
      ...(owner !== index && { takenBy: original(owner) }),
    }
  })
}

/** By the long name: the name without the repetition, where no other tool of the server has it in any way. */
function shortNames(plain: readonly PlainName[]): Map<string, string> {
  const long = new Set(plain.map(({ name }) => name))
  const found = new Map(plain.flatMap(({ name, short }) => (short === undefined ? [] : [[name, short] as const])))
  const counts = new Map<string, number>()
  for (const short of found.values()) counts.set(short, (counts.get(short) ?? 0) + 1)
  for (const [name, short] of found) if (long.has(short) || counts.get(short) !== 1) found.delete(name)
  return found
}

const shortened = (name: string, original: string = name): string =>
  name.length <= MAX_LENGTH ? name : `${name.slice(0, MAX_LENGTH - 9)}_${sha256(original).slice(0, 8)}`

interface PlainName {
  readonly name: string
  readonly isExact: boolean
  /** without the repetition of the server's name */
  readonly short?: string
}

function plainName(server: string, listed: JsonObject): PlainName {
  const original = String(listed.name)
  const canonical = canonicalName(listed)
  if (canonical !== undefined) {
    const isOfServer = canonical.slice(0, canonical.lastIndexOf('.')) === server
    return { name: isOfServer ? canonical : `${server}.${canonical}`, isExact: false }
  }
  const word = toSnakeCase(original)
  const rest = withoutServerName(server, word)
  return {
    name: `${server}.${word === '' ? `tool_${sha256(original).slice(0, 8)}` : word}`,
    isExact: word === original,
    ...(rest !== undefined && { short: `${server}.${rest}` }),
  }
}
