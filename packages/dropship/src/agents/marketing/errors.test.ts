import { grant, type LedgerFile, ledgerFile, serve } from '@myrmex/testing/gated-server'
import { detailFaults } from '@myrmex/testing/shop/described-details'
import { judgedFirst } from '@myrmex/testing/shop/judged-first'
import { smallShop } from '@myrmex/testing/shop/test-shops'
import { createServer } from 'myrmex'
import { type CallOptions, connect } from 'myrmex/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { EmbeddedShop } from '../../embedded/open.ts'
import { marketing } from './agent.ts'

interface Case {
  readonly error: string
  readonly tool: string
  readonly arguments: Record<string, unknown>
  readonly says: RegExp
  /** done to the shop before */
  readonly before?: string
}

const CAMPAIGN = `INSERT INTO campaigns VALUES ('cmp_900', 'facebook', 'c_1', 'chair-red', 600, '2026-10-30', '2026-11-20', 'running', NULL, 0)`
const ad = (args: object, error: string, says: RegExp, before?: string): Case => ({
  error,
  tool: 'create_ad_campaign',
  arguments: { platform: 'facebook', budget: 5, creative_id: 'c_1', ...args },
  says,
  before,
})

const CASES: readonly Case[] = [
  {
    error: 'UnknownProduct',
    tool: 'write_copy',
    arguments: { tone: 'plain', product_name: 'Comfy Chiar' },
    says: /called "Comfy Chiar"\. Did you mean "Comfy Chair"/,
  },
  {
    error: 'UnknownProduct',
    tool: 'write_copy',
    arguments: { tone: 'plain', product_name: 'Comfy Chair', sku: 'nothing' },
    says: /no product with the SKU "nothing"/,
  },
  {
    error: 'UnknownProduct',
    tool: 'write_copy',
    arguments: { tone: 'plain', product_name: 'Comfy Chair', sku: 'chair-red' },
    says: /chair-red is "Red Chair", not "Comfy Chair"/,
  },
  ad({ creative_id: "c_0' --" }, 'UnknownCreative', /no creative "c_0' --"\. marketing\.write_copy creates them/),
  ad({}, 'NoProduct', /Red Chair.*not on sale\. Create its page first/, "UPDATE products SET status = 'paused'"),
  ad({}, 'NoProduct', /not on sale/, "UPDATE creatives SET sku = NULL, product_name = 'Unheard of'"),
  ad({ budget: 1.19 }, 'BudgetTooSmall', /1\.19 a day does not buy one click: on facebook it costs about 1\.20/),
  ad(
    { budget: 60 },
    'AccountCapReached',
    /may spend 50\.00 a day and 6\.00 is committed: at most 44\.00 a day is left/,
    CAMPAIGN,
  ),
  ad({ budget: 51, scales: 'cmp_900' }, 'AccountCapReached', /at most 50\.00 a day is left/, CAMPAIGN),
  ad({ scales: 'cmp_0' }, 'UnknownCampaign', /no campaign "cmp_0"/),
  ad({ scales: 'cmp_900', platform: 'tiktok' }, 'UnknownCampaign', /cmp_900 runs on facebook, not on tiktok/, CAMPAIGN),
  ad({ scales: 'cmp_900', budget: 5.99 }, 'NotHigher', /has 6\.00 a day; scaling to 5\.99 would lower it/, CAMPAIGN),
  ad(
    { scales: 'cmp_900', budget: 9 },
    'CampaignOver',
    /cmp_900 is stopped: too dear/,
    `${CAMPAIGN}; UPDATE campaigns SET status = 'stopped', stop_reason = 'too dear' WHERE campaign_id = 'cmp_900'`,
  ),
]

let fresh: EmbeddedShop
/** The cap is the point of some cases, not what the history left running. */
async function quietShop(): Promise<EmbeddedShop> {
  const shop = await smallShop()
  shop.db.exec("UPDATE campaigns SET status = 'ended' WHERE status = 'running'")
  return shop
}
beforeAll(async () => {
  fresh = await quietShop()
})
afterAll(() => fresh.close())

