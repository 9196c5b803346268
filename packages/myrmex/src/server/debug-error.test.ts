/** The prompt that brings what the ledger has on a failed call. */

import { call, countedTool, type GatedServer, principalNamed, serve } from '@myrmex/testing/gated-server'
import { modernMeta, type RpcAnswer } from '@myrmex/testing/mcp-peer'
import { connectDirect, type Principal, ToolError } from 'myrmex'
import { expect, test } from 'vitest'
import { offerDebugError } from './debug-error.ts'

const failing = () =>
  countedTool('shop.refund', {
    errors: { TooLate: 'The order is older than thirty days.' },
    run: ({ n }: { n?: number }) => {
      if (n === 7) throw new ToolError('TooLate', 'Order 7 is too old.', { order: 7 })
      return {}
    },
  } as Parameters<typeof countedTool>[1])

async function asked({ server }: GatedServer, args: object = {}, principal?: Principal): Promise<string> {
  const connection = connectDirect(server, () => {}, principal)
  const params = { name: 'debug_error', arguments: args, _meta: modernMeta() }
  const reply = (await connection.send({ jsonrpc: '2.0', id: 1, method: 'prompts/get', params })) as RpcAnswer
  return reply.error?.message ?? reply.result.messages[0].content.text
}

test('the last failed call comes with its error, what the tool says of it, and what went before', async () => {
  const served = await serve([failing()])
  offerDebugError(served.server)
  expect(await asked(served)).toContain('nothing to debug')
  await call(served.server, 'shop.refund', { n: 1 })
  const { call_id } = await call(served.server, 'shop.refund', { n: 7 })
  const text = await asked(served)
  expect(text).toContain(call_id)
  expect(text).toContain('The order is older than thirty days.')
  expect(text).toContain('Order 7 is too old.')
  expect(text).toContain('"n":1')
  expect(await asked(served, { call_id })).toBe(text)
})

test('callers see their own calls and nobody else’s', async () => {
  const served = await serve([failing()])
  offerDebugError(served.server)
  const { call_id } = await call(served.server, 'shop.refund', { n: 7 }, { principal: principalNamed('ada') })
  expect(await asked(served, { call_id }, principalNamed('eve'))).toContain(`You have no call ${call_id}`)
  expect(await asked(served, {}, principalNamed('eve'))).toContain('nothing to debug')
  expect(await asked(served, { call_id }, principalNamed('ada'))).toContain('Order 7')
  expect(await asked(served, { call_id })).toContain('Order 7')
})
