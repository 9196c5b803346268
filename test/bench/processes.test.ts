/** The parts of the bench that measure other processes, each with a real one. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { runCommand } from '../../bench/audit/command.ts'
import { bytesOnDisk, RARE_TOOL, writeJournal } from '../../bench/audit/fixture.ts'
import { measureCalls } from '../../bench/host/calls.ts'
import { echo, onPort } from '../../bench/host/upstreams.ts'
import { childrenNamed, familyCpu, processStat } from '../../bench/measure/cpu.ts'

const pace = { rounds: 1, roundSeconds: 0.02, warmSeconds: 0.02, starts: 1 }

test('an official client calls the bare endpoint as it calls a gateway, every answer checked', async () => {
  const file = new URL('../../bench/host/bare-endpoint.ts', import.meta.url).pathname
  await using endpoint = await onPort('bare', 'Streamable HTTP', (port) => ({ args: [file, String(port)] }))
  const figures = await measureCalls(
    { client: 'sdk1', upstream: echo, inFlight: 16 },
    new Map([['bare', endpoint]]),
    pace,
  )
  expect(figures.get('bare')).toMatchObject({ unit: 'µs', rounds: [expect.any(Number)] })
  expect(figures.get('bare')?.driverMicros).toBeGreaterThan(0)
  const wrong = { ...echo, isRight: () => false }
  await expect(
    measureCalls({ client: 'sdk1', upstream: wrong, inFlight: 1 }, new Map([['bare', endpoint]]), pace),
  ).rejects.toThrow('gave a wrong answer to call 1')
})

test('the CPU time of a child is still counted after the child has ended', async () => {
  const busy = 'while (process.cpuUsage().user < 300_000);'
  const parent = spawn(
    process.execPath,
    [
      '-e',
      `require('child_process').execFileSync(process.execPath, ['-e', ${JSON.stringify(busy)}]); process.stdin.resume()`,
    ],
    { stdio: ['pipe', 'ignore', 'ignore'] },
  )
  try {
    const { pid = 0 } = parent
    await expect.poll(() => familyCpu(pid)).toBeGreaterThan(0.25)
    const name = processStat(pid)?.name ?? ''
    await expect.poll(() => childrenNamed(pid, name)).toEqual([])
    expect(familyCpu(pid)).toBeGreaterThan(0.25)
    expect(childrenNamed(process.pid, name)).toContain(pid)
  } finally {
    const ended = once(parent, 'exit')
    parent.stdin.end()
    await ended
  }
  expect(() => familyCpu(parent.pid ?? 0)).toThrow('is gone')
})

test('a journal of the bench is whole, and a command on it reports its time and memory', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'bench-audit-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const ledger = join(folder, 'made', 'ledger.db')
  await writeJournal(ledger, 150, { groupSize: 64 })
  expect(await bytesOnDisk(join(ledger, '..'))).toBeGreaterThan(150 * 50)
  const verified = await runCommand(['audit', 'verify', '--ledger', ledger])
  expect(verified.stdout).toContain('150')
  expect(verified.peakMegabytes).toBeGreaterThan(20)
  expect(verified.firstOutput).toBeLessThanOrEqual(verified.seconds)
  const { stdout } = await runCommand(['audit', 'query', '--ledger', ledger, '--tool', RARE_TOOL, '--json'])
  expect(stdout.trim().split('\n')).toHaveLength(2)
  await expect(runCommand(['audit', 'verify', '--ledger', `${ledger}.no`])).rejects.toThrow(/ended with \d/)
})
