/** Readable text wrapped in base64 or hexadecimal digits: nobody reads it there but a model that unwraps it. */

/** Long enough to say something; shorter runs are ids and names. */
const BASE64 = /[A-Za-z0-9+/_-]{32,}={0,2}/g
const HEX = /(?:[0-9a-fA-F]{2}){20,}/g

/** What is wrapped in a text, unwrapped. A hash, a key or a picture does not unwrap to words and is none of these. */
export function decodedTexts(text: string): string[] {
  const found: string[] = []
  for (const [run] of text.matchAll(HEX)) keep(Buffer.from(run, 'hex'), found)
  for (const [run] of text.matchAll(BASE64)) {
    // A path or a long name has one case, or no digits to speak of; its bytes come out as noise anyway.
    if (/[a-z]/.test(run) && /[A-Z]/.test(run)) keep(Buffer.from(run, 'base64'), found)
  }
  return found
}

function keep(bytes: Buffer, found: string[]): void {
  const text = bytes.toString('utf8')
  if (/^[\p{L}\p{M}\p{N}\p{P}\p{S}\s]+$/u.test(text) && !text.includes('\ufffd') && / \S/.test(text)) found.push(text)
}
