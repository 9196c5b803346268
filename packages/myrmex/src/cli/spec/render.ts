/** `myrmex spec render`: writes the document of each folder, or one document for a server or for all files. */

import { writeFile } from 'node:fs/promises'
import { ToolError } from '../../protocol/errors.ts'
import { plural } from '../../protocol/text.ts'
import { oneLine, say, withStdoutOnStderr } from '../../serve/terminal.ts'
import { documentedResults } from '../../spec/examples/documented-results.ts'
import { EMPTY_LOCK, type Lock, migrationSteps } from '../../spec/lock.ts'
import { renderDocument } from '../../spec/render.ts'
import type { Module } from '../../tool/discovery/module.ts'
import type { ToolBody } from '../../tool/verify/verify-tool.ts'
import { readTextIfPresent } from '../read-text.ts'
import type { ConnectTarget } from '../tools/connect-target.ts'
import { bodiesOf, loadFolders } from './folders.ts'
import { readLockFile } from './lock-file.ts'

interface Options {
  url?: string
  out?: string
  title?: string
  lock: string
}

export async function render({ files, command }: Omit<ConnectTarget, 'url'>, options: Options): Promise<void> {
  const { url, out, title } = options
  if (url !== undefined || command.length > 0) {
    const { bodies, server } = await serverBodies({ files, command, ...(url !== undefined && { url }) })
    return put(out ?? '-', renderDocument(bodies, { title: title ?? server, server }), bodies.length)
  }
  if (files.length === 0) throw ToolError.of('ValidationError', 'Give tool files, --url or a command after --.')
  const folders = await loadFolders(files)
  const given = { ...(title !== undefined && { title }), lock: (await readLockFile(options.lock)) ?? EMPTY_LOCK }
  if (out !== undefined) {
    const modules = folders.flatMap((folder) => folder.modules)
    return put(out, await documentOf(modules, out, given), countTools(modules))
  }
  for (const { document, modules } of folders)
    await put(document, await documentOf(modules, document, given), countTools(modules))
}

/** Examples are executed; what the document there shows is kept where values differ from call to call. */
async function documentOf(
  modules: readonly Module[],
  file: string,
  { lock, ...options }: { lock: Lock; title?: string },
): Promise<string> {
  const { recordExamples } = await import('../../spec/examples/record.ts')
  const before = file === '-' ? undefined : await readTextIfPresent(file)
  const { tried, recorded } = await withStdoutOnStderr(() => recordExamples(modules, documentedResults(before)))
  for (const [tool, { findings }] of tried) {
    for (const { where, message } of findings)
      say(`${oneLine(tool.name)}: example ${Number(where.split('/')[2]) + 1}: ${oneLine(message)}`)
  }
  const bodies = bodiesOf(modules)
  return renderDocument(bodies, { ...options, recorded, migrations: migrationSteps(bodies, lock) })
}

const countTools = (modules: readonly Module[]): number => modules.flatMap(({ tools }) => tools).length

/** What a server that somebody else wrote lists. The client takes longer to load than files take to render. */
async function serverBodies(from: ConnectTarget): Promise<{ bodies: ToolBody[]; server: string }> {
  const { connectTarget } = await import('../tools/connect-target.ts')
  const { foreignDefinition } = await import('../../client/foreign-definition.ts')
  const connection = await connectTarget(from)
  try {
    const info = connection.client.getServerVersion()
    const bodies = (await connection.tools()).map((tool) => foreignDefinition(tool, info?.version ?? '0.0.0'))
    return { bodies, server: info === undefined ? connection.peer : `${info.name} ${info.version}` }
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
  const before = await readTextIfPresent(file)
  if (before !== document) await writeFile(file, document)
  const what = before === document ? 'is up to date' : before === undefined ? 'written' : 'brought up to date'
  say(`${oneLine(file)} ${what}: ${plural(tools, 'tool')}`)
}
