/**
 * Attacker: another local user
 * Attack: reads keys, tokens and records in `.myrmex`, or plants files there, because the umask made it wide.
 * Stopped by: everything that Myrmex creates there is for its owner only (0700, 0600) under every umask. Wider ones are narrowed when
 * they are opened.
 */
import { execFile } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { longTest } from '@myrmex/testing/long'
import { CLI, fixturePath } from '@myrmex/testing/paths'
import { beforeEach, describe, expect, test } from 'vitest'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(process.cwd(), 'modes-'))
  return () => rmSync(folder, { recursive: true, force: true })
})

const TOOLS = fixturePath('all.tools.ts')

/** Runs the command with that umask. */
const myrmex = (umask: string, args: readonly string[]): Promise<string> =>
  new Promise((resolve) => {
    const words = [process.execPath, CLI, ...args].map((word) => `'${word}'`).join(' ')
    execFile('sh', ['-c', `umask ${umask}; exec ${words}`], { cwd: folder }, (_, stdout, stderr) =>
      resolve(stdout + stderr),
    ).stdin?.end()
  })

/** What others can read or write in `.myrmex`, with its mode. */
function open(): string[] {
  const paths = [
    '.myrmex',
    ...readdirSync(join(folder, '.myrmex'), { recursive: true, encoding: 'utf8' }).map((name) => join('.myrmex', name)),
  ]
  expect(paths.length).toBeGreaterThan(3)
  return paths
    .map((path) => ({ path, mode: statSync(join(folder, path)).mode & 0o777 }))
    .filter(({ mode }) => (mode & 0o077) !== 0)
    .map(({ path, mode }) => `${mode.toString(8)} ${path}`)
}

describe.each(['000', '002', '022'])('.myrmex is open to others under umask %s', (umask) => {
  test('a call creates a ledger for its owner only', async () => {
    expect(await myrmex(umask, ['call', 'all.add', '{"a":1,"b":2}', '--file', TOOLS])).toContain('3')
    expect(open()).toEqual([])
  })

  // The shop opens its files as the ledger does.
  longTest('the shop creates its folder, its file and its demo for its owner only', async () => {
    expect(await myrmex(umask, ['dropship', 'init'])).toContain('.myrmex/shop.db')
    expect(open()).toEqual([])
  })
})

test('.myrmex exists and is open to others: a folder and files that are wider are narrowed when they are opened', async () => {
  mkdirSync(join(folder, '.myrmex'))
  chmodSync(join(folder, '.myrmex'), 0o777)
  expect(await myrmex('022', ['call', 'all.add', '{"a":1,"b":2}', '--file', TOOLS])).toContain('3')
  expect(open()).toEqual([])
  chmodSync(join(folder, '.myrmex'), 0o775)
  chmodSync(join(folder, '.myrmex', 'ledger.db'), 0o664)
  chmodSync(join(folder, '.myrmex', 'ledger.journal'), 0o775)
  expect(await myrmex('002', ['call', 'all.add', '{"a":1,"b":2}', '--file', TOOLS])).toContain('3')
  expect(open()).toEqual([])
})

test('a folder that the operator named, and that is not ours, keeps its mode', async () => {
  mkdirSync(join(folder, 'shared'))
  chmodSync(join(folder, 'shared'), 0o755)
  await myrmex('022', ['call', 'all.add', '{"a":1,"b":2}', '--file', TOOLS, '--ledger', 'shared/ledger.db'])
  expect(statSync(join(folder, 'shared')).mode & 0o777).toBe(0o755)
  expect(statSync(join(folder, 'shared', 'ledger.db')).mode & 0o777).toBe(0o600)
})
