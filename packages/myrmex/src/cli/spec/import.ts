/** `myrmex spec import`: a document in, a tool file to start from out. */
import { readFile, writeFile } from 'node:fs/promises'
import { ToolError } from '../../protocol/errors.ts'
import { importDocument } from '../../spec/import.ts'
import { readDocument } from '../../spec/read.ts'
import { oneLine } from '../line.ts'
import { say } from '../terminal.ts'

export async function importFile(file: string, { out }: { out?: string }): Promise<void> {
  const source = importDocument(readDocument(await readFile(file, 'utf8')), file)
  if (out === undefined) {
    process.stdout.write(source)
    return
  }
  // Somebody may have written what the tools do.
  await writeFile(out, source, { flag: 'wx' }).catch((error) => {
    if (error.code !== 'EEXIST') throw error
    throw new ToolError('ValidationError', `${out} is there already, and is not written over`)
  })
  say(`${oneLine(out)} written`)
}
