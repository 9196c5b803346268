/** `myrmex spec import`: makes a tool file from a document. */
import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { ToolError } from '../../protocol/errors.ts'
import { plural } from '../../protocol/text.ts'
import { oneLine, say } from '../../serve/terminal.ts'
import { moduleOf } from '../../spec/import/imported-name.ts'
import { importTools } from '../../spec/import.ts'
import { readDocument } from '../../spec/read.ts'
import { readText } from '../read-text.ts'

interface Options {
  out?: string
  module?: string
}

/** Exits with code 0 if there is code, also if parts of the document were left out: those are printed on stderr. */
export async function importFile(file: string, { out, module }: Options): Promise<void> {
  const document = readDocument(await readText(file))
  const { source, tools, notes } = importTools(document, file, { module, defaultModule: moduleOf(resolve(file)) })
  for (const { location, tool, message } of notes) {
    say(oneLine(`${file}:${location.line}: ${tool === undefined ? '' : `${tool}: `}${message}`))
  }
  if (out === undefined) {
    process.stdout.write(source)
    return
  }
  // Somebody may have written what the tools do.
  await writeFile(out, source, { flag: 'wx' }).catch((error) => {
    if (error.code !== 'EEXIST') throw error
    throw ToolError.of('ValidationError', `${out} is there already, and is not written over`)
  })
  say(`${oneLine(out)} written: ${plural(tools, 'tool')}`)
}
