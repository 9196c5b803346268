/** Desktop clients call a server whatever they like. Here its name stands in front of its tools, so it has the letters that those have. */

/** It leaves room for the tool's own name in the 64 characters that model APIs take. */
const LONGEST = 40
/** Tools of the host itself are called so. */
const RESERVED = 'myrmex'

/** `My-Server` is my_server. */
export function serverName(written: string): string | { readonly problem: string } {
  const name = written
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
  if (name === '') return { problem: 'has no letter a to z and no digit in its name; rename it' }
  if (name === RESERVED) return { problem: `comes to the name ${RESERVED}, which is the host's own; rename it` }
  if (name.length > LONGEST) return { problem: `has a name of more than ${LONGEST} characters; shorten it` }
  return name
}
