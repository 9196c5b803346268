/** Opens a file that an operator named, to read text from it. */
import { type FileHandle, open } from 'node:fs/promises'
import { ToolError } from '../../protocol/errors.ts'

/** `name` is the file as messages name it. The caller closes it. */
export async function openText(path: string, name: string = path): Promise<FileHandle> {
  const file = await open(path).catch((error) => {
    throw ToolError.of('FileNotFoundError', `${name} cannot be read: ${error.message}`)
  })
  if (!(await file.stat()).isDirectory()) return file
  await file.close()
  throw ToolError.of('ValidationError', `${name} cannot be read: it is a folder`)
}
