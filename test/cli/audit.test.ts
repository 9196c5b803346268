/** `myrmex audit` as people type it: real processes on a real ledger. */

import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { type CommandEnd, runToEnd } from '@myrmex/testing/cli/run-to-end'
import { recordGroup, recordSample, sampleLine } from '@myrmex/testing/ledger/sample-audit'
import { longTest } from '@myrmex/testing/long'
import { CLI, fixturePath } from '@myrmex/testing/paths'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openLedger } from '../../packages/myrmex/src/ledger/open.ts'
import { openExisting } from '../../packages/myrmex/src/ledger/open-existing.ts'
import { canonical } from '../../packages/myrmex/src/protocol/canonical.ts'

const TOOLS = fixturePath('all.tools.ts')

let folder: string
let ledger: string
let approval: string
const environment = (): NodeJS.ProcessEnv => ({ ...process.env, MYRMEX_LEDGER: ledger, NO_COLOR: '1', TZ: 'UTC' })

const myrmex = (...args: string[]): Promise<CommandEnd> => runToEnd(args, { cwd: folder, env: environment() })

/** Five calls: two a person made with the command, three that were recorded long ago. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'myrmex-audit-cli-'))
  ledger = join(folder, 'ledger.db')
  const opened = await openLedger(ledger)
  const first = sampleLine(1)
  const args_hash = createHash('sha256').update(canonical(first.args)).digest('hex')
  const refund = { tool: 'shop.refund', version: '1.0.0', hash: 'definition', args_hash, principal: 'local' }
  approval = (await opened.approvals.request(refund, '{}', 'It changes state.')).id
  await opened.approvals.approve(approval, 'ann')
  await opened.approvals.use(refund, first.call_id)
  await recordGroup(opened, [
    { ...first, tool: 'shop.refund', approval, duration_ms: 1500 },
    sampleLine(2, { principal: 'ada\u001b[2J', outcome: 'partial_success', version: null, tool: 'no such\ntool' }),
    sampleLine(3, { tool: '=cmd()', args: { a: 'x,"y"' } }),
  ])
  await opened.close()
  await myrmex('call', 'all.add', '{"a": 1, "b": 2}', '--file', TOOLS)
  await myrmex('call', 'all.add', '{"a": 1}', '--file', TOOLS)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const rows = (text: string): string[] => text.trimEnd().split('\n')
/** On a busy machine a command may say how far it is. */
const withoutProgress = (stderr: string): string =>
  stderr.replace(/^[\d,]+ records (indexed|checked|compared with the index)\n/gm, '')

