/** A client on stdio with a host of its own on the same ledger. It makes a few calls and ends as clients do: in order, by closing its pipes, or killed. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { SeededRandom } from '../crash/seeded-random.ts'
import { StdioConnection } from '../crash/server/stdio-connection.ts'
import type { Tally } from './tally.ts'

const CALLS = 10

export async function stdioClient(
  args: readonly string[],
  folder: string,
  tool: string,
  random: SeededRandom,
  tally: Tally,
): Promise<void> {
  const child = spawn(process.execPath, args, { cwd: folder, stdio: ['pipe', 'pipe', 'pipe'] })
  const kill = (): void => void child.kill('SIGKILL')
  process.once('exit', kill)
  const exited = once(child, 'exit')
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-2000)
  })
  child.stdin.on('error', () => {})
  const connection = new StdioConnection(child, random.often(0.5) ? 'modern' : 'legacy', () => {})
  if (!(await connection.greet())) tally.problem(`a host on stdio ended before it answered: ${said}`)
  const calls = Array.from({ length: CALLS }, (_, a) =>
    connection.ask({ method: 'tools/call', params: { name: tool, arguments: { a, b: 1 } } }).then((response) => {
      if (response !== undefined) tally.answer(response)
    }),
  )
  // The rest of the calls is in flight when it ends.
  await Promise.all(calls.slice(0, random.between(0, CALLS)))
  tally.count('stdio clients')
  if (random.often(0.5)) kill()
  else child.stdin.destroy()
  await Promise.all([exited, ...calls])
  process.off('exit', kill)
}
