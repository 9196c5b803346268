/**
 * Attacker: an archive that a user unpacks
 * Attack: has a link in the place of `index.db`, `ledger.db`, a log of SQLite, the journal or the key, so that a command writes to a file of
 * the user, or narrows its mode.
 * Stopped by: a command that only reads writes no file in a folder that the user has not trusted. In a trusted one, links, hard links,
 * special files and files of other users in `.myrmex` are refused before anything is written.
 *
 * Attack: has `audit reindex` and `runs cancel` change a ledger that nobody trusted.
 * Stopped by: commands that change something require a trusted folder.
 *
 * Attack: has a rollback journal beside its ledger, which names a file that SQLite deletes.
 * Stopped by: a ledger that is not trusted is opened as immutable or as a copy, and not at all if it has such a journal.
 *
 * Attack: has `myrmex.policy.json` or `.myrmex` as a link to a place that does not exist yet, and that another user fills later.
 * Stopped by: a link counts as content wherever it leads, so the user is asked, and the question shows its target. `.myrmex` is used
 * through a link only if its target is for this user alone and the same as when the folder was trusted.
 *
 * Attacker: a child in a sandbox
 * Attack: replaces its home folder by a link, so that its sandbox cannot be prepared and it starts without one.
 * Stopped by: the host replaces such a link, and a sandbox whose folders were replaced is an error, never a start without it.
 */
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { recordSample } from '@myrmex/testing/ledger/sample-audit'
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { openShop } from '../../packages/dropship/src/embedded/open.ts'
import { planSandbox } from '../../packages/myrmex/src/host/child/sandbox/plan.ts'
import { Sandboxes } from '../../packages/myrmex/src/host/child/sandbox/sandboxes.ts'
import { openLedger } from '../../packages/myrmex/src/ledger/open.ts'
import { makePrivateFolder } from '../../packages/myrmex/src/ledger/private-folder.ts'
import { contentsOf, contentsOfOthers, describeContents } from '../../packages/myrmex/src/serve/folder-contents.ts'
import { requireFolder, trustFolder } from '../../packages/myrmex/src/serve/folder-trust.ts'
import { type LedgerAccess, withLedger } from '../../packages/myrmex/src/serve/ledger.ts'

const isRoot = process.getuid?.() === 0
const OTHER = 12_345

let origin: string
beforeAll(async () => {
  origin = join(mkdtempSync(join(process.cwd(), 'linked-origin-')), '.myrmex')
  const ledger = await openLedger(join(origin, 'ledger.db'))
  await recordSample(ledger, [{ lines: 3, sealed: true }])
  await ledger.close()
  return () => rmSync(dirname(origin), { recursive: true, force: true })
})

/** The folder of the archive, and one with files of the user. */
let work: string
let home: string
beforeEach(() => {
  const folder = realpathSync(mkdtempSync(join(process.cwd(), 'linked-')))
  work = join(folder, 'work')
  home = join(folder, 'home')
  mkdirSync(work)
  mkdirSync(home)
  vi.stubEnv('XDG_CONFIG_HOME', join(folder, 'config'))
  vi.stubEnv('MYRMEX_TRUSTED_FOLDERS', '')
  return () => rmSync(folder, { recursive: true, force: true })
})
afterEach(() => void vi.unstubAllEnvs())

const state = (...names: string[]): string => join(work, '.myrmex', ...names)
const unpack = (): void => {
  cpSync(origin, state(), { recursive: true })
  for (const name of readdirSync(state('ledger.journal')))
    if (name.startsWith('index.db')) rmSync(state('ledger.journal', name))
}
/** A link in the place of a file. */
const plant = (target: string, ...names: string[]): void => {
  rmSync(state(...names), { recursive: true, force: true })
  symlinkSync(target, state(...names))
}
const search = (access: LedgerAccess): Promise<unknown[]> =>
  withLedger({ ledger: state('ledger.db') }, access, ({ index }) => Array.fromAsync(index.search({ limit: 10 })))
