/** The text of a file that was named, or what is wrong with the name; or of one that need not be there. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ToolError } from '../../protocol/errors.ts'
import { DOCUMENT } from '../../spec/render.ts'

export async function readText(file: string): Promise<string> {
  const bytes = await readFile(file).catch((error) => {
    throw ToolError.of(
      'FileNotFoundError',
      `${file} ${WRONG[error.code]?.(file) ?? `cannot be read: ${error.message}`}`,
    )
  })
  // No text in UTF-8 has them; in UTF-16 every other byte is one.
  if (bytes.includes(0)) throw ToolError.of('ValidationError', `${file} is not a text in UTF-8. Save it as one.`)
  return bytes.toString('utf8')
}

export const readTextIfPresent = (file: string): Promise<string | undefined> =>
  readFile(file, 'utf8').catch((error) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })

const WRONG: Readonly<Record<string, (file: string) => string>> = {
  ENOENT: () => 'does not exist',
  EISDIR: (file) => `is a folder. Name the documents in it, such as ${join(file, DOCUMENT)}.`,
}
