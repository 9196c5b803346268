import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { hostFixture, isAlive } from '@myrmex/testing/host/open-link'
import { expect, onTestFinished, test, vi } from 'vitest'
import { Reaper } from './reaper.ts'

const DEAF = "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); console.log('up')"

/** A process group that ends by force alone. */
async function deaf(): Promise<number> {
  const child = spawn(process.execPath, ['-e', DEAF], { detached: true, stdio: ['ignore', 'pipe', 'ignore'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  await once(child.stdout, 'data')
  return child.pid ?? 0
}

test('no child and no grandchild outlives a host that is killed', async () => {
  const host = spawn(
    process.execPath,
    [hostFixture('process-with-children.ts'), hostFixture('misbehaving-upstream.ts')],
    {
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  )
  const [line] = await once(host.stdout, 'data')
  const { keeper, pids } = JSON.parse(String(line)) as { keeper: number; pids: number[] }
  expect(pids.filter(isAlive)).toHaveLength(4)
  host.kill('SIGKILL')
  await vi.waitFor(() => expect([keeper, ...pids].filter(isAlive)).toEqual([]))
})

test('it starts again when it is killed, and knows whom it kept, but not whom it was to forget', async () => {
  const lines: string[] = []
  const keeper = new Reaper((line) => lines.push(line))
  const [kept, forgotten] = await Promise.all([deaf(), deaf()])
  keeper.start()
  keeper.watch(kept)
  keeper.watch(forgotten)
  const first = keeper.pid ?? 0
  process.kill(first, 'SIGKILL')
  await vi.waitFor(() => expect(keeper.pid).not.toBe(first))
  await vi.waitFor(() => expect(lines).toEqual(['The child process reaper ended (SIGKILL).']))
  keeper.forget(forgotten)
  await keeper.close()
  await vi.waitFor(() => expect(isAlive(kept)).toBe(false))
  expect(isAlive(forgotten)).toBe(true)
})

const STRAYS =
  "const { pid } = require('node:child_process').spawn('sleep', ['60'], { detached: true, stdio: 'ignore' }); console.log(pid); setInterval(() => {}, 1000)"

test('what has left the group of a child ends with it', async () => {
  const child = spawn(process.execPath, ['-e', STRAYS], { detached: true, stdio: ['ignore', 'pipe', 'ignore'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  const [line] = await once(child.stdout, 'data')
  const stray = Number(line)
  const keeper = new Reaper()
  keeper.start()
  keeper.watch(child.pid ?? 0)
  expect(isAlive(stray)).toBe(true)
  await keeper.close()
  await vi.waitFor(() => expect([stray, child.pid ?? 0].filter(isAlive)).toEqual([]))
})

test('it needs no process where nothing was started', async () => {
  const keeper = new Reaper()
  expect(keeper.pid).toBeUndefined()
  await keeper.close()
})
