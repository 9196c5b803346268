/** Commands whose reader goes away, as in `myrmex audit query | head -1`: they end at once, and say nothing. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runToEnd } from '@myrmex/testing/cli/run-to-end'
import { LONG } from '@myrmex/testing/long'
import { CLI, fixturePath } from '@myrmex/testing/paths'
import { afterAll, beforeAll, expect, test } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'closed-pipe-'))
const { NODE_OPTIONS: _, ...inherited } = process.env
const env = { ...inherited, MYRMEX_LEDGER: join(folder, 'ledger.db'), MYRMEX_TRUSTED_FOLDERS: tmpdir() }
const TOOLS = fixturePath('all.tools.ts')
const CALLS = LONG ? 30 : 3

beforeAll(async () => {
  writeFileSync(join(folder, 'myrmex.json'), '{"mcpServers": {}}')
  for (let count = 0; count < CALLS; count++)
    await runToEnd(['call', 'all.add', '{"a": 1, "b": 2}', '--file', TOOLS], { cwd: folder, env })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Nobody reads a byte of what it prints. */
async function unread(args: readonly string[]): Promise<{ code: number | null; stderr: string }> {
  const child = spawn(process.execPath, [CLI, ...args], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
  child.stdout.destroy()
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, stderr }
}

/** As their users type them, without the tools. */
const PRINTING = ['audit query --json', 'tools TOOLS']
const OTHERS = [
  '--help',
  'host --help',
  'audit export',
  'audit query',
  'audit tail',
  'audit verify',
  'trust status',
  'trust status --json',
  'runs list',
  'tokens list',
  'approvals list',
]

test.each([...PRINTING, ...(LONG ? OTHERS : [])])('myrmex %s | head: is quiet', async (command) => {
  const given = command.replace('TOOLS', TOOLS).split(' ')
  const whole = await runToEnd(given, { cwd: folder, env })
  expect(whole).toMatchObject({ code: 0, stdout: expect.stringMatching(/./) })
  const { code, stderr } = await unread(given)
  expect(code, stderr).toBe(0)
  expect(stderr).not.toMatch(/EPIPE|Error|\n {4}at /)
})
