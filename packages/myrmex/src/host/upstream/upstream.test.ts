import { isAlive } from '@myrmex/testing/host/open-link'
import { closeAllUpstreams, superviseUpstream } from '@myrmex/testing/host/supervised-upstream'
import { afterEach, expect, test, vi } from 'vitest'
import type { Upstream } from './upstream.ts'

afterEach(closeAllUpstreams)

const call = (upstream: Upstream, name: string, given: object = {}) =>
  upstream.request('tools/call', { name, arguments: { ...given } })
const state = (upstream: Upstream, wanted: string) => vi.waitFor(() => expect(upstream.state).toBe(wanted))

test('an eager one is started, listed, and answers as it is; nothing of it is left when it was closed', async () => {
  const { upstream, childNotes, log } = superviseUpstream({ secrets: ['Hello'] })
  const states: string[] = []
  upstream.on('state', (now) => states.push(now))
  await upstream.start()
  expect(states).toEqual(['starting', 'ready'])
  expect(upstream.listing).toMatchObject({
    era: 'legacy',
    server: { name: 'fixture', version: '1.2.3' },
    resources: [{ uri: 'test://a', name: 'a' }],
    templates: [],
    prompts: [],
  })
  expect(upstream.listing?.tools.map(({ name }) => name)).toContain('echo')
  expect(childNotes('level')).toEqual(['level debug'])
  expect(log).toContainEqual(
    expect.stringMatching(/^warn fixture: prompts\/list was rejected: the prompts are out of order/),
  )
  expect(await call(upstream, 'echo', { text: 'hi' })).toEqual({
    content: [{ type: 'text', text: 'hi' }],
    strange: { kept: true },
  })
  await expect(call(upstream, 'nothing')).rejects.toMatchObject({ code: -32602, message: 'Unknown tool: nothing' })
  expect(upstream.status()).toMatchObject({
    state: 'ready',
    calls: 2,
    failures: 0,
    in_flight: 0,
    tools: 7,
    restarts: 0,
  })
  const pid = upstream.status().pid as number
  expect(isAlive(pid)).toBe(true)
  await upstream.close()
  expect(isAlive(pid)).toBe(false)
  await expect(call(upstream, 'echo')).rejects.toMatchObject({ error_type: 'UnavailableError' })
  expect(childNotes('start')).toHaveLength(1)
})

test('what was in flight when it crashed is unavailable, is not called again, and the next call finds it restarted', async () => {
  const { upstream, childNotes } = superviseUpstream()
  await upstream.start()
  const calls = [call(upstream, 'silent'), call(upstream, 'crash')]
  for (const { status, reason } of (await Promise.allSettled(calls)) as PromiseRejectedResult[]) {
    expect(status).toBe('rejected')
    expect(reason).toMatchObject({
      error_type: 'UnavailableError',
      error_details: { server: 'fixture', retry_after_ms: 1 },
    })
    expect(reason.message).toMatch(/^fixture: exited with code 7\. Try again in 1 ms\.$/)
  }
  expect(await call(upstream, 'echo', { text: 'back' })).toMatchObject({ content: [{ text: 'back' }] })
  expect(childNotes('call')).toEqual(['call silent', 'call crash', 'call echo'])
  expect(upstream.status()).toMatchObject({ restarts: 1, failures: 2, last_error: { message: 'exited with code 7' } })
})

test('an eager one comes back by itself after a crash, and what it offers is known all the while', async () => {
  const { upstream, childNotes } = superviseUpstream()
  await upstream.start()
  await call(upstream, 'crash').catch(() => undefined)
  expect(upstream.listing?.tools).toHaveLength(7)
  await state(upstream, 'ready')
  expect(childNotes('start')).toHaveLength(2)
})

test('one that keeps failing is tried ever later, then left alone, then seen to be well again', async () => {
  const backoff = { firstWaitMs: 200, failures: 2, cooldownMs: 1500 }
  const { upstream, configureChild, log } = superviseUpstream({}, { shape: { refuse: true }, backoff })
  const attempts = () => log.filter((line) => line.includes('could not connect')).length
  await upstream.start()
  expect(upstream.state).toBe('waiting')
  const refusal = { error_type: 'UnavailableError', error_details: { retry_after_ms: expect.any(Number) } }
  await expect(call(upstream, 'echo')).rejects.toMatchObject(refusal)
  expect(attempts()).toBe(1)
  await state(upstream, 'cooldown')
  expect(attempts()).toBe(2)
  await expect(call(upstream, 'echo')).rejects.toThrow(
    /^fixture: the server could not be reached \(exited with code 3\) and/,
  )
  expect(upstream.status()).toMatchObject({ breaker: 'open', last_error: { error_type: 'TransportError' } })
  expect(upstream.status().retry_after_ms).toBeGreaterThan(0)
  configureChild({})
  await state(upstream, 'ready')
  expect(attempts()).toBe(2)
  expect(upstream.status().breaker).toBe('closed')
  await call(upstream, 'echo')
})

