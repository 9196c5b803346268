import { grant, serve } from '@myrmex/testing/gated-server'
import { smallShop } from '@myrmex/testing/shop/test-shops'
import { connect } from 'myrmex/client'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { addDays } from '../../day.ts'
import type { EmbeddedShop } from '../../embedded/open.ts'
import { simulateDays } from '../../market/day.ts'
import { marketing } from './agent.ts'
import { campaignBrief } from './campaign-brief.ts'
import { createAdCampaign } from './create-ad-campaign.ts'
import { campaigns } from './resources.ts'

let shop: EmbeddedShop
beforeEach(async () => {
  shop = await smallShop()
  shop.db.exec("UPDATE campaigns SET status = 'ended' WHERE status = 'running'")
  return () => shop.close()
})
const source = async () => shop

/** Through the whole pipeline, trusted and granted. */
async function client() {
  const counted = marketing(source).tools.map((tool) => ({ tool, ran: [] }))
  const { server, ledger } = await serve(counted)
  for (const each of counted) await grant(ledger, each)
  const connection = await connect(server)
  onTestFinished(() => connection.close())
  // biome-ignore lint/suspicious/noExplicitAny: tests look into results of every shape
  return async (args: object, options: object = {}): Promise<any> =>
    await connection.call('marketing.create_ad_campaign', args as Record<string, unknown>, options)
}

const ARGS = { platform: 'tiktok', budget: 6, creative_id: 'c_1', days: 10 }

test('a campaign starts, is predicted, and is stopped when it is taken back', async () => {
  const call = await client()
  const ids: string[] = []
  const { data, status, error } = await call(ARGS, {
    idempotencyKey: 'one',
    onCallId: (id: string) => void ids.push(id),
  })
  expect(error).toBeNull()
  const today = await shop.clock.today()
  expect(data).toMatchObject({ sku: 'chair-red', daily_budget: 6, days: 10, starts_on: today, status: 'running' })
  expect([status, data.ends_on, data.scaled_from]).toEqual(['success', addDays(today, 9), null])
  for (const { low, expected, high } of Object.values<{ low: number; expected: number; high: number }>(
    data.predicted,
  )) {
    expect(low).toBeLessThanOrEqual(expected)
    expect(high).toBeGreaterThanOrEqual(expected)
  }
  expect(data.predicted.spend.high).toBeLessThanOrEqual(60)
  const [kept] = await shop.ads.campaigns({ status: 'running' })
  expect(kept).toMatchObject({ campaign_id: data.campaign_id, daily: 600, platform: 'tiktok', creative_id: 'c_1' })

  await call({}, { idempotencyKey: 'back', undo: ids[0] })
  const [stopped] = await shop.ads.campaigns({ campaign_id: data.campaign_id })
  expect(stopped?.status).toBe('stopped')
})

test('the same key twice is one campaign, also in the shop itself and also at the cap', async () => {
  const tool = createAdCampaign(source)
  const args = { ...ARGS, budget: 30 }
  const first = await tool.run(args, { idempotencyKey: 'same' } as never)
  const dump = shop.dump()
  const second = await tool.run(args, { idempotencyKey: 'same' } as never)
  expect(second).toEqual(first)
  expect(shop.dump()).toBe(dump)
})

test('scaled again under its key it says what it was scaled from, and predicts the same', async () => {
  const tool = createAdCampaign(source)
  // biome-ignore lint/suspicious/noExplicitAny: tests look into results of every shape
  const started = (await tool.run(ARGS, { idempotencyKey: 'start' } as never)) as any
  simulateDays(shop.db, 3, { operate: true })
  const args = { ...ARGS, budget: 9, scales: started.data.campaign_id }
  const first = await tool.run(args, { idempotencyKey: 'scale' } as never)
  expect(first).toMatchObject({ status: 'success', data: { scaled_from: 6, daily_budget: 9 } })
  expect(await tool.run(args, { idempotencyKey: 'scale' } as never)).toEqual(first)
})

test('a dry run predicts the same and changes nothing', async () => {
  const dump = shop.dump()
  const dry = (await createAdCampaign(source).dryRun?.(ARGS, {} as never)) as { predicted: object; status: string }
  expect(shop.dump()).toBe(dump)
  expect(dry.status).toBe('planned')
  const call = await client()
  expect((await call(ARGS)).data.predicted).toEqual(dry.predicted)
})

test('a campaign is scaled for the days it has left, and goes back to its budget', async () => {
  const call = await client()
  const { data: started } = await call(ARGS, { idempotencyKey: 'start' })
  simulateDays(shop.db, 3, { operate: true })
  const args = { ...ARGS, budget: 9, scales: started.campaign_id }
  const ids: string[] = []
  const { data, status } = await call(args, { idempotencyKey: 'scale', onCallId: (id: string) => void ids.push(id) })
  expect([status, data.campaign_id, data.days, data.scaled_from]).toEqual(['success', started.campaign_id, 7, 6])
  expect((await shop.ads.campaigns({ campaign_id: started.campaign_id }))[0]?.daily).toBe(900)
  const again = await call(args, { idempotencyKey: 'scale-again' })
  expect(again.status).toBe('no_change_needed')
  await call({}, { idempotencyKey: 'back', undo: ids[0] })
  expect((await shop.ads.campaigns({ campaign_id: started.campaign_id }))[0]?.daily).toBe(600)
})

test('more money brings less for each coin, and a bad outlook is said', async () => {
  const dry = async (budget: number) =>
    (await createAdCampaign(source).dryRun?.({ ...ARGS, budget, days: 5 }, {} as never)) as {
      predicted: Record<string, { expected: number }>
      warnings: string[]
    }
  const [small, large] = [await dry(3), await dry(45)]
  const perCoin = ({ predicted }: typeof small) => (predicted.clicks?.expected ?? 0) / (predicted.spend?.expected ?? 1)
  expect(perCoin(large)).toBeLessThan(perCoin(small) * 0.8)
  shop.db.exec("UPDATE products SET unit = price WHERE sku = 'chair-red'")
  expect((await dry(3)).warnings.join()).toMatch(/sells for less than it costs/)
})

test('words without a product find the one that has their name by now', async () => {
  shop.db.exec("UPDATE creatives SET sku = NULL, product_name = 'red chair' WHERE creative_id = 'c_1'")
  const dry = (await createAdCampaign(source).dryRun?.(ARGS, {} as never)) as { sku: string }
  expect(dry.sku).toBe('chair-red')
})

test('campaigns can be read with what each day brought, and judged from a brief', async () => {
  const call = await client()
  const { data } = await call(ARGS)
  simulateDays(shop.db, 2, { operate: true })
  const text = await campaigns(source).read('', { id: data.campaign_id }, {} as never)
  const read = JSON.parse(text as string)
  expect(read).toMatchObject({ campaign_id: data.campaign_id, daily_budget: 6, status: 'running' })
  expect(read.days).toHaveLength(2)
  expect(read.spent).toBeCloseTo(read.days[0].spend + read.days[1].spend, 2)
  const brief = String(await campaignBrief(source).get({ campaign_id: data.campaign_id }, {} as never))
  expect(brief).toContain(`spend ${read.spent.toFixed(2)} EUR`)
  expect(brief).toMatch(/From today to its end, at the same budget/)
})
