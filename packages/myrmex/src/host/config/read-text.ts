/** The text of a configuration file, ours or that of another program: without a byte order mark, and within bounds. */
import { readFile } from 'node:fs/promises'
import { ToolError } from '../../protocol/errors.ts'

/** Undefined where there is no such file. */
export async function readTextFile(path: string, largest: number): Promise<string | undefined> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw ToolError.of('ValidationError', `${path} cannot be read: ${message}`)
  }
  if (text.length > largest) throw ToolError.of('ValidationError', `${path} is larger than ${largest} bytes`)
  return text.replace(/^\ufeff/, '')
}
