import { isAlive, misbehavingUpstream, openTestLink } from '@myrmex/testing/host/open-link'
import { expect, test, vi } from 'vitest'

test('unexpected and repeated answers, missing methods and lines that are no messages are harmless and logged', async () => {
  const { link, stderr, notifications, closed } = await openTestLink(misbehavingUpstream())
  expect(await link.request('odd', {})).toEqual({ first: true })
  expect(await link.request('echo', { still: 'here' })).toEqual({ still: 'here' })
  expect(await link.request('batch', {})).toEqual({ batched: true })
  expect(notifications).toEqual([{ method: 'notifications/message', params: { level: 'info', data: 'in a batch' } }])
  expect(closed).toEqual([])
  expect(stderr).toEqual([
    '(stdout, not a message) Listening on port 3000',
    '(stdout, not a message) 42',
    '(stdout, not a message) null',
    '(stdout, not a message) "text"',
    '(received an answer to a request that was never sent (4711))',
    '(received an answer to a request that was never sent ("never"))',
    '(received an answer to a request that was never sent (undefined))',
    '(received a message whose method is not a string)',
    '(received a request (roots/list) whose id is neither a string nor a number)',
  ])
})

test.each([
  ['ends', 'exit', { code: 5 }, 'exited with code 5'],
  ['ends in the middle of a message', 'half', {}, 'exited with code 3'],
  ['closes its output', 'closeOutput', {}, 'the server closed its output'],
  ['speaks something else', 'noise', { lines: 1000 }, 'the server wrote 1000 consecutive lines that are not messages'],
  ['sends a message without end', 'endless', {}, 'the server sent a message of more than 67108864 bytes'],
])(
  'a server that %s fails everything in flight, is reported once and leaves nothing',
  async (_, method, params, how) => {
    const { link, closed } = await openTestLink(misbehavingUpstream())
    const pid = link.pid ?? 0
    const inFlight = [link.request('hang', {}), link.request(method, params)]
    for (const one of await Promise.allSettled(inFlight)) {
      expect(one).toMatchObject({ reason: { error_type: 'TransportError', message: `upstream: ${how}` } })
    }
    expect(closed.map(({ message }) => message)).toEqual([`upstream: ${how}`])
    await vi.waitFor(() => expect(isAlive(pid)).toBe(false))
    await expect(link.request('echo', {})).rejects.toThrow(`upstream: ${how}`)
  },
)

test('one that does not read what it is sent does not fill our memory', async () => {
  const { link, closed } = await openTestLink(misbehavingUpstream())
  await link.request('deaf', {})
  const text = 'x'.repeat(8 * 1024 * 1024)
  const sent = Array.from({ length: 9 }, () => link.request('echo', { text }))
  for (const one of await Promise.allSettled(sent)) expect(one.status).toBe('rejected')
  expect(closed.map(({ message }) => message)).toEqual(['upstream: the server does not read its input'])
})

test('a message may be large, and cut anywhere', async () => {
  const { link } = await openTestLink(misbehavingUpstream())
  const { text } = await link.request('big', { bytes: 20_000_000 })
  expect(text).toHaveLength(10_000_000)
})

test('a flood of notifications is cut, and the answers behind it still come', async () => {
  const { link, notifications } = await openTestLink(misbehavingUpstream())
  await link.request('flood', { times: 50_000 })
  expect(notifications.length).toBeGreaterThanOrEqual(5000)
  expect(notifications.length).toBeLessThan(50_000)
})

test('of questions without end only so many are open at a time', async () => {
  let open = 0
  const { link } = await openTestLink(misbehavingUpstream(), {
    onRequest: () => {
      open++
      return new Promise(() => {})
    },
  })
  const { answer } = await link.request('askOften', { times: 500 })
  expect(answer).toMatchObject({ code: -32603, message: '100 requests are waiting for an answer, which is the limit' })
  expect(open).toBe(100)
})

test('secrets never come through: not in results, errors, notifications, stderr or the words of a broken one', async () => {
  const secrets = ['s3cr3t/"tok€n', '4321', 'abc']
  const { link, stderr, closed } = await openTestLink(
    { ...misbehavingUpstream(), env: { TOKEN: 's3cr3t/"tok€n', PIN: '4321', SHORT: 'abc' } },
    { secrets },
  )
  const { env } = await link.request('env', {})
  expect(env).toMatchObject({ TOKEN: '[secret]', PIN: '[secret]', SHORT: 'abc' })
  // A number that only begins like one is a number still.
  expect(await link.request('echo', { n: 43211, pin: 4321, key: { 'x-4321': 1 } })).toEqual({
    n: 43211,
    pin: '[secret]',
    key: { 'x-[secret]': 1 },
  })
  await link.request('say', { text: 'token s3cr3t/"tok€n, escaped s3cr3t%2F%22tok%E2%82%ACn\n' })
  await vi.waitFor(() => expect(stderr).toEqual(['token [secret], escaped [secret]']))
  await link.request('exit', { code: 1 }).catch(() => {})
  expect(JSON.stringify(closed[0]?.error_details)).not.toContain('s3cr3t')
})

test('one that sends large messages which nobody asked for is cut off before they are parsed', async () => {
  const { link, closed } = await openTestLink(misbehavingUpstream())
  await link.request('unasked', { bytes: 9_000_000, count: 3 })
  await vi.waitFor(() => expect(closed).toHaveLength(1))
  expect(closed[0]?.message).toBe('upstream: the server sent too much that nobody had asked for')
})
