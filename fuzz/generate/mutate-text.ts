/** Changes the text of a message, byte by byte or as a whole: cut, joined, doubled keys, bytes that are not UTF-8. No newline is added. */
import type { SeededRandom } from '../../crash/seeded-random.ts'

const INSERTED = [
  '\ufeff',
  '\u0000',
  ' ',
  '\t',
  '\r',
  ',',
  '}',
  '{',
  '[',
  ']',
  '"',
  '\\',
  '\\u',
  '//x',
  '\u2028',
  '-',
  '1e',
  'NaN',
  '😀',
]
const DOUBLED = [
  '"id":1,',
  '"id":null,',
  '"jsonrpc":"1.0",',
  '"method":"ping",',
  '"params":{},',
  '"__proto__":{"id":7},',
  '"result":{},',
  '"error":{},',
]

/** Bytes, because some of it is no text. */
export function mutatedBytes(text: string, other: string, random: SeededRandom): Buffer {
  const at = random.between(0, text.length)
  switch (random.between(0, 8)) {
    case 0:
      return Buffer.from(text.slice(0, at))
    case 1:
      return Buffer.from(text + other)
    case 2:
      return Buffer.from(text.slice(0, at) + random.pick(INSERTED) + text.slice(at))
    case 3:
      return Buffer.from(text.slice(0, at) + text.slice(at + random.between(1, 3)))
    case 4:
      return Buffer.from(text.replace('{', `{${random.pick(DOUBLED)}`))
    case 5:
      return Buffer.from(text.replace(/\}$/, `,${random.pick(DOUBLED).slice(0, -1)}}`))
    case 6:
      return Buffer.from(
        random.pick(['', ' ', '\t']).repeat(random.between(0, 2000)) +
          text +
          random.pick([' ', '\r', '\u00a0', '\ufeff']),
      )
    case 7:
      return flipped(Buffer.from(text), random)
    default:
      return Buffer.from(text, random.pick(['latin1', 'utf16le', 'utf8'] as const))
  }
}

function flipped(bytes: Buffer, random: SeededRandom): Buffer {
  for (let times = random.between(1, 4); times > 0 && bytes.length > 0; times--) {
    bytes[random.between(0, bytes.length - 1)] = random.between(0, 255)
  }
  return bytes
}

/** One message is one line: what the bytes have of newlines is taken out. */
export function withoutNewlines(bytes: Buffer): Buffer {
  if (!bytes.includes(0x0a)) return bytes
  for (let at = bytes.indexOf(0x0a); at !== -1; at = bytes.indexOf(0x0a, at)) bytes[at] = 0x20
  return bytes
}
