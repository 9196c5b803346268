/** `myrmex approvals watch`: lines as calls come, and on a terminal a list whose keys decide. */

import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { inTerminal, PTY, PTY_NOTE } from '@myrmex/testing/cli/pty'
import { StartedCommand } from '@myrmex/testing/cli/run-command'
import { refund } from '@myrmex/testing/fixtures/shop.tools'
import { definitionOf, ledgerFile } from '@myrmex/testing/gated-server'
import { CLI } from '@myrmex/testing/paths'
import { expect, onTestFinished, test } from 'vitest'
import { canonical } from '../../packages/myrmex/src/protocol/canonical.ts'

async function begin() {
  const file = ledgerFile()
  const ledger = await file.open()
  await ledger.trust.recordDefinitions([refund])
  let count = 0
  const ask = async (args: object): Promise<string> => {
    const exact = { ...definitionOf(refund), args_hash: `hash-${++count}`, principal: 'local' }
    return (await ledger.approvals.request(exact, canonical(args), 'it changes state', undefined, true)).id
  }
  const env = {
    ...process.env,
    NO_COLOR: '1',
    TZ: 'UTC',
    MYRMEX_LEDGER: join(file.folder, 'ledger.db'),
    EDITOR: `sed -i 's/5/3/'`,
    VISUAL: '',
  }
  return { file, ledger, ask, env }
}

test('prints a line for each call that waits, and for each that comes, until it is stopped', async () => {
  const { file, ask, env } = await begin()
  const first = await ask({ order: 'A1', amount: 5 })
  const child = spawn(process.execPath, [CLI, 'approvals', 'watch'], { cwd: file.folder, env, stdio: 'pipe' })
  onTestFinished(() => void child.kill('SIGKILL'))
  const command = new StartedCommand(child)
  await command.prints(`${first}  shop.refund 1.0.0 for local  {"amount":5,"order":"A1"}\n`)
  const second = await ask({ order: 'A2', amount: 6 })
  await command.prints(`${second}  shop.refund`)
  child.kill('SIGTERM')
  expect(await command.ended).toMatchObject({ code: 0 })
})

test.each([
  ['its reader is gone', (child: ChildProcess) => void child.stdout?.destroy()],
  ['Ctrl-C', (child: ChildProcess) => void child.kill('SIGINT')],
])('ends without a word at the next line or at once: %s', async (_, end) => {
  const { file, ask, env } = await begin()
  const first = await ask({ order: 'A1', amount: 5 })
  const child = spawn(process.execPath, [CLI, 'approvals', 'watch'], { cwd: file.folder, env, stdio: 'pipe' })
  onTestFinished(() => void child.kill('SIGKILL'))
  const command = new StartedCommand(child)
  await command.prints(first)
  end(child)
  await ask({ order: 'A2', amount: 6 })
  expect(await command.ended).toMatchObject({ code: 0, stderr: '' })
})

test.runIf(PTY)(`on a terminal rings, selects, edits, approves and denies by keys${PTY_NOTE}`, async () => {
  const { file, ledger, ask, env } = await begin()
  const first = await ask({ order: 'A1', amount: 5 })
  const command = inTerminal([process.execPath, CLI, 'approvals', 'watch'], file.folder, env)
  let seen = 0
  /** Its output after the last text that was waited for. */
  const prints = async (text: string): Promise<void> => {
    await expect.poll(() => command.stdout.indexOf(text, seen), { timeout: 20_000 }).toBeGreaterThan(-1)
    seen = command.stdout.indexOf(text, seen) + text.length
  }
  await prints(`> ${first}`)
  const second = await ask({ order: 'A2', amount: 5 })
  await prints('\u0007')
  await prints('2 calls waiting for approval')
  command.type('j')
  await prints(`> ${second}`)
  command.type('e')
  await prints('with the changed arguments? [y/N]')
  command.type('y\n')
  await prints('Press Enter')
  command.type('\n')
  await prints('1 call waiting for approval')
  command.type('d')
  await prints('Why not?')
  command.type('too much\n')
  await prints('Press Enter')
  command.type('\n')
  await prints('nothing waits for approval')
  command.type('q')
  expect(await command.ended).toMatchObject({ code: 0 })
  expect(await ledger.approvals.find(second)).toMatchObject({
    status: 'approved',
    edited_args: '{"amount":3,"order":"A2"}',
  })
  expect(await ledger.approvals.find(first)).toMatchObject({ note: 'too much' })
})
