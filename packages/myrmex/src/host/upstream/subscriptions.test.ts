import { closeAllUpstreams, superviseUpstream } from '@myrmex/testing/host/supervised-upstream'
import { afterEach, expect, test, vi } from 'vitest'
import type { Upstream } from './upstream.ts'

afterEach(closeAllUpstreams)

const call = (upstream: Upstream, name: string, given: object = {}) =>
  upstream.request('tools/call', { name, arguments: { ...given } })
const crash = (upstream: Upstream) => call(upstream, 'crash').catch(() => undefined)

test('a legacy resource is subscribed to once for all, again after a restart, and let go by the last', async () => {
  const { upstream, childNotes } = superviseUpstream()
  await upstream.start()
  const heard: string[] = []
  const [first, second] = await Promise.all([
    upstream.subscribe('test://a', () => heard.push('test://a')),
    upstream.subscribe('test://a', () => {}),
  ])
  await expect(upstream.subscribe('test://refused', () => {})).rejects.toMatchObject({
    code: -32002,
    message: 'not this one',
  })
  expect(upstream.status().subscriptions).toBe(1)
  expect(childNotes('subscribe')).toEqual(['subscribe test://a', 'subscribe test://refused'])
  await call(upstream, 'update', { uri: 'test://a' })
  await vi.waitFor(() => expect(heard).toEqual(['test://a']))
  await crash(upstream)
  // Changes in between were not seen, so every subscriber is notified.
  await vi.waitFor(() => expect(heard).toEqual(['test://a', 'test://a']))
  expect(childNotes('subscribe')).toHaveLength(3)
  await call(upstream, 'update', { uri: 'test://a' })
  await vi.waitFor(() => expect(heard).toHaveLength(3))
  first()
  await call(upstream, 'update', { uri: 'test://a' })
  expect(childNotes('unsubscribe')).toEqual([])
  second()
  await vi.waitFor(() => expect(childNotes('unsubscribe')).toEqual(['unsubscribe test://a']))
  expect(heard).toHaveLength(3)
})

test('a modern one is listened to with one request, which grows, is opened again when it ended and after a restart', async () => {
  const { upstream, childNotes } = superviseUpstream({}, { era: 'modern' })
  await upstream.start()
  expect(upstream.listing).toMatchObject({ era: 'modern', server: { name: 'fixture' } })
  const lists = { toolsListChanged: true, resourcesListChanged: true }
  const asked = () => childNotes('listen').map((line) => JSON.parse(line.slice('listen '.length)))
  expect(asked()).toEqual([lists])
  const heard: string[] = []
  await upstream.subscribe('test://a', () => heard.push('test://a'))
  const all = { ...lists, resourceSubscriptions: ['test://a'] }
  expect(asked()).toEqual([lists, all])
  // The old one is let go after the new one was acknowledged.
  await vi.waitFor(() => expect(childNotes('cancelled')).toHaveLength(1))
  await call(upstream, 'update', { uri: 'test://a' })
  await vi.waitFor(() => expect(heard).toEqual(['test://a']))
  await call(upstream, 'end_listening')
  await vi.waitFor(() => expect(asked()).toEqual([lists, all, all]))
  await crash(upstream)
  await vi.waitFor(() => expect(asked()).toHaveLength(4))
  await vi.waitFor(() => expect(heard).toEqual(['test://a', 'test://a']))
  await call(upstream, 'update', { uri: 'test://a' })
  await vi.waitFor(() => expect(heard).toHaveLength(3))
})

test.each(['legacy', 'modern'])(
  'a list that a %s server says has changed, many times at once, is read once',
  async (era) => {
    const { upstream, childNotes } = superviseUpstream({}, { era })
    await upstream.start()
    const listings = vi.fn()
    upstream.on('listing', listings)
    await call(upstream, 'grow')
    await vi.waitFor(() => expect(upstream.listing?.tools).toHaveLength(8))
    expect(childNotes('tools listed')).toHaveLength(2)
    expect(listings).toHaveBeenCalledTimes(1)
    expect(listings.mock.calls[0]?.[1].tools).toHaveLength(7)
    // Nothing new, nothing told.
    await upstream.refresh()
    expect(listings).toHaveBeenCalledTimes(1)
  },
)
