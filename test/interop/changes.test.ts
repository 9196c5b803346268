/** A server that changes while clients are connected, and whose lists come in pages. */
import { LONG } from '@myrmex/testing/long'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { aiSdk } from './clients/ai-sdk.ts'
import type { OfficialConnection, ReceivedNotification } from './clients/peer.ts'
import { sdk1 } from './clients/sdk1.ts'
import { sdk2 } from './clients/sdk2.ts'
import { CHANGING_SERVER, startTapped, type TappedServer, TRANSPORTS } from './tapped-server.ts'

const over = <P extends object>(peers: P[]) =>
  peers.flatMap((peer) => TRANSPORTS.map((transport) => ({ ...peer, transport })))

const COUNTER = 'living://counter'

describe.each(over(LONG ? [sdk1, ...sdk2] : sdk2.slice(1)))('$name over $transport', ({ connect, era, transport }) => {
  let server: TappedServer
  let client: OfficialConnection
  const heard: ReceivedNotification[] = []
  const told = (method: string) => heard.filter((notification) => notification.method === method)

  beforeAll(async () => {
    server = await startTapped(CHANGING_SERVER, transport)
    client = await connect(server.target, () => ({ action: 'cancel' }))
    client.onNotification = (notification) => heard.push(notification)
  })
  afterAll(async () => {
    await client.close()
    await server.close()
  })

  test('walks every page of every list', async () => {
    const names = (list: { name: string }[]) => list.map(({ name }) => name)
    expect(names(await client.tools())).toEqual(['a', 'b', 'c', 'd', 'e', 'grow', 'touch'])
    expect(names(await client.resources())).toEqual(['a', 'b', 'c', 'counter', 'd'])
    expect(names(await client.templates())).toEqual(['x', 'y', 'z'])
    expect(names(await client.prompts())).toEqual(['a', 'b', 'c'])
  })

  test('hears nothing of a resource before it subscribes, and of every change after', async () => {
    await client.call('touch', {})
    await client.subscribe(COUNTER)
    expect(heard).toEqual([])
    await client.call('touch', {})
    await vi.waitFor(() => expect(told('notifications/resources/updated')).toHaveLength(1))
    expect(heard[0]?.params).toMatchObject({ uri: COUNTER })
    expect(await client.read(COUNTER)).toMatchObject([{ text: '2' }])
  })

  test('hears that lists have changed, and finds in them what is new', async () => {
    await client.watchLists()
    await client.call('grow', { name: 'new' })
    for (const list of ['tools', 'resources', 'prompts']) {
      await vi.waitFor(() => expect(told(`notifications/${list}/list_changed`)).toHaveLength(1))
    }
    expect((await client.tools()).map(({ name }) => name)).toContain('new')
    expect((await client.resources()).map(({ name }) => name)).toContain('new')
    expect((await client.prompts()).map(({ name }) => name)).toContain('new')
    expect(await client.call('new', {})).toMatchObject({ structuredContent: { name: 'new' } })
  })

  test('was sent nothing but messages of the official schemas', async () => {
    await client.close()
    await server.close()
    const { faults, sent, received } = server.judge
    expect(faults).toEqual([])
    expect(sent.get('tools/list')).toBeGreaterThanOrEqual(4)
    expect(received.get('notifications/subscriptions/acknowledged') ?? 0).toBe(era === 'modern' ? 2 : 0)
  })
})

describe.each(over(aiSdk))('$name over $transport', ({ connect, transport }) => {
  test('finds the tools of all pages', async () => {
    const server = await startTapped(CHANGING_SERVER, transport)
    onTestFinished(() => server.close())
    const client = await connect(server.target, () => ({ action: 'cancel' }))
    onTestFinished(() => client.close())
    expect(await client.call('touch', {})).toMatchObject({ structuredContent: { count: 1 } })
    await client.close()
    await server.close()
    expect(server.judge.sent.get('tools/list')).toBe(4)
    expect(server.judge.faults).toEqual([])
  })
})
