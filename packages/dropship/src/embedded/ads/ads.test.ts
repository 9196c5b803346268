/** Words and campaigns, and the account's own limit on a day's spend. */

import { smallShop } from '@myrmex/testing/shop/test-shops'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { addDays } from '../../day.ts'
import type { Platform } from '../../ports.ts'
import type { EmbeddedShop } from '../open.ts'

const WORDS = {
  sku: 'chair-red',
  product_name: 'Red Chair',
  tone: 'calm',
  channel: 'instagram',
  headline: 'Sit down',
  body: 'A red chair.',
  call_to_action: 'See it',
  score: 0.7,
}

let shop: EmbeddedShop
let today: string
beforeEach(async () => {
  shop = await smallShop()
  today = await shop.clock.today()
  shop.db.exec(`UPDATE campaigns SET status = 'ended'; UPDATE meta SET value = '5000' WHERE name = 'ads_daily_cap'`)
})
afterEach(() => shop.close())

const start = (daily: number, more: object = {}) =>
  shop.ads.start({ platform: 'tiktok', creative_id: 'c_1', sku: 'chair-red', daily, days: 14, ...more }, undefined)

async function refused(work: () => Promise<unknown>, error_type: string): Promise<void> {
  const dump = shop.dump()
  await expect(work()).rejects.toMatchObject({ error_type })
  expect(shop.dump()).toBe(dump)
}

test('words are kept, numbered, found and taken back', async () => {
  const kept = await shop.ads.saveCreatives([WORDS, { ...WORDS, sku: undefined, tone: 'loud' }], 'copy')
  expect(kept).toMatchObject([{ ...WORDS, made_on: today }, { tone: 'loud' }])
  expect(await shop.ads.saveCreatives([WORDS, { ...WORDS, sku: undefined, tone: 'loud' }], 'copy')).toEqual(kept)
  expect(await shop.ads.creative(kept[0]?.creative_id ?? '')).toEqual(kept[0])
  expect((await shop.ads.creatives({ sku: 'chair-red' })).at(-1)).toEqual(kept[0])
  const ids = kept.map(({ creative_id }) => creative_id)
  await shop.ads.deleteCreatives(ids, 'undo')
  expect(await shop.ads.creative(ids[0] ?? '')).toBeUndefined()
  await refused(() => shop.ads.saveCreatives([WORDS, { ...WORDS, sku: 'no-such' }], undefined), 'UnknownSku')
})

test('words that a campaign uses are not taken back, nor any with them', async () => {
  const [kept] = await shop.ads.saveCreatives([WORDS], undefined)
  await start(100)
  await refused(() => shop.ads.deleteCreatives([kept?.creative_id ?? '', 'c_1'], undefined), 'CreativeInUse')
})

test('a campaign runs from today for as many days as were asked for', async () => {
  const campaign = await start(1500)
  expect(campaign).toMatchObject({
    daily: 1500,
    started_on: today,
    ends_on: addDays(today, 13),
    status: 'running',
    spent: 0,
  })
  expect(await shop.ads.campaigns({ campaign_id: campaign.campaign_id })).toEqual([campaign])
  expect(await shop.ads.account()).toEqual({ daily_cap: 5000, daily_committed: 1500 })
})

test('all running campaigns together stay within the cap of the account, to the cent', async () => {
  const first = await start(3000)
  await refused(() => start(2001), 'AccountCapReached')
  const second = await start(2000)
  await refused(() => shop.ads.scale(second.campaign_id, 2001, undefined), 'AccountCapReached')
  expect(await shop.ads.scale(second.campaign_id, 1500, undefined)).toMatchObject({ daily: 1500 })
  expect(await shop.ads.scale(first.campaign_id, 3500, undefined)).toMatchObject({ daily: 3500 })
  await shop.ads.stop(first.campaign_id, 'no return', undefined)
  await expect(start(3500)).resolves.toMatchObject({ status: 'running' })
})

test('many starts at once do not pass the cap', async () => {
  const tries = await Promise.allSettled(Array.from({ length: 10 }, () => start(900)))
  expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
  expect((await shop.ads.account()).daily_committed).toBe(4500)
})

test('a campaign that is over is not scaled, and stays as it ended', async () => {
  const { campaign_id } = await start(1000)
  const stopped = await shop.ads.stop(campaign_id, 'no return', undefined)
  expect(stopped).toMatchObject({ status: 'stopped', stop_reason: 'no return' })
  expect(await shop.ads.stop(campaign_id, 'again', undefined)).toEqual(stopped)
  await refused(() => shop.ads.scale(campaign_id, 2000, undefined), 'CampaignOver')
  await refused(() => shop.ads.scale('cmp_9999', 2000, undefined), 'UnknownCampaign')
  await refused(() => shop.ads.stop('cmp_9999', 'x', undefined), 'UnknownCampaign')
})

test('what cannot be advertised is refused', async () => {
  await refused(() => start(1000, { creative_id: 'c_9999' }), 'UnknownCreative')
  await refused(() => start(1000, { sku: 'no-such' }), 'UnknownSku')
  await refused(() => start(1000, { platform: 'radio' as Platform }), 'ValidationError')
  for (const days of [0, 366, 1.5]) await refused(() => start(1000, { days }), 'ValidationError')
  for (const daily of [0, -1, 0.5]) await refused(() => start(daily), 'ValidationError')
  shop.db.exec(`UPDATE products SET status = 'paused' WHERE sku = 'chair-red'`)
  await refused(() => start(1000), 'ProductPaused')
})

test('results come with platform and product, oldest first', async () => {
  const { campaign_id } = await start(1000)
  const put = shop.db.prepare('INSERT INTO campaign_days VALUES (?, ?, 900, 1000, 20, 1, 7990)')
  put.run(campaign_id, addDays(today, 1))
  put.run(campaign_id, today)
  const days = await shop.ads.results({ from: today, to: addDays(today, 9), campaign_id })
  expect(days.map(({ day }) => day)).toEqual([today, addDays(today, 1)])
  expect(days[0]).toEqual({
    campaign_id,
    platform: 'tiktok',
    sku: 'chair-red',
    day: today,
    spend: 900,
    impressions: 1000,
    clicks: 20,
    orders: 1,
    revenue: 7990,
  })
})

test('platforms say what a click costs', async () => {
  const found = await shop.ads.benchmarks()
  expect(found.map(({ platform, click_cost }) => [platform, click_cost])).toContainEqual(['tiktok', 40])
})
