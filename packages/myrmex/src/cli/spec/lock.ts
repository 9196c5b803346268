/** `myrmex spec lock`: what is released is written down, and from then on is what it is. */
import { addReleases, EMPTY_LOCK } from '../../spec/lock.ts'
import { counted } from '../audit/show.ts'
import { oneLine } from '../line.ts'
import { print, say } from '../terminal.ts'
import { foldersOf } from './folders.ts'
import { lockAt, presentIn, putLock, scopeOf } from './locked.ts'

export async function lock(files: string[], options: { lock: string }): Promise<void> {
  const present = presentIn(await foldersOf(files), options.lock)
  const before = (await lockAt(options.lock)) ?? EMPTY_LOCK
  const after = addReleases(before, present, scopeOf(files, options.lock))
  const added = present.filter(({ body }) => !before.tools.get(body.name)?.versions.has(body.version))
  await putLock(options.lock, after)
  for (const { body } of added) print(`${oneLine(body.name)} ${body.version}`)
  say(`${oneLine(options.lock)}: ${counted(added.length, 'version')} added`)
}
