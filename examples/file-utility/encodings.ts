/**
 * Bytes to text, in the encodings of the platform's TextDecoder and in ASCII proper. Bytes that are not valid in the
 * encoding become U+FFFD, never an exception and never a character of another encoding.
 */
import { unsupportedEncoding } from './failures.ts'

export interface Decoded {
  /** always well-formed Unicode, without the byte order mark */
  text: string
  /** canonical label */
  encoding: string
}

/** `end`: the bytes are all there is, so a character cut off at their end is malformed and not merely incomplete. */
export type Decode = (bytes: Uint8Array, end: boolean) => Decoded

/** For the error: one or two of every family. */
export const SUPPORTED = [
  'utf-8',
  'utf-16le',
  'utf-16be',
  'ascii',
  'windows-1252',
  'iso-8859-2',
  'windows-1251',
  'koi8-r',
  'shift_jis',
  'euc-jp',
  'gb18030',
  'big5',
  'euc-kr',
] as const

/** The web reads these labels as windows-1252. For a file reader, ASCII means seven bits. */
const ASCII = new Set(['ascii', 'us-ascii', 'ansi_x3.4-1968'])

export function decoderFor(label: string): Decode {
  const name = label.trim().toLowerCase()
  if (ASCII.has(name)) return decodeAscii
  if (name === 'utf-16') return decodeByMark
  try {
    new TextDecoder(label)
  } catch {
    throw unsupportedEncoding(label, SUPPORTED)
  }
  return (bytes, end) => decodeAs(label, bytes, end)
}

/**
 * A new decoder for all the bytes at once: fed in small pieces, Node's decoders for gbk, gb18030, euc-jp and iso-2022-jp
 * throw on some malformed bytes although `fatal` is off.
 */
function decodeAs(label: string, bytes: Uint8Array, end: boolean): Decoded {
  const decoder = new TextDecoder(label)
  return { text: decoder.decode(bytes, { stream: !end }), encoding: decoder.encoding }
}

/** `utf-16` alone leaves the byte order to the mark; without one it is little endian, as the web has it. */
const decodeByMark: Decode = (bytes, end) =>
  decodeAs(bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : 'utf-16le', bytes, end)

function decodeAscii(bytes: Uint8Array): Decoded {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
  return { text: text.replace(/[\x80-\xff]/g, '\ufffd'), encoding: 'ascii' }
}