describe('tail', () => {
  test('prints a short line a call, aligned, the newest last', async () => {
    const { stdout } = await myrmex('audit', 'tail')
    expect(rows(stdout).slice(0, 3)).toEqual([
      `2026-03-31 12:00:00  success          shop.refund@1.0.0  local    stdio   1,500 ms  approval ${approval}`,
      '2026-03-31 12:00:00  partial_success  no such tool       ada\ufffd[2J  stdio       2 ms',
      '2026-03-31 12:00:00  success          =cmd()@1.0.0       ada      stdio       3 ms',
    ])
    expect(rows(stdout).at(-1)).toMatch(
      /^\d{4}-.* {2}failure +all\.add@1\.0\.0 +local +direct +\d+ ms {2}SchemaError {2}says it is myrmex$/,
    )
  })

  test('--follow prints calls as they come in, and Ctrl-C ends it in order', async () => {
    const child = spawn(process.execPath, [CLI, 'audit', 'tail', '-n', '0', '--follow', '--json'], {
      cwd: folder,
      env: environment(),
    })
    const exited = once(child, 'exit')
    const opened = await openLedger(ledger)
    const line = firstLine(child)
    // It may not be looking yet: calls come in until one is seen.
    let seen = false
    void line.then(() => {
      seen = true
    })
    for (let number = 100; !seen; number++) {
      await recordGroup(opened, [sampleLine(number, { tool: 'late.call', time: Date.now() })])
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    expect(JSON.parse(await line)).toMatchObject({ tool: 'late.call', outcome: 'success' })
    await opened.close()
    child.kill('SIGINT')
    expect(await exited).toEqual([0, null])
  })

  test('it ends quietly when its reader closes the pipe', async () => {
    const child = spawn(process.execPath, [CLI, 'audit', 'tail', '--follow'], { cwd: folder, env: environment() })
    let stderr = ''
    child.stderr.on('data', (chunk) => {
      stderr += chunk
    })
    const exited = once(child, 'exit')
    await once(child.stdout, 'data')
    child.stdout.destroy()
    const opened = await openLedger(ledger)
    for (let number = 2000; child.exitCode === null; number++) {
      await recordGroup(opened, [sampleLine(number, { time: Date.now() })])
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    await opened.close()
    expect(await exited).toEqual([0, null])
    expect(withoutProgress(stderr)).toBe('')
  })

  const firstLine = (child: ChildProcess): Promise<string> =>
    new Promise((resolve) => {
      let text = ''
      child.stdout?.on('data', (chunk) => {
        text += chunk
        if (text.includes('\n')) resolve(text.slice(0, text.indexOf('\n')))
      })
    })
})

describe('query', () => {
  test('finds calls, and shows one that is found alone in full', async () => {
    const both = await myrmex('audit', 'query', '--tool', 'all.*', '--since', '1h')
    expect(rows(both.stdout)).toHaveLength(2)
    const one = await myrmex('audit', 'query', '--error', 'SchemaError')
    expect(one.stdout).toMatch(/^call {12}\S+\noutcome {9}failure\n/)
    expect(one.stdout).toMatch(
      /\nprincipal {7}local over direct\nclient {10}myrmex\nclient version {2}\S+\nsession {9}\S+\narguments {7}SHA-256 /,
    )
    expect(one.stdout).toContain('\nargs\n{\n  "a": 1\n}\n\nerror\n')
    const none = await myrmex('audit', 'query', '--until', '2026-03-30')
    expect(none).toMatchObject({ code: 0, stdout: 'no matching calls\n' })
  })

  test('--json gives the records as they are, each with its place', async () => {
    const { stdout, stderr } = await myrmex('audit', 'query', '--until', '2026-03-31', '--limit', '2', '--json')
    const found = rows(stdout).map((row) => JSON.parse(row))
    expect(found).toMatchObject([{ call_id: 'call-2' }, { call_id: 'call-3', args: { a: 'x,"y"' } }])
    expect(found.map(({ record }) => record)).toEqual([
      expect.stringMatching(/^\w{12}\/\d+\/1$/),
      expect.stringMatching(/^\w{12}\/\d+\/2$/),
    ])
    expect(withoutProgress(stderr)).toBe('myrmex: showing the newest 2; for more, raise --limit\n')
  })
})

describe('export', () => {
  test('writes JSON lines, and CSV that a spreadsheet cannot be tricked by', async () => {
    const jsonl = await myrmex('audit', 'export', '--until', '2026-03-31')
    expect(rows(jsonl.stdout).map((row) => JSON.parse(row).call_id)).toEqual(['call-1', 'call-2', 'call-3'])
    const csv = await myrmex('audit', 'export', '--until', '2026-03-31', '--format', 'csv')
    expect(rows(csv.stdout)[0]).toMatch(
      /^record,time,call_id,tool,version,principal,profile,transport,client,client_version,session,outcome,error_type,duration_ms,/,
    )
    expect(csv.stdout).toMatch(
      /\n\w{12}\/4\/2,2026-03-31T12:00:00\.003Z,call-3,'=cmd\(\),1\.0\.0,ada,,stdio,,,,success,,3,/,
    )
    expect(csv.stdout).toContain(`"{""a"":""x,\\""y\\""""}"`)
  })

  longTest('a file with --proof is verified without the ledger, and is not written over', async () => {
    const out = join(folder, 'proof.jsonl')
    expect(await myrmex('audit', 'export', '--proof', '--out', out)).toMatchObject({ code: 0, stdout: '' })
    expect((await stat(out)).mode & 0o777).toBe(0o600)
    const whole = await myrmex('audit', 'verify', '--file', out)
    expect(whole).toMatchObject({ code: 0, stdout: expect.stringMatching(/^The export verifies: \d+ records in /) })
    expect(whole.stdout).toContain('The keys are those that the file itself names: --key checks whose they are.')
    const [, id = ''] = /\nkey {3}(\w+) \(\d+ signatures\)\n/.exec(whole.stdout) ?? []
    const pinned = await myrmex('audit', 'verify', '--file', out, '--key', id)
    expect(pinned).toMatchObject({ code: 0, stdout: expect.not.stringContaining('itself names') })
    expect(await myrmex('audit', 'verify', '--file', out, '--key', '0123456789abcdef')).toMatchObject({ code: 1 })
    expect(await myrmex('audit', 'export', '--out', out)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('it exists already and is not overwritten'),
    })
    await writeFile(out, (await readFile(out, 'utf8')).replace('"call-2"', '"call-x"'))
    const altered = await myrmex('audit', 'verify', '--file', out)
    expect(altered.code).toBe(1)
    expect(altered.stdout).toMatch(
      /^The export does not verify\.\n {2}Group 4 of chain \w{12} was altered: its hash does not match\.\n$/,
    )
    const part = await myrmex('audit', 'export', '--proof', '--until', '2026-03-31')
    await writeFile(join(folder, 'part.jsonl'), part.stdout)
    expect(await myrmex('audit', 'verify', '--file', join(folder, 'part.jsonl'))).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(
        /^The export verifies: 3 records in [\s\S]*The file has a part of the journal: it proves/,
      ),
    })
  })
})

