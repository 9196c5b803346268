/**
 * Text from an open file, bounded: no more than DIRECT_LIMIT bytes are read (and one, to see whether there is more),
 * whatever size the file claims and however fast it grows. Characters are Unicode code points; none is ever cut in half.
 */
import type { FileHandle } from 'node:fs/promises'
import type { Decode, Decoded } from './encodings.ts'
import { tooLarge } from './failures.ts'

/** Bytes that are read and held for one call. */
export const DIRECT_LIMIT = 10 * 1024 * 1024
/**
 * Bytes the text may take in an answer. Clients on the official SDK close a stdio connection over a message of more than
 * 10 MiB; the message has the text twice, and the rest of it needs some room.
 */
export const ANSWER_LIMIT = DIRECT_LIMIT - 64 * 1024
/** The largest file whose beginning is read. Larger files are data for other tools. */
export const FILE_LIMIT = 1024 * 1024 * 1024

/** Enough for most; where shift sequences take more, we come back for it. */
const BYTES_PER_CHAR = 4
/** The caller is asked whether it still waits after this many bytes. */
const SLICE = 1024 * 1024

export interface Text extends Decoded {
  chars: number
  /** max_chars left something out */
  more: boolean
}

interface Wanted {
  path: string
  maxChars: number | undefined
  decode: Decode
  signal: AbortSignal
}

export async function readText(file: FileHandle, { path, maxChars, decode, signal }: Wanted): Promise<Text> {
  const { size } = await file.stat()
  const whole = maxChars === undefined
  if (whole && size > DIRECT_LIMIT)
    throw tooLarge(path, DIRECT_LIMIT, 'a whole file. Read its beginning: give max_chars.')
  if (size > FILE_LIMIT) throw tooLarge(path, FILE_LIMIT, 'reading the beginning of a file.')

  // One byte, or one character, more than wanted shows whether there is more. Another is for the byte order mark.
  let want = whole ? size + 1 : Math.min(size + 1, (maxChars + 2) * BYTES_PER_CHAR)
  let bytes: Buffer = Buffer.alloc(0)
  for (;;) {
    want = Math.min(want, DIRECT_LIMIT + 1)
    bytes = await readOn(file, bytes, want, signal)
    const end = bytes.length < want
    const decoded = decode(bytes, end)
    const { index, chars } = count(decoded.text, maxChars)
    const more = index < decoded.text.length
    if (end || more) {
      const text = decoded.text.slice(0, index)
      if (!fitsAnswer(text)) throw tooLarge(path, ANSWER_LIMIT, 'the JSON of an answer. Give a smaller max_chars.')
      return { ...decoded, text, chars, more }
    }
    if (want > DIRECT_LIMIT) throw tooLarge(path, DIRECT_LIMIT, 'one call. Give a smaller max_chars.')
    want = Math.max(want * 2, SLICE)
  }
}

/** As structured content, and again inside the text block that older clients read, where its escapes are escaped. */
function fitsAnswer(text: string): boolean {
  // A NUL takes the most: \u0000 and \\u0000. Most texts need no closer look.
  if (text.length * 13 < ANSWER_LIMIT) return true
  const json = JSON.stringify(text)
  return Buffer.byteLength(json) + Buffer.byteLength(JSON.stringify(json)) < ANSWER_LIMIT
}

/** `bytes` and what follows them, up to `want` bytes together; fewer only at the end of the file. */
async function readOn(file: FileHandle, bytes: Buffer, want: number, signal: AbortSignal): Promise<Buffer> {
  const buffer = Buffer.alloc(want)
  bytes.copy(buffer)
  let filled = bytes.length
  while (filled < want) {
    signal.throwIfAborted()
    const { bytesRead } = await file.read(buffer, filled, Math.min(SLICE, want - filled), filled)
    if (bytesRead === 0) break
    filled += bytesRead
  }
  return buffer.subarray(0, filled)
}

/** The place after at most `max` code points, and how many they are. */
function count(text: string, max = Number.POSITIVE_INFINITY): { index: number; chars: number } {
  let index = 0
  let chars = 0
  for (; index < text.length && chars < max; chars++) {
    index += (text.charCodeAt(index) & 0xfc00) === 0xd800 ? 2 : 1
  }
  return { index, chars }
}
