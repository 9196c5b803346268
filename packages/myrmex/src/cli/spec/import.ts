/** `myrmex spec import`: makes a tool file from a document. */
import { writeFile } from 'node:fs/promises'
import { ToolError } from '../../protocol/errors.ts'
import { oneLine, say } from '../../serve/terminal.ts'
import { importDocument } from '../../spec/import.ts'
import { readDocument } from '../../spec/read.ts'
import { readText } from '../read-text.ts'

export async function importFile(file: string, { out }: { out?: string }): Promise<void> {
  const source = importDocument(readDocument(await readText(file)), file)
  if (out === undefined) {
    process.stdout.write(source)
    return
  }
  // Somebody may have written what the tools do.
  await writeFile(out, source, { flag: 'wx' }).catch((error) => {
    if (error.code !== 'EEXIST') throw error
    throw ToolError.of('ValidationError', `${out} is there already, and is not written over`)
  })
  say(`${oneLine(out)} written`)
}
