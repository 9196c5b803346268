/** Reads a configuration file without its byte order mark, up to a size limit. */
import { readFile } from 'node:fs/promises'
import { ToolError } from '../../protocol/errors.ts'

/** Returns undefined if the file does not exist. */
export async function readTextFile(path: string, largest: number): Promise<string | undefined> {
  const text = await readFile(path, 'utf8').catch(({ code, message }: NodeJS.ErrnoException) => {
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw ToolError.of('ValidationError', `${path} cannot be read: ${message}`)
  })
  if (text !== undefined && text.length > largest)
    throw ToolError.of('ValidationError', `${path} is larger than ${largest} bytes`)
  return text?.replace(/^\ufeff/, '')
}
