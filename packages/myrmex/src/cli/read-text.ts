/** Reads text files that a command line names, and reports what is wrong with them. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ToolError } from '../protocol/errors.ts'
import { DOCUMENT } from '../spec/render.ts'

export async function readText(file: string): Promise<string> {
  const bytes = await readFile(file).catch((error) => {
    throw ToolError.of(
      'FileNotFoundError',
      `${file} ${WRONG[error.code]?.(file) ?? `cannot be read: ${error.message}`}`,
    )
  })
  // Text in UTF-8 has no zero bytes. In UTF-16 every other byte is often zero.
  if (bytes.includes(0)) throw ToolError.of('ValidationError', `${file} is not text in UTF-8. Save it in UTF-8.`)
  return bytes.toString('utf8')
}

export const readTextIfPresent = (file: string): Promise<string | undefined> =>
  readFile(file, 'utf8').catch((error) => {
    if (error.code === 'ENOENT') return undefined
    throw ToolError.of('ValidationError', `${file} cannot be read: ${error.message}`)
  })

const WRONG: Readonly<Record<string, (file: string) => string>> = {
  ENOENT: () => 'does not exist',
  EISDIR: (file) => `is a folder. Name the documents in it, such as ${join(file, DOCUMENT)}.`,
}
