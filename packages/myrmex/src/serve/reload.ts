/** Hot reload: what changed in the configuration is taken over while all else goes on; a broken one changes nothing. SIGHUP asks for it. */
import { setTimeout as pause } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { HostFile } from '../host/config/read-host-file.ts'
import { type HostFileWatch, watchHostFile } from '../host/config/watch-host-file.ts'
import type { Host } from '../host/host.ts'
import { clean, say } from './terminal.ts'

/** A server that starts slowly holds up neither this word nor the next change of the file. */
const PATIENCE_MS = 2000

export async function reloadOnChange(
  path: string,
  host: Pick<Host, 'replace'>,
  first: HostFile,
): Promise<HostFileWatch> {
  let names = serverNames(first)
  const watching = await watchHostFile(
    path,
    async (file) => {
      await Promise.race([host.replace(file.settings), pause(PATIENCE_MS, undefined, { ref: false })])
      say(`${path} was read again: ${changeText(names, file)}`)
      names = serverNames(file)
      if (!isDeepStrictEqual(file.host, first.host)) say('what it says of the host itself holds from the next start on')
    },
    (error) =>
      say(
        `${path} is not taken over, all goes on as it was:\n${clean(error instanceof Error ? error.message : String(error))}`,
      ),
  )
  // Also where only a secret's file has changed.
  if (process.platform !== 'win32') process.on('SIGHUP', () => void watching.reload())
  return watching
}

const serverNames = ({ settings }: HostFile): ReadonlySet<string> => new Set(settings.map(({ name }) => name))

function changeText(before: ReadonlySet<string>, file: HostFile): string {
  const now = serverNames(file)
  const added = [...now].filter((name) => !before.has(name))
  const gone = [...before].filter((name) => !now.has(name))
  const said = [
    added.length > 0 && `new: ${added.join(', ')}`,
    gone.length > 0 && `gone: ${gone.join(', ')}`,
    `${now.size} ${now.size === 1 ? 'server' : 'servers'} now`,
    ...file.notes,
  ]
  return said.filter((part) => part !== false).join('; ')
}
