/**
 * Hot reload: myrmex.json is read again when it changes, also where an editor puts a new file in its place. One that is broken or
 * gone leaves all as it was, and says why.
 */
import { readFile } from 'node:fs/promises'
import { basename, dirname, resolve } from 'node:path'
import { ToolError } from '../../protocol/errors.ts'
import { type HostFile, readHostFile } from './read-host-file.ts'

export interface HostFileWatch {
  /** Reads it now, whether it changed or not: a secret's file may have. */
  reload(): Promise<void>
  close(): Promise<void>
}

export async function watchHostFile(
  path: string,
  onChange: (file: HostFile) => void | Promise<void>,
  onFailure: (error: unknown) => void,
  env: Readonly<Record<string, string | undefined>> = process.env,
): Promise<HostFileWatch> {
  const { watch } = await import('chokidar')
  const file = resolve(path)
  const folder = dirname(file)
  let known = await textOf(file)
  // The folder, since a watch on the file itself would stay with the one that an editor has renamed away.
  const watcher = watch(folder, {
    depth: 0,
    ignoreInitial: true,
    ignored: (seen) => resolve(seen) !== folder && basename(seen) !== basename(file),
    awaitWriteFinish: { stabilityThreshold: 50, pollInterval: 10 },
    atomic: true,
  })

  const read = async (always: boolean): Promise<void> => {
    const text = await textOf(file)
    if (text === known && !always) return
    known = text
    try {
      if (text === undefined) throw ToolError.of('FileNotFoundError', `${path} is gone`)
      await onChange(await readHostFile(path, env))
    } catch (error) {
      onFailure(error)
    }
  }
  // One at a time: of two quick saves the older one must not be what is left.
  let turn: Promise<void> = Promise.resolve()
  const queued = (always = false): Promise<void> => {
    turn = turn.then(() => read(always))
    return turn
  }
  for (const event of ['add', 'change', 'unlink'] as const) {
    watcher.on(event, (seen) => {
      if (resolve(seen) === file) void queued()
    })
  }
  watcher.on('error', onFailure)
  await new Promise<void>((ready) => watcher.once('ready', ready))
  return {
    reload: () => queued(true),
    async close() {
      await watcher.close()
      await turn
    },
  }
}

/** Undefined where it cannot be read: what is wrong with it is told by whoever reads it in earnest. */
const textOf = (file: string): Promise<string | undefined> => readFile(file, 'utf8').catch(() => undefined)
