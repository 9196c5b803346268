/**
 * Reads a configuration file without its byte order mark, up to a size limit. Devices and pipes, which may never end, are refused. So is a
 * file that is not UTF-8: written again, it would lose what could not be read.
 */
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { ToolError } from '../../protocol/errors.ts'

/** Returns undefined if the file does not exist. */
export async function readTextFile(path: string, largest: number): Promise<string | undefined> {
  try {
    if (!(await stat(path)).isFile()) throw ToolError.of('ValidationError', `${path} is not a file`)
    const bytes = await readUpTo(path, largest)
    if (bytes === undefined) throw ToolError.of('ValidationError', `${path} is larger than ${largest} bytes`)
    const { text } = decodeText(bytes)
    if (text === undefined) throw ToolError.of('ValidationError', `${path} is not UTF-8 text. Save it as UTF-8.`)
    return text
  } catch (thrown) {
    if (thrown instanceof ToolError) throw thrown
    const { code, message } = thrown as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw ToolError.of('ValidationError', `${path} cannot be read: ${message}`)
  }
}

const MARK = '\ufeff'

/** `mark`: the byte order mark, if there is one. `text`: undefined if it is not UTF-8. */
export function decodeText(bytes: Uint8Array): { mark: string; text: string | undefined } {
  try {
    const whole = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    const mark = whole.startsWith(MARK) ? MARK : ''
    return { mark, text: whole.slice(mark.length) }
  } catch {
    return { mark: '', text: undefined }
  }
}

/** Returns undefined if there are more bytes: the size of a special file is unknown until it has been read. */
export async function readUpTo(path: string, largest: number): Promise<Buffer | undefined> {
  const bytes = Buffer.concat(await createReadStream(path, { end: largest }).toArray())
  return bytes.length > largest ? undefined : bytes
}
