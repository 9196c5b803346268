/**
 * Closes the descriptors that this process inherited from its parent, except stdin, stdout and stderr. Children would inherit them in turn,
 * and could read files that their sandbox hides. Node marks its own descriptors so that no child gets them. Linux only: elsewhere
 * nothing lists the descriptors of a process with their flags.
 */
import { closeSync, readdirSync, readFileSync } from 'node:fs'
import process from 'node:process'

const CLOSE_ON_EXEC = 0o2000000
const LAST_STANDARD = 2

export function closeInherited(): void {
  // The channel to a Node process that started this one is inherited, and in use.
  if (process.platform !== 'linux' || process.connected) return
  for (const name of readdirSync('/proc/self/fd')) {
    const descriptor = Number(name)
    if (descriptor <= LAST_STANDARD || isClosedOnExec(name)) continue
    closeSync(descriptor)
  }
}

function isClosedOnExec(name: string): boolean {
  try {
    const flags = /^flags:\s*([0-7]+)/m.exec(readFileSync(`/proc/self/fdinfo/${name}`, 'utf8'))?.[1]
    return flags === undefined || (Number.parseInt(flags, 8) & CLOSE_ON_EXEC) !== 0
  } catch {
    // The descriptor with which the folder was listed: it is closed by now.
    return true
  }
}
