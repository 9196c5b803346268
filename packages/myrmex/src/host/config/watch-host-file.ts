/**
 * Hot reload: reads myrmex.json again when it changes, also if an editor replaces the file. A malformed or missing file is reported
 * and changes nothing.
 */
import { readFile } from 'node:fs/promises'
import { basename, dirname, resolve } from 'node:path'
import { ToolError } from '../../protocol/errors.ts'
import { type HostFile, readHostFile } from './read-host-file.ts'

export type HostFileWatch = Awaited<ReturnType<typeof watchHostFile>>

/** `isWatched` false: it is only read when `reload` is called. `known`: the text that the caller has; if the file has another by now, it has changed. */
export async function watchHostFile(
  path: string,
  onChange: (file: HostFile) => void | Promise<void>,
  onFailure: (error: unknown) => void,
  {
    env = process.env,
    isWatched = true,
    ...given
  }: { env?: NodeJS.ProcessEnv; isWatched?: boolean; known?: string } = {},
) {
  const file = resolve(path)
  let known = given.known ?? (await textOf(file))

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
  // One at a time, so that the newest of two quick saves wins.
  let queue: Promise<void> = Promise.resolve()
  const queued = (always = false): Promise<void> => {
    queue = queue.then(() => read(always))
    return queue
  }
  const watcher = isWatched ? await watchFile(file, () => void queued(), onFailure) : undefined
  if (isWatched) void queued()
  return {
    /** Reads the file now even if it did not change, because a secret's file may have changed. */
    reload: () => queued(true),
    async close() {
      await watcher?.close()
      await queue
    },
  }
}

async function watchFile(file: string, onChange: () => void, onFailure: (error: unknown) => void) {
  const { watch } = await import('chokidar')
  const folder = dirname(file)
  // Watch the folder: a watch on the file would follow a file that an editor renamed.
  const watcher = watch(folder, {
    depth: 0,
    ignoreInitial: true,
    ignored: (seen) => resolve(seen) !== folder && basename(seen) !== basename(file),
    awaitWriteFinish: { stabilityThreshold: 50, pollInterval: 10 },
    atomic: true,
  })
  for (const event of ['add', 'change', 'unlink'] as const) {
    watcher.on(event, (seen) => {
      if (resolve(seen) === file) onChange()
    })
  }
  watcher.on('error', onFailure)
  await new Promise<void>((ready) => watcher.once('ready', ready))
  return watcher
}

/** Returns undefined if it cannot be read: `readHostFile` reports the error. */
const textOf = (file: string): Promise<string | undefined> => readFile(file, 'utf8').catch(() => undefined)
