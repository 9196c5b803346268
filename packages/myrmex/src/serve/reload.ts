/** Applies changes of the configuration while the host runs, and on SIGHUP. A broken configuration changes nothing. */

import { setTimeout as pause } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { HostFile } from '../host/config/read-host-file.ts'
import { type HostFileWatch, watchHostFile } from '../host/config/watch-host-file.ts'
import type { Host } from '../host/host.ts'
import type { ServerSettings } from '../host/settings.ts'
import type { OperatorLock } from '../ledger/operator/operator-lock.ts'
import { approvalSettings } from '../pipeline/rules/approval-settings.ts'
import { messageOf } from '../protocol/errors.ts'
import { plural } from '../protocol/text.ts'
import { clean, say } from './terminal.ts'

/** A slow server delays neither the message nor the next change. */
const PATIENCE_MS = 2000

export async function reloadOnChange(
  path: string,
  host: Pick<Host, 'replace' | 'server' | 'notifier'>,
  first: HostFile,
  lock: OperatorLock,
  { isWatched = true }: { isWatched?: boolean } = {},
): Promise<HostFileWatch> {
  let names = serverNames(first)
  const loaded = new Set(first.settings.map(({ digest }) => digest))
  // A module is code in this process, and could do what no decision allows. Who can write the file is not the operator.
  const isLoadable = ({ endpoint, digest }: ServerSettings): boolean =>
    !lock.isLocked || endpoint.where !== 'in-process' || loaded.has(digest)
  // For a change in a secret's file, which is not watched. Without a listener the signal would end the process.
  let isAsked = false
  let reload = (): void => {
    isAsked = true
  }
  if (process.platform !== 'win32') process.on('SIGHUP', () => reload())
  const watch = await watchHostFile(
    path,
    async (file) => {
      const settings = file.settings.filter(isLoadable)
      const { pipeline } = host.server
      if (!isDeepStrictEqual(file.profiles, pipeline.profiles.all())) pipeline.profiles.replace(file.profiles)
      pipeline.approvalSettings = approvalSettings(pipeline.policy.waiting, file.approvals)
      host.notifier.configure(file.announcements)
      await Promise.race([host.replace(settings), pause(PATIENCE_MS, undefined, { ref: false })])
      say(`${path} was reloaded: ${changeText(names, file)}`)
      names = serverNames(file)
      for (const { name } of file.settings.filter((one) => !isLoadable(one)))
        say(`${name}: its module is loaded after a restart, because the ledger is locked`)
      if (!isDeepStrictEqual(file.host, first.host)) say('changed settings of the host itself apply after a restart')
    },
    (error) => say(`${path} was not reloaded, and nothing changed:\n${clean(messageOf(error))}`),
    { isWatched, known: first.text },
  )
  reload = () => void watch.reload()
  if (isAsked) reload()
  return watch
}

const serverNames = ({ settings }: HostFile): ReadonlySet<string> => new Set(settings.map(({ name }) => name))

function changeText(before: ReadonlySet<string>, file: HostFile): string {
  const now = serverNames(file)
  const added = [...now].filter((name) => !before.has(name))
  const gone = [...before].filter((name) => !now.has(name))
  const parts = [
    added.length > 0 && `new: ${added.join(', ')}`,
    gone.length > 0 && `removed: ${gone.join(', ')}`,
    `${plural(now.size, 'server')} now`,
    ...file.notes,
  ]
  return parts.filter((part) => part !== false).join('; ')
}
