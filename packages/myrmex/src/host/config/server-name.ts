/** Converts the name of a server to a module name for its tools. */

/** Leaves room for the tool's name within the 64 characters that model APIs allow. */
const MAX_LENGTH = 40
/** The module name of the host's own tools. */
const RESERVED = 'myrmex'

/** `My-Server` becomes my_server. */
export function serverName(configured: string): string | { readonly problem: string } {
  const name = configured
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
  if (name === '') return { problem: 'has no letter a to z and no digit in its name; rename it' }
  if (name === RESERVED) return { problem: `becomes the name ${RESERVED}, which is reserved for the host; rename it` }
  if (name.length > MAX_LENGTH) return { problem: `has a name of more than ${MAX_LENGTH} characters; shorten it` }
  return name
}

/** Undefined if a server cannot have it. */
export function validServerName(configured: string): string | undefined {
  const name = serverName(configured)
  return typeof name === 'string' ? name : undefined
}
