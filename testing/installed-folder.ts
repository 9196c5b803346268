/**
 * Installs the packages of a folder that has a package.json and a lock file of its own, unless they were installed as it asks for. Such
 * folders hold what others wrote: nobody who installs Myrmex or runs `npm test` pays for them. Of several processes one installs, and the
 * others wait for it.
 */
import { execFileSync } from 'node:child_process'
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { processExists } from '../packages/myrmex/src/host/api/process-exists.ts'

const LOOK_MS = 200

/** `folder` ends with a slash. Install scripts do not run: they download what the tests do not need. */
export function installFolder(folder: URL, log: (line: string) => void = () => {}): void {
  // Written last, so that nobody takes half an installation for a whole one.
  const mark = new URL('node_modules/.asked', folder)
  const asked = readFileSync(new URL('package.json', folder), 'utf8')
  const isInstalled = (): boolean => readText(mark) === asked
  if (isInstalled()) return
  mkdirSync(new URL('node_modules', folder), { recursive: true })
  const lock = new URL('node_modules/.installing', folder)
  while (!claim(lock)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOOK_MS)
  try {
    if (isInstalled()) return
    log(`installing ${Object.keys(askedVersions(folder)).join(', ')}`)
    // npm speaks on stdout, which may belong to results.
    execFileSync('npm', ['install', '--ignore-scripts'], { cwd: folder, stdio: ['ignore', 2, 2] })
    writeFileSync(mark, asked)
  } finally {
    rmSync(lock, { force: true })
  }
}

/** The lock of a process that was killed is removed. */
function claim(lock: URL): boolean {
  try {
    const file = openSync(lock, 'wx')
    writeFileSync(file, String(process.pid))
    closeSync(file)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  const owner = Number(readText(lock))
  if (owner > 0 && !processExists(owner)) rmSync(lock, { force: true })
  return false
}

export const askedVersions = (folder: URL): Record<string, string> =>
  (JSON.parse(readFileSync(new URL('package.json', folder), 'utf8')) as { dependencies: Record<string, string> })
    .dependencies

function readText(file: URL): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
