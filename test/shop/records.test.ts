/** The shop's records as clients that others wrote see them: in pages, one by one, and with a notification when another process changes one. */
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CLI } from '@myrmex/testing/paths'
import { copyShopFile, testFolder } from '@myrmex/testing/shop/test-shops'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type EmbeddedShop, openShop } from '../../packages/dropship/src/embedded/open.ts'
import type { OfficialConnection, ReceivedNotification } from '../interop/clients/peer.ts'
import { sdk1 } from '../interop/clients/sdk1.ts'
import { sdk2 } from '../interop/clients/sdk2.ts'

const AGENT = fileURLToPath(
  new URL('../../packages/dropship/src/agents/operations/operations.agent.ts', import.meta.url),
)
const ADDRESS = { name: 'Ada Byron', street: '12 Mill Lane', city: 'London', postal_code: 'N1 9GU', country: 'GB' }

describe.each([sdk1, ...sdk2])('$name', ({ connect, name }) => {
  let shop: EmbeddedShop
  let client: OfficialConnection
  const heard: ReceivedNotification[] = []
  const updated = () => heard.filter(({ method }) => method === 'notifications/resources/updated')

  beforeAll(async () => {
    const file = await copyShopFile('small')
    shop = await openShop({ file })
    const ledger = join(await testFolder(), `ledger-${name.replace(/\W+/g, '-')}.db`)
    const env = [`MYRMEX_SHOP=${file}`, `MYRMEX_LEDGER=${ledger}`]
    const target = { kind: 'stdio' as const, command: 'env', args: [...env, process.execPath, CLI, 'serve', AGENT] }
    client = await connect(target, () => ({ action: 'cancel' }))
    client.onNotification = (notification) => heard.push(notification)
  })
  afterAll(async () => {
    await client.close()
    await shop.close()
  })

  test('finds every order and product in the list, once', async () => {
    const uris = ((await client.resources()) as unknown as { uri: string }[]).map(({ uri }) => uri)
    expect(new Set(uris).size).toBe(uris.length)
    const orders = await shop.orders.orders({ limit: 10_000 })
    const products = await shop.storefront.products()
    expect(uris.filter((uri) => uri.startsWith('shop://orders/'))).toHaveLength(orders.length)
    expect(uris.filter((uri) => uri.startsWith('shop://products/'))).toHaveLength(products.length)
    const [newest] = orders
    const [contents] = await client.read(`shop://orders/${newest?.order_id}`)
    expect(JSON.parse(contents?.text ?? '')).toMatchObject({ order_id: newest?.order_id, status: newest?.status })
  })

  test('hears that a product has changed when somebody elsewhere orders it', async () => {
    const { sku = '' } = (await shop.storefront.products()).find(({ on_hand, reserved }) => on_hand > reserved) ?? {}
    await client.subscribe(`shop://products/${sku}`)
    expect(updated()).toEqual([])
    await shop.orders.place(
      { email: 'ada@example.org', address: ADDRESS, lines: [{ sku, quantity: 1 }], channel: 'direct' },
      undefined,
    )
    await vi.waitFor(() => expect(updated()).toHaveLength(1))
    expect(updated()[0]?.params).toMatchObject({ uri: `shop://products/${sku}` })
  })

  test('gets prompts with what they need', async () => {
    const names = (await client.prompts()).map((prompt) => prompt.name)
    expect(names).toEqual(expect.arrayContaining(['debug_error', 'morning_orders']))
    expect(await client.call('check_inventory', { sku: 'no-such-thing' })).toMatchObject({ isError: true })
    const [message] = await client.prompt('debug_error', {})
    expect(message?.content.text).toContain('UnknownSku')
    expect(message?.content.text).toContain('no-such-thing')
  })
})