test('one that hangs is cut off after a call passed its deadline, and is started again', async () => {
  const { upstream, childNotes, log } = superviseUpstream({ hungMs: 100 })
  await upstream.start()
  const pid = upstream.status().pid as number
  const stuck = call(upstream, 'freeze')
  const late = upstream.request('tools/call', { name: 'echo' }, { timeoutMs: 50 })
  await expect(late).rejects.toMatchObject({ error_type: 'TimeoutError' })
  await expect(stuck).rejects.toMatchObject({ error_type: 'UnavailableError' })
  await state(upstream, 'ready')
  expect(isAlive(pid)).toBe(false)
  expect(childNotes('start')).toHaveLength(2)
  expect(log).toContainEqual(expect.stringMatching(/connection lost: no answer to the health check within 100 ms/))
})

test('one that is only slow in one call is asked after its health and left running', async () => {
  const { upstream, childNotes } = superviseUpstream({ hungMs: 2000 })
  await upstream.start()
  const slow = upstream.request('tools/call', { name: 'silent' }, { timeoutMs: 20 })
  await expect(slow).rejects.toMatchObject({ error_type: 'TimeoutError' })
  await vi.waitFor(() => expect(childNotes('ping')).toHaveLength(1))
  await call(upstream, 'echo')
  expect(childNotes('start')).toHaveLength(1)
  expect(upstream.state).toBe('ready')
})

test('while nobody calls its health is asked for, and one that was stopped in its tracks is replaced', async () => {
  const { upstream, childNotes } = superviseUpstream({ healthMs: 30, hungMs: 1500 })
  await upstream.start()
  await vi.waitFor(() => expect(childNotes('ping').length).toBeGreaterThan(1))
  process.kill(upstream.status().pid as number, 'SIGSTOP')
  await vi.waitFor(() => expect(childNotes('start')).toHaveLength(2))
  await state(upstream, 'ready')
})

test('a call that was cancelled while it waited for the start is given up at once', async () => {
  const { upstream, log } = superviseUpstream({ openMs: 3000 }, { shape: { mute: true } })
  const wanted = new AbortController()
  const cancelled = upstream.request('tools/call', { name: 'echo' }, { signal: wanted.signal })
  wanted.abort()
  await expect(cancelled).rejects.toMatchObject({ error_type: 'CancelledError' })
  const tooLate = upstream.request('tools/call', { name: 'echo' }, { signal: wanted.signal })
  await expect(tooLate).rejects.toMatchObject({ error_type: 'CancelledError' })
  const waiting = call(upstream, 'echo')
  expect(upstream.status()).toMatchObject({ state: 'starting', in_flight: 1 })
  const closing = upstream.close()
  await expect(waiting).rejects.toMatchObject({ error_type: 'UnavailableError' })
  await closing
  // That it was ended is no failure of its own.
  expect(upstream.status()).toMatchObject({ state: 'closed', last_error: null })
  expect(log).toEqual([])
})

test('one that an operator stopped is started by no call, only by start', async () => {
  const { upstream, childNotes } = superviseUpstream()
  await upstream.start()
  await upstream.stop()
  expect(upstream.state).toBe('stopped')
  await expect(call(upstream, 'echo')).rejects.toThrow(
    'fixture: an operator stopped this server, and no call starts it. The operator starts it with: npx myrmex host start fixture',
  )
  void upstream.stop()
  await upstream.start()
  expect(upstream.state).toBe('ready')
  await upstream.restart()
  expect(upstream.state).toBe('ready')
  expect(childNotes('start')).toHaveLength(3)
  await call(upstream, 'echo')
})

test('a refused list is a problem of a connected server, and is read again until it is there', async () => {
  const { upstream } = superviseUpstream({}, { shape: { refuseTools: 1 } })
  await upstream.start()
  expect(upstream.status()).toMatchObject({
    state: 'ready',
    tools: 0,
    problem: expect.stringContaining('tools/list was rejected: not yet (-32603)'),
  })
  await vi.waitFor(() => expect(upstream.status().tools).toBe(7))
  expect(upstream.status().problem).not.toContain('tools/list')
  await upstream.refresh()
  expect(upstream.status()).toMatchObject({
    problem: 'prompts/list was rejected: the prompts are out of order (-32000)',
  })
})
