/** `myrmex audit` as people type it: real processes on a real ledger. */

import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { recordGroup, recordSample, sampleLine } from '@myrmex/testing/ledger/sample-audit'
import { longTest } from '@myrmex/testing/long'
import { CLI, fixturePath } from '@myrmex/testing/paths'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openLedger } from '../../packages/myrmex/src/ledger/open.ts'

const TOOLS = fixturePath('all.tools.ts')

interface Ran {
  code: number
  stdout: string
  stderr: string
}

let folder: string
let ledger: string
const environment = (): NodeJS.ProcessEnv => ({ ...process.env, MYRMEX_LEDGER: ledger, NO_COLOR: '1', TZ: 'UTC' })

const myrmex = (...args: string[]): Promise<Ran> =>
  new Promise((resolve) => {
    execFile(process.execPath, [CLI, ...args], { cwd: folder, env: environment() }, (error, stdout, stderr) =>
      resolve({ code: Number((error as { code?: number } | null)?.code ?? 0), stdout, stderr }),
    )
  })

/** Five calls: two a person made with the command, three that were recorded long ago. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'myrmex-audit-cli-'))
  ledger = join(folder, 'ledger.db')
  const opened = await openLedger(ledger)
  await recordGroup(opened, [
    sampleLine(1, { tool: 'shop.refund', approval: 'k4m2xx9abc', duration_ms: 1500 }),
    sampleLine(2, { principal: 'ada\u001b[2J', outcome: 'partial_success', version: null, tool: 'no such\ntool' }),
    sampleLine(3, { tool: '=cmd()', args: { a: 'x,"y"' } }),
  ])
  await opened.close()
  await myrmex('call', 'all.add', '{"a": 1, "b": 2}', '--file', TOOLS)
  await myrmex('call', 'all.add', '{"a": 1}', '--file', TOOLS)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const rows = (text: string): string[] => text.trimEnd().split('\n')

describe('tail', () => {
  test('prints a short line a call, aligned, the newest last', async () => {
    const { stdout } = await myrmex('audit', 'tail')
    expect(rows(stdout).slice(0, 3)).toEqual([
      '2026-03-31 12:00:00  success          shop.refund@1.0.0  local    stdio   1,500 ms  approval k4m2xx9abc',
      '2026-03-31 12:00:00  partial_success  no such tool       ada\ufffd[2J  stdio       2 ms',
      '2026-03-31 12:00:00  success          =cmd()@1.0.0       ada      stdio       3 ms',
    ])
    expect(rows(stdout).at(-1)).toMatch(/^\d{4}-.* {2}failure +all\.add@1\.0\.0 +local +direct +\d+ ms {2}SchemaError$/)
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
    expect(stderr).toBe('')
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
    expect(one.stdout).toMatch(/^call {7}\S+\noutcome {4}failure\n/)
    expect(one.stdout).toContain('principal  local over direct\narguments  SHA-256 ')
    expect(one.stdout).toContain('\nargs\n{\n  "a": 1\n}\n\nerror\n')
    const none = await myrmex('audit', 'query', '--until', '2026-03-30')
    expect(none).toMatchObject({ code: 0, stdout: 'no matching calls\n' })
  })

  test('--json gives the lines as they are', async () => {
    const { stdout, stderr } = await myrmex('audit', 'query', '--until', '2026-03-31', '--limit', '2', '--json')
    expect(rows(stdout).map((row) => JSON.parse(row).line)).toEqual([2, 3])
    expect(stderr).toBe('myrmex: showing the newest 2; for more, raise --limit\n')
  })
})

describe('export', () => {
  test('writes JSON lines, and CSV that a spreadsheet cannot be tricked by', async () => {
    const jsonl = await myrmex('audit', 'export', '--until', '2026-03-31')
    expect(rows(jsonl.stdout).map((row) => JSON.parse(row).call_id)).toEqual(['call-1', 'call-2', 'call-3'])
    const csv = await myrmex('audit', 'export', '--until', '2026-03-31', '--format', 'csv')
    expect(rows(csv.stdout)[0]).toMatch(/^line,time,call_id,tool,version,principal,/)
    expect(csv.stdout).toContain(`\n3,2026-03-31T12:00:00.003Z,call-3,'=cmd(),1.0.0,ada,stdio,success,,3,`)
    expect(csv.stdout).toContain(`"{""a"":""x,\\""y\\""""}"`)
  })

  longTest('a file with --proof is verified without the ledger, and is not written over', async () => {
    const out = join(folder, 'proof.jsonl')
    expect(await myrmex('audit', 'export', '--proof', '--out', out)).toMatchObject({ code: 0, stdout: '' })
    expect((await stat(out)).mode & 0o777).toBe(0o600)
    const whole = await myrmex('audit', 'verify', '--file', out)
    expect(whole).toMatchObject({ code: 0, stdout: expect.stringMatching(/^The export is complete: /) })
    expect(await myrmex('audit', 'export', '--out', out)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('it exists already and is not overwritten'),
    })
    await writeFile(out, (await readFile(out, 'utf8')).replace('"call-2"', '"call-x"'))
    const altered = await myrmex('audit', 'verify', '--file', out)
    expect(altered.code).toBe(1)
    expect(altered.stdout).toBe(
      'The export does not verify.\n' +
        '  Group 1 (lines 1 to 3) was altered: its hash does not fit its lines.\n' +
        '  No signature covers the records before that.\n',
    )
  })
})

describe('verify', () => {
  test('says that all is well, what the head is, and what that does not prove', async () => {
    const { code, stdout } = await myrmex('audit', 'verify')
    expect(code).toBe(0)
    expect(stdout).toMatch(
      /^The audit is complete: \d+ lines in \d+ groups, signed to the end\.\nhead {2}\d+:[0-9a-f]{64}\nkey /,
    )
    expect(stdout.replace(/\s+/g, ' ')).toContain(
      'Anybody with the private key can rewrite the records from any point on',
    )
    expect(stdout).not.toContain('immutable')
    const [, head = '', id = ''] = /head {2}(\S+)\nkey {3}(\w+)/.exec(stdout) ?? []
    expect(await myrmex('audit', 'verify', '--head', head, '--key', id)).toMatchObject({ code: 0 })
    const json = await myrmex('audit', 'verify', '--key', join(folder, 'ledger.key'), '--json')
    expect(JSON.parse(json.stdout)).toMatchObject({ ok: true, defect: null, seals: { [id]: expect.any(Number) } })
  })

  test('names what is wrong and exits 1', async () => {
    const copy = join(folder, 'copy.db')
    await cp(ledger, copy)
    const database = new DatabaseSync(copy)
    database.exec('DELETE FROM audit_groups WHERE seq = 2')
    database.close()
    const { code, stdout } = await myrmex('audit', 'verify', '--ledger', copy)
    expect({ code, stdout }).toEqual({
      code: 1,
      stdout:
        'The audit does not verify.\n  Group 2 (line 4) is missing.\n  Up to group 1 (line 3) everything is complete and signed.\n',
    })
  })
})

longTest('prune reports what it would remove, and removes it with --yes', async () => {
  const old = join(folder, 'old', 'ledger.db')
  const opened = await openLedger(old)
  await recordSample(
    opened,
    Array.from({ length: 1030 }, () => ({ lines: 1 })),
  )
  await opened.close()
  const prune = (...args: string[]): Promise<Ran> => myrmex('audit', 'prune', '--ledger', old, ...args)
  expect((await prune('--before', '2026-03-31')).stdout).toMatch(
    /^Nothing to remove: no complete segment is older than 2026-03-31 00:00:00/,
  )
  const would = await prune('--before', '2026-04-01')
  expect(would.stdout).toBe(
    'Would remove 1 segment: lines 1 to 1,024, 2026-03-31 to 2026-03-31. Nothing was removed. Add --yes to remove them.\n',
  )
  const keyless = await prune('--before', '2026-04-01', '--yes', '--ledger-key', join(folder, 'none.key'))
  expect(keyless).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('none.key does not exist. Name the key with --ledger-key.'),
  })
  expect((await prune('--keep-days', '0', '--yes')).stdout).toMatch(/^Removed 1 segment: lines 1 to 1,024/)
  const { code, stdout } = await myrmex('audit', 'verify', '--ledger', old)
  expect(code).toBe(0)
  expect(stdout).toMatch(
    /6 lines in 6 groups, signed to the end; 1,024 older lines pruned, with signed stubs in their place\./,
  )
})

const manifest = fileURLToPath(new URL('../../package.json', import.meta.url))

test.each([
  [['tail', '--ledger', 'nowhere/ledger.db'], /FileNotFoundError: There is no ledger at nowhere\/ledger\.db/],
  [['tail', '-n', 'many'], /Enter a whole number/],
  [['query', '--since', 'yesterday'], /Invalid time "yesterday"/],
  [['query', '--outcome', 'good'], /Allowed choices are success, failure/],
  [['export', '--proof', '--format', 'csv'], /CSV cannot carry a proof/],
  [['verify', '--head', '5'], /--head must be SEQ:HASH/],
  [['verify', '--key', manifest], /not a key for checking signatures/],
  [['verify', '--file', 'none.jsonl'], /none\.jsonl cannot be read/],
  [['verify', '--ledger', manifest], /the file is not a ledger/],
  [['prune'], /Add --before with a date, or --keep-days/],
])('myrmex audit %j says what is wrong and exits 1', async (args, message) => {
  const { code, stderr } = await myrmex('audit', ...args)
  expect(stderr).toMatch(message)
  expect(stderr).not.toMatch(/\n\s+at /)
  expect(code).toBe(1)
})
