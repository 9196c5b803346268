/**
 * Attacker: a child in a sandbox
 * Attack: writes an entry of a trusted folder, or compiled code for the host, into the user's configuration or cache folder, because the
 * sandbox looks for them elsewhere (`XDG_CONFIG_HOME` empty, `HOME` unset, `NODE_COMPILE_CACHE` set) or they do not exist yet.
 * Stopped by: one function decides where these folders are. Those that do not exist are created before the sandbox hides them.
 */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, statSync } from 'node:fs'
import { getCompileCacheDir } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
// @ts-expect-error plain JavaScript, without types
import { cacheFolder } from '../../packages/myrmex/bin/compile-cache.js'
import { planSandbox } from '../../packages/myrmex/src/host/child/sandbox/plan.ts'
import { userFolder } from '../../packages/myrmex/src/ledger/user-folders.ts'
import { registryFolder } from '../../packages/myrmex/src/serve/folder-registry.ts'

let folder: string
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'user-folders-')))
  vi.stubEnv('HOME', join(folder, 'home'))
  mkdirSync(join(folder, 'home'))
  return () => rmSync(folder, { recursive: true, force: true })
})
afterEach(() => void vi.unstubAllEnvs())

const hiddenFolders = (): readonly string[] => {
  const state = join(folder, '.myrmex')
  const settings = { kind: 'auto' as const, network: true, state, hide: [], hidden: [], readOnly: [] }
  const endpoint = { program: process.execPath, args: [], cwd: folder }
  return planSandbox('x', endpoint, settings, { hide: [], readOnly: [] }).hiddenFolders
}

describe.each([undefined, '', 'relative', '/named'])('XDG_CONFIG_HOME and XDG_CACHE_HOME are %j', (value) => {
  const given = (): string | undefined => (value === '/named' ? join(folder, 'named') : value)

  test('the registry and the compile cache are hidden from a child, also if they do not exist yet', () => {
    vi.stubEnv('XDG_CONFIG_HOME', given())
    vi.stubEnv('XDG_CACHE_HOME', given())
    vi.stubEnv('XDG_DATA_HOME', given())
    const hidden = hiddenFolders()
    for (const path of [registryFolder(), cacheFolder()]) expect(hidden).toContain(join(path ?? '', '..'))
    expect(hidden).toContain(userFolder('data'))
    for (const kind of ['config', 'cache', 'data'] as const)
      expect(statSync(userFolder(kind) ?? '').mode & 0o777).toBe(0o700)
  })

  test.each([undefined, '', 'relative', '/home/ann'])(
    'the command has its compile cache there, with HOME %j',
    (home) => {
      vi.stubEnv('HOME', home)
      vi.stubEnv('XDG_CACHE_HOME', given())
      vi.stubEnv('LOCALAPPDATA', given())
      for (const platform of ['linux', 'darwin', 'win32'] as const) {
        const own = userFolder('cache', platform)
        expect(cacheFolder(platform)).toBe(own === undefined ? undefined : join(own, 'compile'))
      }
    },
  )
})

test.each([
  ['linux', '.local/share/myrmex'],
  ['darwin', 'Library/Application Support/myrmex'],
] as const)('on %s the data folder is %s', (platform, path) => {
  vi.stubEnv('XDG_DATA_HOME', undefined)
  expect(userFolder('data', platform)).toBe(join(folder, 'home', path))
})

test.runIf(getCompileCacheDir() !== undefined)('a compile cache elsewhere is hidden too', () => {
  expect(hiddenFolders()).toContain(realpathSync(getCompileCacheDir() ?? ''))
})