/** Through every gate, trusted and granted. */
async function call(
  shop: EmbeddedShop,
  tool: string,
  args: Record<string, unknown>,
  { file, ...options }: { file?: LedgerFile } & CallOptions = {},
) {
  const counted = marketing(async () => shop).tools.map((one) => ({ tool: one, ran: [] }))
  const { server, ledger } = await serve(counted, file && { file })
  for (const each of counted) await grant(ledger, each)
  const connection = await connect(server)
  const result = await connection.call(`marketing.${tool}`, args, { idempotencyKey: 'k', ...options })
  await connection.close()
  return result
}

test.each(CASES)('$tool says $error ($says), before a person is asked too, and changes nothing', async (one) => {
  if (one.before !== undefined) fresh.db.exec(one.before)
  const before = fresh.dump()
  const { error } = await call(fresh, one.tool, one.arguments)
  expect(error).toMatchObject({ error_type: one.error, error_message: expect.stringMatching(one.says) })
  const { tools } = marketing(async () => fresh)
  expect(await judgedFirst(tools, `marketing.${one.tool}`, one.arguments)).toMatchObject({ error_type: one.error })
  expect(detailFaults(marketing(async () => ({}) as never).tools, error)).toEqual([])
  expect(fresh.dump()).toBe(before)
  if (one.before === undefined) return
  await fresh.close()
  fresh = await quietShop()
})

test('words that a campaign shows are not taken back', async () => {
  const file = ledgerFile()
  const ids: string[] = []
  const args = { tone: 'plain', product_name: 'Red Chair' }
  const made = await call(fresh, 'write_copy', args, { file, onCallId: (id) => void ids.push(id) })
  const data = made.data as { creative_id: string }
  const campaign = { platform: 'tiktok', budget: 5, creative_id: data.creative_id }
  expect((await call(fresh, 'create_ad_campaign', campaign, { idempotencyKey: 'ad' })).error).toBeNull()
  const before = fresh.dump()
  const { error } = await call(fresh, 'write_copy', {}, { file, idempotencyKey: 'back', undo: String(ids[0]) })
  expect(error?.error_type).toBe('CreativeInUse')
  expect(detailFaults(marketing(async () => fresh).tools, error)).toEqual([])
  expect(fresh.dump()).toBe(before)
})

test('every declared error is provoked above', () => {
  const declared = marketing(async () => ({}) as never).tools.flatMap(({ name, errors }) =>
    Object.keys(errors).map((error) => `${name} ${error}`),
  )
  const provoked = CASES.map(({ tool, error }) => `marketing.${tool} ${error}`)
  expect(new Set([...provoked, 'marketing.write_copy CreativeInUse'])).toEqual(new Set(declared))
})

test.each([
  ['write_copy', { tone: 'screaming', product_name: 'Red Chair' }],
  ['write_copy', { tone: 'plain', product_name: '' }],
  ['write_copy', { tone: 'plain', product_name: 'Red Chair', channel: 'billboard' }],
  ['create_ad_campaign', { platform: 'facebook', budget: -5, creative_id: 'c_1' }],
  ['create_ad_campaign', { platform: 'facebook', budget: 5, creative_id: 'c_1', days: 0 }],
  ['create_ad_campaign', { platform: 'facebook', budget: 5, creative_id: 'c_1', days: 91 }],
  ['create_ad_campaign', { platform: 'myspace', budget: 5, creative_id: 'c_1' }],
])('%s %j does not get past the schema', async (tool, args) => {
  const server = createServer({ name: 'test', version: '1.0.0', tools: marketing(async () => fresh).tools })
  const connection = await connect(server)
  const { error } = await connection.call(`marketing.${tool}`, args)
  await connection.close()
  expect(error?.error_type).toBe('SchemaError')
})