describe('verify', () => {
  test('says that all is well, what the heads are, and what that does not prove', async () => {
    const { code, stdout } = await myrmex('audit', 'verify')
    expect(code).toBe(0)
    expect(stdout).toMatch(
      /^The audit is complete: \d+ records in \d+ groups of \d+ chains, every MAC checked, signed to the end\.\nhead {2}\w{12}:\d+:[\w-]{43}\n/,
    )
    const text = stdout.replace(/\s+/g, ' ')
    expect(text).toContain("Nobody without the ledger's key has altered, inserted or removed a record.")
    expect(text).toContain('who has the key, can only be detected with anchors or heads that were stored elsewhere')
    expect(stdout).not.toContain('immutable')
    const [, head = '', id = ''] = /head {2}(\S+)\n(?:head.*\n)*key {3}(\w+)/.exec(stdout) ?? []
    expect(await myrmex('audit', 'verify', '--head', head, '--key', id)).toMatchObject({ code: 0 })
    const json = await myrmex('audit', 'verify', '--key', join(folder, 'ledger.key'), '--json')
    expect(JSON.parse(json.stdout)).toMatchObject({
      ok: true,
      defect: null,
      keyed: true,
      seals: { [id]: expect.any(Number) },
    })
    const rewritten = await myrmex('audit', 'verify', '--head', head.replace(/.{43}$/, 'A'.repeat(43)))
    expect(rewritten).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/is not the one that the head that was\s+noted/),
    })
  })

  test('without the key checks signatures, and says so', async () => {
    const copy = await copyOfLedger('elsewhere/ledger')
    const { code, stdout } = await myrmex('audit', 'verify', '--ledger', `${copy}.db`)
    expect(code).toBe(0)
    expect(stdout).toMatch(/^The audit is complete: .*, checked by signatures only, signed to the end\./)
    expect(stdout.replace(/\s+/g, ' ')).toContain(
      `There is no readable key at ${join(folder, 'elsewhere/ledger.key')}, so MACs were not checked.`,
    )
  })

  test('a key file that was named must exist', async () => {
    const none = join(folder, 'none.key')
    const { code, stdout, stderr } = await myrmex('audit', 'verify', '--ledger-key', none)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain(`The ledger's key ${none} does not exist. Restore it, or name it with --ledger-key.`)
  })

  test('names what is wrong and exits 1', async () => {
    const copy = await copyOfLedger('altered')
    const name = (await readdir(`${copy}.journal`)).filter((one) => one.endsWith('.jsonl')).sort()[0] as string
    const segment = join(`${copy}.journal`, name)
    await writeFile(segment, (await readFile(segment, 'utf8')).replace('call-2', 'call-x'))
    const { code, stdout } = await myrmex('audit', 'verify', '--ledger', `${copy}.db`)
    expect({ code, stdout: stdout.replace(/\s+/g, ' ') }).toEqual({
      code: 1,
      stdout: `The audit does not verify. Group 4 of segment ${name} was altered: its MAC does not match. `,
    })
  })
})

/** A ledger that nobody else has, by its path without an ending. */
async function copyOfLedger(name: string): Promise<string> {
  const copy = join(folder, name)
  await mkdir(dirname(copy), { recursive: true })
  await cp(ledger, `${copy}.db`)
  await cp(join(folder, 'ledger.journal'), `${copy}.journal`, { recursive: true })
  return copy
}

