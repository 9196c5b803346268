/** `myrmex spec lock`: records the released versions of exactly the files that it was given. */

import { plural } from '../../protocol/text.ts'
import { oneLine, print, say } from '../../serve/terminal.ts'
import { addReleases, EMPTY_LOCK } from '../../spec/lock.ts'
import { loadGiven } from './folders.ts'
import { lockScope, presentTools, readLockFile, writeLockFile } from './lock-file.ts'

export async function lock(files: string[], options: { lock: string }): Promise<void> {
  const present = presentTools(await loadGiven(files), options.lock)
  const before = (await readLockFile(options.lock)) ?? EMPTY_LOCK
  const after = addReleases(before, present, lockScope(files, options.lock))
  const added = present.filter(({ body }) => !before.tools.get(body.name)?.versions.has(body.version))
  await writeLockFile(options.lock, after)
  for (const { body } of added) print(`${oneLine(body.name)} ${body.version}`)
  say(`${oneLine(options.lock)}: ${plural(added.length, 'version')} added`)
}
