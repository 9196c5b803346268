import { isAlive, misbehavingUpstream, openTestLink } from '@myrmex/testing/host/open-link'
import { withTimeLimit } from '@myrmex/testing/time-limit'
import { expect, onTestFinished, test, vi } from 'vitest'
import { Scrubber } from '../link/scrubber.ts'
import { Child } from './child.ts'
import { LogSanitiser } from './log-sanitiser.ts'

const pidOf = async (link: { request(method: string, params: object): Promise<object> }): Promise<number> =>
  ((await link.request('child', {})) as { pid: number }).pid

test('a child knows of our environment what is safe and what it was given, nothing else', async () => {
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'not for children')
  vi.stubEnv('HOME', '() { :; }')
  const { link } = await openTestLink({ ...misbehavingUpstream(), env: { GIVEN: 'yes' } })
  const { env } = (await link.request('env', {})) as { env: Record<string, string> }
  expect(env).toMatchObject({ GIVEN: 'yes', PATH: process.env.PATH })
  const safe = ['HOME', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'USER', 'GIVEN']
  expect(Object.keys(env).filter((name) => !safe.includes(name))).toEqual([])
  expect(env).not.toHaveProperty('HOME')
})

test('closing ends a sound child in order, at once', async () => {
  const { link, closed } = await openTestLink(misbehavingUpstream())
  const pid = link.pid ?? 0
  await withTimeLimit(1500, () => link.close())
  expect(isAlive(pid)).toBe(false)
  expect(closed).toEqual([])
  await expect(link.request('echo', {})).rejects.toMatchObject({ error_type: 'TransportError' })
})

test('a child that ignores the end of its input and SIGTERM is killed, with all its descendants', async () => {
  const deaf = "process.on('SIGTERM', () => console.log('1')); setInterval(() => {}, 1000); console.log(process.pid)"
  // The shell ends with its input; what it started holds on to the pipes.
  const script = `"$0" -e "$1" & echo $! >&2; read -r line`
  const pids: number[] = []
  const scrubber = new Scrubber([])
  const told = new LogSanitiser((line) => pids.push(Number(line)), scrubber)
  const place = { ...misbehavingUpstream(), command: '/bin/sh', args: ['-c', script, process.execPath, deaf] }
  const child = new Child(place, {
    name: 'deaf',
    scrubber,
    reaper: undefined,
    log: told,
    graceMs: 200,
  })
  await child.start({ onMessage: () => {}, onClose: () => expect.fail('it broke') })
  onTestFinished(() => child.cut())
  await vi.waitFor(() => expect(pids).toHaveLength(2))
  await child.end()
  expect([child.pid ?? 0, ...pids].filter(isAlive)).toEqual([])
})

test('cutting ends what the child started too, at once', async () => {
  const { link } = await openTestLink(misbehavingUpstream())
  const grandchild = await pidOf(link)
  await withTimeLimit(1500, () => link.cut())
  expect([link.pid ?? 0, grandchild].filter(isAlive)).toEqual([])
})

test('one that hangs in a loop or is stopped is cut off', async () => {
  const { link, closed } = await openTestLink(misbehavingUpstream())
  const pid = link.pid ?? 0
  const hanging = link.request('spin', {})
  hanging.catch(() => {})
  process.kill(pid, 'SIGSTOP')
  await link.cut()
  await expect(hanging).rejects.toThrow('upstream: the connection was cut')
  expect(isAlive(pid)).toBe(false)
  expect(closed).toEqual([])
})

test('what a killed child had started ends as well', async () => {
  const { link, closed } = await openTestLink(misbehavingUpstream())
  const grandchild = await pidOf(link)
  process.kill(link.pid ?? 0, 'SIGKILL')
  await vi.waitFor(() => expect(closed).toHaveLength(1))
  expect(closed[0]?.message).toBe('upstream: killed by SIGKILL')
  await vi.waitFor(() => expect(isAlive(grandchild)).toBe(false))
})