const everything = (folder: string): unknown[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .sort()
    .map((name) => {
      const path = join(folder, name)
      const stats = lstatSync(path)
      return [name, stats.mode, stats.isFile() ? readFileSync(path, 'latin1') : '']
    })

describe('a command that only reads writes through a link', () => {
  test.each(['a file that does not exist', 'a text', 'another database'])('index.db is a link to %s', async (kind) => {
    unpack()
    const target = join(home, 'target')
    if (kind === 'a text') writeFileSync(target, 'IMPORTANT')
    if (kind === 'another database') new DatabaseSync(target).exec('CREATE TABLE own (a); INSERT INTO own VALUES (1)')
    if (existsSync(target)) chmodSync(target, 0o644)
    plant(target, 'ledger.journal', 'index.db')
    const before = [everything(home), everything(work)]
    expect(await search('search')).toHaveLength(3)
    expect(await search('read-only')).toHaveLength(3)
    expect([everything(home), everything(work)]).toEqual(before)
    // The user trusts the folder, so that the index would be written.
    await trustFolder(work)
    await expect(search('search')).rejects.toThrow(/index\.db is a symbolic link/)
    await expect(openAndSearch()).rejects.toThrow(/index\.db is a symbolic link/)
    expect(everything(home)).toEqual(before[0])
  })

  const openAndSearch = async (): Promise<void> => {
    const ledger = await openLedger(state('ledger.db'))
    await Array.fromAsync(ledger.index.search({ limit: 1 })).finally(() => ledger.close())
  }

  test('the ledger itself is a link to another database, and nothing is created beside that', async () => {
    unpack()
    cpSync(state('ledger.db'), join(home, 'app.db'))
    plant(join(home, 'app.db'), 'ledger.db')
    const before = everything(home)
    await expect(search('search')).rejects.toThrow(/ledger\.db is a symbolic link/)
    await expect(openLedger(state('ledger.db'))).rejects.toThrow(/ledger\.db is a symbolic link/)
    expect(everything(home)).toEqual(before)
  })

  test('what is only in the log of a ledger is shown, and its folder is not changed', async () => {
    unpack()
    const db = new DatabaseSync(state('ledger.db'))
    db.exec("PRAGMA journal_mode = WAL; INSERT INTO keys (key_id, public_key, first_used) VALUES ('in-the-log', '', 0)")
    cpSync(state(), join(home, 'copy'), { recursive: true })
    db.close()
    rmSync(state(), { recursive: true })
    cpSync(join(home, 'copy'), state(), { recursive: true })
    rmSync(state('ledger.db-shm'))
    expect(statSync(state('ledger.db-wal')).size).toBeGreaterThan(0)
    const before = everything(work)
    const keys = await withLedger({ ledger: state('ledger.db') }, 'read-only', async (ledger) =>
      ledger.db.query("SELECT key_id FROM keys WHERE key_id = 'in-the-log'"),
    )
    expect(keys).toHaveLength(1)
    expect(everything(work)).toEqual(before)
  })

  test('a rollback journal beside the ledger is not played back', async () => {
    unpack()
    writeFileSync(state('ledger.db-journal'), 'x'.repeat(600))
    await expect(search('search')).rejects.toThrow(/rollback journal/)
    expect(existsSync(state('ledger.db-journal'))).toBe(true)
  })
})

test('commands that change a ledger require a trusted folder', async () => {
  unpack()
  const before = everything(work)
  await expect(withLedger({ ledger: state('ledger.db') }, 'change', ({ index }) => index.rebuild())).rejects.toThrow(
    /you have not trusted this folder yet/,
  )
  expect(everything(work)).toEqual(before)
  await trustFolder(work)
  expect(await withLedger({ ledger: state('ledger.db') }, 'change', ({ index }) => index.rebuild())).toBe(3)
  expect(existsSync(state('ledger.journal', 'index.db'))).toBe(true)
})

describe('a trusted folder has something else in the place of a file that is written', () => {
  const record = async (): Promise<void> => {
    const ledger = await openLedger(state('ledger.db'))
    try {
      await recordSample(ledger, [{ lines: 1, sealed: true }])
    } finally {
      await ledger.close()
    }
  }

  test.each(['ledger.db', 'ledger.db-wal', 'ledger.db-shm', 'ledger.db-journal', 'ledger.key', 'ledger.journal'])(
    '%s is a link',
    async (name) => {
      unpack()
      if (name === 'ledger.journal') mkdirSync(join(home, 'target'))
      else cpSync(join(origin, 'ledger.db'), join(home, 'target'))
      chmodSync(join(home, 'target'), 0o755)
      plant(join(home, 'target'), name)
      const before = everything(home)
      await expect(record()).rejects.toThrow(/symbolic link/)
      expect(everything(home)).toEqual(before)
    },
  )

  test('the ledger has a second name', async () => {
    unpack()
    linkSync(state('ledger.db'), join(home, 'target'))
    await expect(record()).rejects.toThrow(/second name/)
  })

  test.runIf(isRoot)('the ledger belongs to another user', async () => {
    unpack()
    chownSync(state('ledger.db'), OTHER, OTHER)
    await expect(record()).rejects.toThrow(/belongs to user 12345/)
  })

  test('the journal of a ledger that the operator named is a link', async () => {
    const named = join(home, 'named')
    cpSync(origin, named, { recursive: true })
    rmSync(join(named, 'ledger.journal'), { recursive: true })
    symlinkSync(mkdtempSync(join(home, 'target-')), join(named, 'ledger.journal'))
    rmSync(join(named, 'ledger.db'))
    rmSync(join(named, 'ledger.key'))
    await expect(openLedger(join(named, 'ledger.db'))).rejects.toThrow(/ledger\.journal is a symbolic link/)
    expect(readdirSync(realpathSync(join(named, 'ledger.journal')))).toEqual([])
  })

  test('no mode is changed through a link', () => {
    mkdirSync(join(home, 'open'))
    chmodSync(join(home, 'open'), 0o755)
    mkdirSync(state())
    plant(join(home, 'open'), 'host')
    expect(() => makePrivateFolder(state('host'))).toThrow(/symbolic link/)
    expect(() => makePrivateFolder(state('host', 'secrets'))).toThrow(/symbolic link/)
    rmSync(state(), { recursive: true })
    symlinkSync(join(home, 'open'), state())
    expect(() => makePrivateFolder(state())).toThrow(/not for you alone/)
    expect(statSync(join(home, 'open')).mode & 0o777).toBe(0o755)
    expect(readdirSync(join(home, 'open'))).toEqual([])
  })
})

test('the file of a shop is a link to another database', async () => {
  const target = join(home, 'app.db')
  new DatabaseSync(target).exec('CREATE TABLE own (a)')
  mkdirSync(state())
  plant(target, 'shop.db')
  const before = everything(home)
  await expect(openShop({ file: state('shop.db') })).rejects.toThrow(/shop\.db is a symbolic link/)
  expect(everything(home)).toEqual(before)
})

describe('the folders of a sandbox', () => {
  const plan = () =>
    planSandbox('x', { program: process.execPath, args: [], cwd: work }, settings(), { hide: [], readOnly: [] })
  const settings = () => ({ kind: 'auto' as const, network: true, state: state(), hide: [], hidden: [], readOnly: [] })

  test('a link in the place of a device does not empty its target', () => {
    writeFileSync(join(home, 'notes'), 'IMPORTANT')
    mkdirSync(state('host', 'children', 'x', 'mounts', 'dev'), { recursive: true })
    plant(join(home, 'notes'), 'host', 'children', 'x', 'mounts', 'dev', 'null')
    expect(plan).toThrow(/symbolic link/)
    expect(readFileSync(join(home, 'notes'), 'utf8')).toBe('IMPORTANT')
  })

  test.runIf(process.platform === 'linux')(
    'a child whose sandbox cannot be prepared does not start without one',
    async () => {
      mkdirSync(state('host', 'children'), { recursive: true })
      plant(home, 'host', 'children', 'x')
      const endpoint = { where: 'child', command: process.execPath, args: [], env: {}, cwd: work } as const
      await expect(new Sandboxes().launch('x', endpoint, settings())).rejects.toThrow(/symbolic link/)
    },
  )

  test('the files on which devices are mounted are for their owner only', () => {
    const { mounts } = plan()
    expect(statSync(join(mounts, 'dev', 'null')).mode & 0o777).toBe(0o600)
  })

  test.runIf(isRoot)('a folder of root is not given to a child through a link', async () => {
    mkdirSync(join(work, '.myrmex-homes'))
    symlinkSync(home, join(work, '.myrmex-homes', 'x'))
    const endpoint = { where: 'child', command: process.execPath, args: [], env: {}, cwd: work } as const
    const launch = (): Promise<unknown> => new Sandboxes().launch('x', endpoint, { ...settings(), kind: 'user' })
    await expect(launch()).rejects.toThrow(/is a link or a file/)
    expect(statSync(home).uid).toBe(0)
    // Nor does a child become a person whose number an archive has for it.
    rmSync(join(work, '.myrmex-homes', 'x'))
    mkdirSync(join(work, '.myrmex-homes', 'x'))
    chownSync(join(work, '.myrmex-homes', 'x'), 1000, 1000)
    await expect(launch()).rejects.toThrow(/belongs to user 1000/)
  })

  test('a child that replaces its home folder gets a new one', () => {
    const { own } = plan()
    rmSync(join(own, 'home'), { recursive: true })
    symlinkSync(join(home, 'nowhere'), join(own, 'home'))
    plan()
    expect(lstatSync(join(own, 'home')).isDirectory()).toBe(true)
    expect(existsSync(join(home, 'nowhere'))).toBe(false)
  })
})

describe('a prepared folder counts as one with nothing of Myrmex in it', () => {
  test.each([
    'myrmex.json',
    'myrmex.policy.json',
    'myrmex.constitution.json',
    'myrmex.fleet.json',
    '.myrmex',
    'node_modules',
  ])('%s is a link to a place that does not exist', async (name) => {
    symlinkSync(join(home, 'later'), join(work, name))
    expect(contentsOf(work)).toEqual([name === '.myrmex' ? '.myrmex/' : name])
    await expect(requireFolder(work)).rejects.toThrow(/you have not trusted this folder yet/)
    expect((await describeContents(work)).join('\n')).toContain(
      `a link to ${join(home, 'later')}, which does not exist`,
    )
  })

  test('.myrmex is a link to an empty folder', async () => {
    mkdirSync(join(home, 'state'), { mode: 0o700 })
    symlinkSync(join(home, 'state'), state())
    await expect(requireFolder(work)).rejects.toThrow(/you have not trusted this folder yet/)
  })

  test('a package is a link to a place that does not exist', () => {
    mkdirSync(join(work, 'node_modules'))
    symlinkSync(join(home, 'later'), join(work, 'node_modules', 'myrmex-later'))
    expect(contentsOf(work)).toEqual([join('node_modules', 'myrmex-later')])
  })

  test('a link that is put into a known folder later, and leads out of it, is shown', () => {
    symlinkSync(join(home, 'later'), join(work, 'myrmex.policy.json'))
    expect(contentsOfOthers(work)).toEqual([`myrmex.policy.json, a link to ${join(home, 'later')}`])
  })

  test('a file in it that others can change is not believed', () => {
    writeFileSync(join(work, 'myrmex.policy.json'), '{}')
    expect(contentsOfOthers(work)).toEqual([])
    chmodSync(join(work, 'myrmex.policy.json'), 0o606)
    expect(contentsOfOthers(work)).toEqual(['myrmex.policy.json, which another user can change'])
  })

  test.runIf(isRoot)('the target of a link in it belongs to another user', () => {
    writeFileSync(join(work, 'rules.json'), '{}')
    chownSync(join(work, 'rules.json'), OTHER, OTHER)
    symlinkSync('rules.json', join(work, 'myrmex.policy.json'))
    expect(contentsOfOthers(work)).toEqual(['myrmex.policy.json, which another user can change'])
  })
})

/** As in another process, which has not checked the folder yet: Node loads a module again for another query. */
const uncheckedFolderTrust = (
  query: string,
): Promise<typeof import('../../packages/myrmex/src/serve/folder-trust.ts')> =>
  import(`../../packages/myrmex/src/serve/folder-trust.ts?${query}`)

test('an operator can link .myrmex as a whole, and is asked again if it leads elsewhere', async () => {
  const disk = join(home, 'disk')
  mkdirSync(disk, { mode: 0o700 })
  symlinkSync(disk, state())
  await trustFolder(work)
  await withLedger({ ledger: state('ledger.db') }, 'create', async () => {})
  expect(readdirSync(disk)).toContain('ledger.db')
  expect(await search('search')).toEqual([])
  const first = await uncheckedFolderTrust('first')
  await first.requireFolder(work)
  rmSync(state())
  const other = join(home, 'other')
  mkdirSync(other, { mode: 0o700 })
  symlinkSync(other, state())
  const second = await uncheckedFolderTrust('second')
  await expect(second.requireFolder(work)).rejects.toThrow(
    /has \.myrmex, a link to .*other, which you have not trusted yet/,
  )
})
