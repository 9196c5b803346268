/** `myrmex spec render`: writes the document of each folder, or one document for a server or for all files. */

import { writeFile } from 'node:fs/promises'
import { ToolError } from '../../protocol/errors.ts'
import { plural } from '../../protocol/text.ts'
import { oneLine, say } from '../../serve/terminal.ts'
import { renderDocument } from '../../spec/render.ts'
import { readTextIfPresent } from '../read-text.ts'
import type { ConnectTarget } from '../tools/connect-target.ts'
import { bodiesOf, loadFolders } from './folders.ts'

interface Options {
  url?: string
  out?: string
  title?: string
}

export async function render({ files, command }: Omit<ConnectTarget, 'url'>, options: Options): Promise<void> {
  const { url, out, title } = options
  if (url !== undefined || command.length > 0) {
    // The client takes longer to load than files take to render.
    const { serverDocument } = await import('./server-document.ts')
    const { bodies, document } = await serverDocument({ files, command, ...(url !== undefined && { url }) }, title)
    return put(out ?? '-', document, bodies.length)
  }
  if (files.length === 0) throw ToolError.of('ValidationError', 'Give tool files, --url or a command after --.')
  const folders = await loadFolders(files)
  const given = title === undefined ? {} : { title }
  if (out !== undefined) {
    const bodies = folders.flatMap(({ modules }) => bodiesOf(modules))
    return put(out, renderDocument(bodies, given), bodies.length)
  }
  for (const { document, modules } of folders) {
    const bodies = bodiesOf(modules)
    await put(document, renderDocument(bodies, given), bodies.length)
  }
}

/** A file that says the same already is left alone, with its time. */
async function put(file: string, document: string, tools: number): Promise<void> {
  if (file === '-') {
    process.stdout.write(document)
    return
  }
  const before = await readTextIfPresent(file)
  if (before !== document) await writeFile(file, document)
  const what = before === document ? 'is up to date' : before === undefined ? 'written' : 'brought up to date'
  say(`${oneLine(file)} ${what}: ${plural(tools, 'tool')}`)
}
