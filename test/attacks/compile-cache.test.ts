/**
 * Tests with files of another user need root, and are skipped if they run as anybody else.
 *
 * Attacker: another local user
 * Attack: puts a crafted entry into the compile cache of the `myrmex` command, which Node executes instead of our source.
 * Stopped by: the cache is a folder of mode 0700 in the user's own cache folder, used only if nobody else can write it or a folder
 * above it. A `NODE_COMPILE_CACHE` that others can write is refused.
 */

import { execFile } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { LONG, longTest } from '@myrmex/testing/long'
import { CLI } from '@myrmex/testing/paths'
import { beforeEach, describe, expect, test } from 'vitest'

const OTHER = 65_534
const isRoot = process.getuid?.() === 0
const MODE = 0o777

let folder: string
let home: string
beforeEach(() => {
  folder = mkdtempSync(join(process.cwd(), 'cache-'))
  home = join(folder, 'home')
  mkdirSync(home)
  return () => rmSync(folder, { recursive: true, force: true })
})

interface Ended {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** The command as it starts on a machine of its own: nothing of the tests' environment is there. */
function myrmex(env: NodeJS.ProcessEnv = {}, umask = '022'): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(
      'sh',
      ['-c', `umask ${umask}; exec "$0" "$@"`, process.execPath, CLI, '--version'],
      { cwd: folder, env: { PATH: process.env.PATH, HOME: home, ...env } },
      (error, stdout, stderr) => resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    )
  })
}

const files = (path: string): string[] => {
  try {
    return readdirSync(path, { recursive: true, encoding: 'utf8' })
  } catch {
    return []
  }
}
const own = (): string => join(home, '.cache', 'myrmex', 'compile')
const makeFolder = (path: string, mode: number, uid = process.getuid?.() ?? 0): string => {
  mkdirSync(path, { recursive: true })
  chownSync(path, uid, uid)
  chmodSync(path, mode)
  return path
}

describe('another user’s entry in a shared compile cache is executed', () => {
  test('the cache is in the user’s own folder, which nobody else can enter', async () => {
    const shared = makeFolder(join(folder, 'tmp'), 0o1777)
    const planted = makeFolder(join(shared, 'node-compile-cache'), 0o777, isRoot ? OTHER : undefined)
    expect(await myrmex({ TMPDIR: shared }, '000')).toMatchObject({ code: 0, stderr: '' })
    expect(files(planted)).toEqual([])
    expect(files(own()).length).toBeGreaterThan(10)
    const folders = readdirSync(own()).map((name) => join(own(), name))
    for (const path of [...folders, own(), join(home, '.cache', 'myrmex')])
      expect(statSync(path).mode & MODE).toBe(0o700)
  })

  longTest('XDG_CACHE_HOME names the folder, unless it is relative', async () => {
    const cache = makeFolder(join(folder, 'xdg'), 0o755)
    await myrmex({ XDG_CACHE_HOME: cache })
    expect(files(join(cache, 'myrmex', 'compile')).length).toBeGreaterThan(10)
    expect(files(own())).toEqual([])
    await myrmex({ XDG_CACHE_HOME: 'here' })
    expect(files(join(folder, 'here'))).toEqual([])
    expect(files(own()).length).toBeGreaterThan(10)
  })

  test.each(LONG ? ['702', '777'] : ['702'])('a folder that others can write (%s) is not used', async (mode) => {
    makeFolder(own(), Number.parseInt(mode, 8))
    expect(await myrmex()).toMatchObject({ code: 0 })
    expect(files(own())).toEqual([])
  })

  test.runIf(isRoot)(
    'a folder that a group can write is not used, unless it is the group of this user alone',
    async () => {
      makeFolder(own(), 0o770)
      chownSync(own(), 0, OTHER)
      expect(await myrmex()).toMatchObject({ code: 0 })
      expect(files(own())).toEqual([])
      chownSync(own(), 0, 0)
      expect(await myrmex()).toMatchObject({ code: 0 })
      expect(files(own()).length).toBeGreaterThan(10)
    },
  )

  test('a folder that others can write above it is enough not to use it', async () => {
    makeFolder(own(), 0o700)
    chmodSync(join(home, '.cache'), 0o777)
    expect(await myrmex()).toMatchObject({ code: 0 })
    expect(files(own())).toEqual([])
  })

  longTest('a link to a folder that others can write is not followed', async () => {
    const foreign = makeFolder(join(folder, 'foreign'), 0o777)
    mkdirSync(join(home, '.cache'))
    symlinkSync(foreign, join(home, '.cache', 'myrmex'))
    expect(await myrmex()).toMatchObject({ code: 0 })
    expect(files(foreign)).toEqual(['compile'].filter((name) => files(foreign).includes(name)))
    expect(files(join(foreign, 'compile'))).toEqual([])
  })

  test.runIf(isRoot)('a home folder of another user, as under sudo, is not used', async () => {
    makeFolder(own(), 0o700)
    chownSync(home, OTHER, OTHER)
    expect(await myrmex()).toMatchObject({ code: 0 })
    expect(files(own())).toEqual([])
  })

  test.runIf(isRoot)('a cache folder of another user is not used', async () => {
    makeFolder(own(), 0o700, OTHER)
    expect(await myrmex()).toMatchObject({ code: 0 })
    expect(files(own())).toEqual([])
  })

  longTest('without a home folder the command works without a cache', async () => {
    expect(await myrmex({ HOME: '/dev/null' })).toMatchObject({ code: 0, stderr: '' })
    expect(await myrmex({ HOME: '' })).toMatchObject({ code: 0, stderr: '' })
  })
})

describe('NODE_COMPILE_CACHE names a folder that others can write', () => {
  test('the command does not start, and says what to do', async () => {
    const shared = makeFolder(join(folder, 'shared'), 0o777)
    const ended = await myrmex({ NODE_COMPILE_CACHE: shared })
    expect(ended).toMatchObject({ code: 1, stdout: '' })
    expect(ended.stderr).toMatch(/NODE_COMPILE_CACHE.*shared.*Unset it/s)
  })

  test('one that only this user can write is used', async () => {
    const mine = makeFolder(join(folder, 'mine'), 0o700)
    expect(await myrmex({ NODE_COMPILE_CACHE: mine })).toMatchObject({ code: 0, stderr: '' })
    expect(files(mine).length).toBeGreaterThan(10)
  })
})
