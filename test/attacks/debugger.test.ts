/**
 * Attacker: another process of the same user
 * Attack: sends SIGUSR1 to a command, so that Node opens a debugger port through which every local user runs code in it.
 * Stopped by: every command ignores SIGUSR1, and one whose debugger was opened before that ends.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { CLI, fixturePath } from '@myrmex/testing/paths'
import { expect, onTestFinished, test } from 'vitest'

const TOOLS = fixturePath('shop.tools.ts')
const PING = '{"jsonrpc":"2.0","id":1,"method":"ping"}\n'
/** So that a debugger that opens takes no port that somebody else uses. */
const ANY_PORT = '--inspect-port=0'

function serve(...options: string[]) {
  const child = spawn(process.execPath, [...options, CLI, 'serve', TOOLS], { stdio: 'pipe' })
  onTestFinished(() => void child.kill('SIGKILL'))
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text))
  return { child, said: () => said }
}

test.skipIf(process.platform === 'win32')('a serving command opens no debugger', async () => {
  const { child, said } = serve(ANY_PORT)
  const answers = async (): Promise<void> => {
    child.stdin.write(PING)
    await once(child.stdout, 'data')
  }
  await answers()
  child.kill('SIGUSR1')
  await answers()
  child.stdin.end()
  expect((await once(child, 'close'))[0]).toBe(0)
  expect(said()).not.toContain('Debugger')
})

test('a command whose debugger is open without its user having asked for it ends', async () => {
  const opened = 'data:text/javascript,import inspector from "node:inspector"; inspector.open(0)'
  const { child, said } = serve('--import', opened)
  expect((await once(child, 'close'))[0]).toBe(1)
  expect(said()).toMatch(/myrmex: .*debugger/)
})