describe('accept-break', () => {
  longTest('without --yes nothing is changed, not even with a new key', async () => {
    const copy = await copyOfLedger('lost/ledger')
    const accept = ['audit', 'accept-break', '--ledger', `${copy}.db`, '--reason', 'the key is lost', '--new-key']
    const { code, stdout } = await myrmex(...accept)
    expect(code).toBe(0)
    expect(stdout).toMatch(
      /^The ledger's key \S+ does not exist\. With --yes a new one is created there\.\nNothing was changed\./,
    )
    expect(await readdir(join(folder, 'lost'))).not.toContain('ledger.key')
    expect(await myrmex('audit', 'verify', '--ledger', `${copy}.db`)).toMatchObject({ code: 0 })
    expect((await myrmex(...accept, '--yes')).stdout).toMatch(/\naccepted by /)
    const verified = await myrmex('audit', 'verify', '--ledger', `${copy}.db`)
    expect(verified.code).toBe(0)
    expect(verified.stdout.replace(/\s+/g, ' ')).toContain('Some chains were written with another key')
  })

  test('leaves a ledger that verifies and names the break', async () => {
    const at = ['--ledger', `${await copyOfLedger('cut')}.db`, '--ledger-key', join(folder, 'ledger.key')]
    await myrmex('audit', 'query', ...at)
    const [first = ''] = (await readdir(join(folder, 'cut.journal'))).filter((one) => one.endsWith('.jsonl')).sort()
    // The decisions before it are left.
    const path = join(folder, 'cut.journal', first)
    await truncate(path, (await readFile(path, 'utf8')).indexOf('call-2'))
    expect(await myrmex('audit', 'verify', ...at)).toMatchObject({ code: 1 })
    expect(await myrmex('audit', 'accept-break', '--reason', 'a bad disk', '--yes', ...at)).toMatchObject({ code: 0 })
    const { code, stdout } = await myrmex('audit', 'verify', ...at)
    expect(stdout.replace(/\s+/g, ' ')).toMatch(/^The audit verifies, except for 1 accepted break: .*a bad disk/)
    expect(code).toBe(0)
  })

  test('needs a reason', async () => {
    const { code, stderr } = await myrmex('audit', 'accept-break', '--reason', ' ')
    expect(code).toBe(1)
    expect(stderr).toContain('--reason is empty')
  })
})

describe('reindex', () => {
  const change = (path: string, sql: string): void => {
    const database = new DatabaseSync(path)
    database.exec(sql)
    database.close()
  }

  longTest('makes an index right again that somebody has changed', async () => {
    const copy = await copyOfLedger('reindexed')
    const at = ['--ledger', `${copy}.db`]
    const old = ['--tool', 'shop.refund', '--until', '2026-03-31']
    const refunds = async () => (await myrmex('audit', 'query', ...old, '--json', ...at)).stdout
    expect(rows(await refunds())).toHaveLength(1)
    change(join(`${copy}.journal`, 'index.db'), `DELETE FROM journal_records WHERE tool = 'shop.refund'`)
    expect(await refunds()).toBe('')
    const found = await myrmex('audit', 'verify', ...at)
    expect(found.code).toBe(1)
    expect(found.stdout.replace(/\s+/g, ' ')).toMatch(
      /The index does not match record \w+\/4\/0: queries may miss calls; run myrmex audit reindex\./,
    )
    expect(await myrmex('audit', 'reindex', ...at)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^The index was made again: \d+ records\.\n$/),
    })
    expect(rows(await refunds())).toHaveLength(1)
    expect(await myrmex('audit', 'verify', ...at)).toMatchObject({ code: 0 })
  })

  longTest('--decisions makes the tables of decisions right again', async () => {
    const address = join(folder, 'decided', 'ledger.db')
    const opened = await openLedger(address)
    await opened.trust.set({ tool: 'shop.refund', version: '1.0.0', hash: 'a' }, 'untrusted', 'olga')
    await opened.close()
    change(address, `UPDATE trust SET level = 'trusted'`)
    const found = await myrmex('audit', 'verify', '--ledger', address)
    expect(found.code).toBe(1)
    expect(found.stdout.replace(/\s+/g, ' ')).toMatch(
      /The row of trust shop\.refund 1\.0\.0 was altered: its level "trusted" is not what decision \S+ says\./,
    )
    expect(await myrmex('audit', 'reindex', '--decisions', '--ledger', address)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('The tables of trust, grants and approvals were made again from 1 decision.'),
    })
    expect(await myrmex('audit', 'verify', '--ledger', address)).toMatchObject({ code: 0 })
    const reader = await openExisting(address, { readOnly: true })
    expect(await reader.trust.decisions()).toMatchObject([{ tool: 'shop.refund', level: 'untrusted', set_by: 'olga' }])
    await reader.close()
  })
})

