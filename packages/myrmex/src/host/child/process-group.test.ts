import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { isAlive } from '@myrmex/testing/host/open-link'
import { expect, onTestFinished, test, vi } from 'vitest'
import { killGroupAndDescendants } from './process-group.ts'

const STARTS =
  "const { pid } = require('node:child_process').spawn('sleep', ['60'], { detached: true, stdio: 'ignore' }); console.log(pid); setInterval(() => {}, 1000)"

test.runIf(process.platform === 'linux')('what left the group of a child is killed with it', async () => {
  const child = spawn(process.execPath, ['-e', STARTS], { detached: true, stdio: ['ignore', 'pipe', 'ignore'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  const [line] = await once(child.stdout, 'data')
  const pids = [child.pid ?? 0, Number(line)]
  expect(pids.filter(isAlive)).toEqual(pids)
  killGroupAndDescendants(child.pid ?? 0)
  await vi.waitFor(() => expect(pids.filter(isAlive)).toEqual([]))
})
