/** What the official clients can do beyond the rest: progress, cancellation, sampling, roots, logging. */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { OfficialConnection, Progress, ReceivedNotification } from './clients/peer.ts'
import { sdk1 } from './clients/sdk1.ts'
import { sdk2 } from './clients/sdk2.ts'
import { startTapped, type TappedServer, TOOLS_SERVER, TRANSPORTS } from './tapped-server.ts'

const CASES = [sdk1, ...sdk2].flatMap((peer) => TRANSPORTS.map((transport) => ({ ...peer, transport })))

describe.each(CASES)('$name over $transport', ({ connect, era, transport }) => {
  let server: TappedServer
  let client: OfficialConnection

  beforeAll(async () => {
    server = await startTapped(TOOLS_SERVER, transport)
    client = await connect(server.target, () => ({ action: 'accept', content: { topic: 'ants' } }))
  })
  afterAll(async () => {
    await client.close()
    await server.close()
  })

  test('hears how far a call is', async () => {
    const heard: Progress[] = []
    // The official clients drop progress that arrives in one chunk with the answer: the answer waits for the last step.
    const onProgress = (step: Progress) => {
      if (heard.push(step) === 5) client.call('release', { key: 'progress' })
    }
    const { structuredContent } = await client.call('count', { to: 5, key: 'progress' }, { onProgress })
    expect(structuredContent).toEqual({ counted: 5 })
    expect(heard).toEqual([1, 2, 3, 4, 5].map((n) => ({ progress: n, total: 5, message: `step ${n}` })))
  })

  test('hears every part and every step of a tool that sends both, in order', async () => {
    const heard: (Progress & { _meta?: Record<string, unknown> })[] = []
    const onProgress = (step: Progress) => {
      if (heard.push(step) === 7) client.call('release', { key: 'stream' })
    }
    await client.call('stream', { to: 3, key: 'stream' }, { onProgress })
    const said = heard.map(({ message, _meta }) => message ?? _meta?.['myrmex/partial'])
    const parts = [1, 2, 3].flatMap((n) => [`step ${n}`, { part: n }])
    expect(said).toEqual([{ part: 0 }, ...parts])
    const values = heard.map(({ progress }) => progress)
    expect(values).toEqual(values.toSorted((a, b) => a - b))
    expect(new Set(values).size).toBe(7)
    expect(heard.filter(({ message }) => message !== undefined).map(({ progress }) => progress)).toEqual([1, 2, 3])
  })

  test('cancels a call, and the tool receives the abort signal', async () => {
    const stop = new AbortController()
    const call = client.call('wait', { key: 'cancelled' }, { signal: stop.signal })
    const rejected = expect(call).rejects.toThrow()
    expect(await client.call('waiting', { key: 'cancelled' })).toMatchObject({ structuredContent: { begun: true } })
    stop.abort('changed my mind')
    await rejected
    const { structuredContent } = await client.call('aborted', { key: 'cancelled' })
    expect((structuredContent as { reason: string }).reason).toContain('The call was cancelled')
  })

  test('goes on after a cancelled call as if nothing had been', async () => {
    expect(await client.call('greet', { name: 'Ada' })).toMatchObject({
      structuredContent: { greeting: 'Hello, Ada!' },
    })
  })

  test('asks its user and then its model for a tool that needs both', async () => {
    expect(await client.call('haiku', {})).toMatchObject({
      structuredContent: { poem: 'You asked: A haiku about ants' },
    })
  })

  test('tells a tool its roots', async () => {
    expect(await client.call('roots', {})).toMatchObject({ structuredContent: { roots: ['file:///home/tester'] } })
  })

  test('hears the log from the level on that it asked for', async () => {
    const heard: ReceivedNotification[] = []
    client.onNotification = (notification) => heard.push(notification)
    await client.logLevel('warning')
    await client.call('chat', {})
    await vi.waitFor(() => expect(heard).toHaveLength(2))
    expect(heard.map(({ params }) => params)).toMatchObject([
      { level: 'warning', logger: 'interop.chat', data: { cups: 3 } },
      { level: 'error', logger: 'kitchen', data: 'a shout' },
    ])
    await client.logLevel('debug')
    await client.call('chat', {})
    await vi.waitFor(() => expect(heard).toHaveLength(5))
  })

  test('gets the answer of a tool that lets go of its stream', async () => {
    expect(await client.call('pause', {})).toMatchObject({ structuredContent: { resumed: true } })
  })

  // The modern era has no resumption.
  if (era === 'legacy') {
    test('gets the answer of a call whose stream broke off on the way', async () => {
      const onProgress = () => {
        server.cut()
        client.call('release', { key: 'cut' })
      }
      expect(await client.call('count', { to: 1, key: 'cut' }, { onProgress })).toMatchObject({
        structuredContent: { counted: 1 },
      })
    })
  }

  test('was sent nothing but messages of the official schemas', async () => {
    await client.close()
    await server.close()
    const { faults, received } = server.judge
    expect(faults).toEqual([])
    expect(received.get('notifications/progress')).toBeGreaterThanOrEqual(5)
    expect(received.get('notifications/message')).toBe(5)
    // Only the legacy era has requests of the server; the modern one asks in its results.
    expect(received.has('sampling/createMessage')).toBe(era === 'legacy')
  })
})