describe('prune', () => {
  /** Two chains of old records. The first has ended, and the second links to it. */
  async function oldLedger(name: string): Promise<string> {
    const address = join(folder, name, 'ledger.db')
    for (const lines of [5, 2]) {
      const opened = await openLedger(address)
      await recordSample(opened, [{ lines }])
      await opened.close()
    }
    return address
  }

  longTest('reports what it would remove, and removes it with --yes', async () => {
    const old = await oldLedger('old')
    const prune = (...args: string[]): Promise<CommandEnd> => myrmex('audit', 'prune', '--ledger', old, ...args)
    expect((await prune('--before', '2026-03-31')).stdout).toMatch(
      /^Nothing to remove: no complete segment is older than 2026-03-31 00:00:00/,
    )
    expect((await prune('--keep-days', '0')).stdout).toBe(
      'Would remove 1 segment with 5 records of 2026-03-31. Nothing was removed. Add --yes to remove them.\n',
    )
    const keyless = await prune('--keep-days', '0', '--yes', '--ledger-key', join(folder, 'none.key'))
    expect(keyless).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('none.key does not exist. Name the key with --ledger-key.'),
    })
    const removed = await prune('--keep-days', '0', '--yes')
    expect(removed.stdout).toMatch(/^Removed 1 segment with 5 records of 2026-03-31\. /)
    const { code, stdout } = await myrmex('audit', 'verify', '--ledger', old)
    expect(code).toBe(0)
    expect(stdout).toMatch(/2 records in \d+ groups of 1 chain, .*; 5 older records pruned, as a signed stub states\./)
  })

  longTest('keeps what does not verify, says why, and exits 1', async () => {
    const old = await oldLedger('old-altered')
    const journal = join(folder, 'old-altered', 'ledger.journal')
    const [first = ''] = (await readdir(journal)).filter((one) => one.endsWith('.jsonl')).sort()
    await writeFile(join(journal, first), (await readFile(join(journal, first), 'utf8')).replace('call-2', 'call-x'))
    const { code, stdout } = await myrmex('audit', 'prune', '--ledger', old, '--keep-days', '0', '--yes')
    expect(code).toBe(1)
    expect(stdout.replace(/\s+/g, ' ')).toMatch(
      /^Chain \w{12} was kept, because it does not verify\. Group 2 of segment \S+ was altered: its MAC does not match\. $/,
    )
  })
})

const manifest = fileURLToPath(new URL('../../package.json', import.meta.url))

test.each([
  [['tail', '--ledger', 'nowhere/ledger.db'], /FileNotFoundError: There is no ledger at nowhere\/ledger\.db/],
  [['tail', '-n', 'many'], /Enter a whole number/],
  [['query', '--since', 'yesterday'], /Invalid time "yesterday"/],
  [['query', '--outcome', 'good'], /Allowed choices are success, failure/],
  [['export', '--proof', '--format', 'csv'], /CSV cannot carry a proof/],
  [['verify', '--head', '5'], /--head must be CHAIN:GROUP:HASH/],
  [['verify', '--key', manifest], /--key \S+package\.json: This is not a key in PEM format\./],
  [['verify', '--anchors', '.'], /--anchors \. cannot be read: it is a folder/],
  [['verify', '--file', '.'], /: \. cannot be read: it is a folder/],
  [['query', '--limit', '0'], /Enter a whole number, 1 or more/],
  [['query', '--since', '1h', '--until', '2h'], /The period is empty: it begins \(1h\) after it ends \(2h\)/],
  [['export', '--since', '1h', '--until', '2h'], /The period is empty/],
  [['verify', '--file', 'none.jsonl'], /none\.jsonl cannot be read/],
  [['verify', '--ledger', manifest], /the file is not a ledger/],
  [['prune'], /Add --before with a date, or --keep-days/],
])('myrmex audit %j says what is wrong and exits 1', async (args, message) => {
  const { code, stderr } = await myrmex('audit', ...args)
  expect(stderr).toMatch(message)
  expect(stderr).not.toMatch(/\n\s+at /)
  expect(code).toBe(1)
})
