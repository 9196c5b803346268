/** `myrmex spec render`: the document of each folder, written where it belongs; or one for a server, or for all, where told. */
import { readFile, writeFile } from 'node:fs/promises'
import { ToolError } from '../../protocol/errors.ts'
import { foreignBody } from '../../spec/foreign.ts'
import { renderDocument } from '../../spec/render.ts'
import type { Body } from '../../tool/verify.ts'
import { counted } from '../audit/show.ts'
import { oneLine } from '../line.ts'
import { type Reached, reach } from '../reach.ts'
import { say } from '../terminal.ts'
import { bodiesOf, foldersOf } from './folders.ts'

interface Options {
  url?: string
  out?: string
  title?: string
}

export async function render({ files, command }: Omit<Reached, 'url'>, options: Options): Promise<void> {
  const { url, out, title } = options
  if (url !== undefined || command.length > 0) {
    const { bodies, document } = await ofServer({ files, command, ...(url !== undefined && { url }) }, title)
    return put(out ?? '-', document, bodies.length)
  }
  if (files.length === 0) throw new ToolError('ValidationError', 'Give tool files, --url or a command after --.')
  const folders = await foldersOf(files)
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

async function ofServer(from: Reached, title?: string): Promise<{ bodies: Body[]; document: string }> {
  const connection = await reach(from)
  try {
    const info = connection.client.getServerVersion()
    const tools = await connection.tools()
    const bodies = tools.map((tool) => foreignBody(tool, info?.version ?? '0.0.0'))
    const name = info === undefined ? connection.peer : `${info.name} ${info.version}`
    return { bodies, document: renderDocument(bodies, { title: title ?? name, server: name }) }
  } finally {
    await connection.close()
  }
}

/** A file that says the same already is left alone, with its time. */
async function put(file: string, document: string, tools: number): Promise<void> {
  if (file === '-') {
    process.stdout.write(document)
    return
  }
  const before = await readFile(file, 'utf8').catch(() => undefined)
  if (before !== document) await writeFile(file, document)
  const what = before === document ? 'is up to date' : before === undefined ? 'written' : 'brought up to date'
  say(`${oneLine(file)} ${what}: ${counted(tools, 'tool')}`)
}
