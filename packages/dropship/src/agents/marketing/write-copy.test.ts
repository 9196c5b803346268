import { smallShop } from '@myrmex/testing/shop/test-shops'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { EmbeddedShop } from '../../embedded/open.ts'
import { CHANNEL_LIMITS } from './copy/channel-limits.ts'
import { compose } from './copy/compose.ts'
import type { ProductFacts } from './copy/product-facts.ts'
import { scoreDrafts } from './copy/score.ts'
import { sentencesOf } from './copy/sentences.ts'
import { TONES } from './copy/tones.ts'
import { writeCopy } from './write-copy.ts'

let shop: EmbeddedShop
beforeAll(async () => {
  shop = await smallShop()
})
afterAll(() => shop.close())

interface Written {
  creative_id: string
  sku: string | null
  notes: string[]
  variants: {
    creative_id: string
    channel: keyof typeof CHANNEL_LIMITS
    headline: string
    body: string
    score: number
    verdict: string
    grounded_in: string[]
  }[]
}
const write = async (args: object, key?: string): Promise<Written> => {
  const answer = await writeCopy(async () => shop).run(args, { idempotencyKey: key } as never)
  return (answer as { data: Written }).data
}

const KNOWN: ProductFacts = {
  title: 'Camp Lantern',
  sku: 'lantern',
  product_id: '7',
  niche: 'Camping Gear',
  price: 39.9,
  currency: 'EUR',
  rating: 4.4,
  reviews: 87,
  facts: [
    { name: 'material', value: 'aluminium' },
    { name: 'weight', value: '280 g' },
    { name: 'waterproof', value: 'splash proof' },
    { name: 'dishwasher safe', value: 'no' },
    { name: 'dimmable', value: 'yes' },
    { name: 'size', value: 'M' },
  ],
  keywords: ['lantern'],
  policyFigures: { return_days: 30, shipping_cost: 4.9 },
  policyTexts: ['You may send anything back within 30 days.'],
  available: 50,
}
const all = (known: ProductFacts) =>
  TONES.flatMap((tone) =>
    (Object.keys(CHANNEL_LIMITS) as (keyof typeof CHANNEL_LIMITS)[]).flatMap((channel) =>
      compose(known, tone, channel),
    ),
  )

describe('what is written', () => {
  test('fits its place, in every tone and channel', () => {
    for (const title of ['Lamp', KNOWN.title, 'A Very Long Title '.repeat(6).trim()]) {
      for (const { channel, headline, body, call_to_action } of all({ ...KNOWN, title })) {
        expect(headline.length).toBeLessThanOrEqual(CHANNEL_LIMITS[channel].headline)
        expect(body.length).toBeLessThanOrEqual(CHANNEL_LIMITS[channel].body)
        expect(body.length).toBeGreaterThan(20)
        expect(call_to_action).not.toBe('')
      }
    }
  })

  test('is grounded in the facts, by the critic, whatever the tone', async () => {
    for (const { judgements, body } of await scoreDrafts(all(KNOWN), KNOWN)) {
      const judged = Object.fromEntries(judgements.map(({ criterion, score }) => [criterion, score]))
      expect([body, judged.grounding]).toEqual([body, 1])
      expect([body, judged.policy]).toEqual([body, 1])
      expect(judged.length).toBe(1)
    }
  })

  test('claims nothing that the data lacks or denies', () => {
    const said = all(KNOWN)
      .map(({ headline, body, call_to_action }) => `${headline} ${body} ${call_to_action}`)
      .join(' ')
    expect(said).not.toMatch(
      /waterproof|dishwasher|best|free|guarantee|warranty|only \d+ |hurry|last chance|discount|%/i,
    )
    expect(said).toMatch(/dimmable/)
    expect(said).toMatch(/280 g in weight/)
    const bare: ProductFacts = {
      ...KNOWN,
      rating: undefined,
      reviews: 0,
      facts: [],
      policyFigures: {},
      policyTexts: [],
      niche: undefined,
    }
    const little = all(bare)
      .map(({ body }) => body)
      .join(' ')
    expect(little).not.toMatch(/review|out of 5|days|month/)
    expect(sentencesOf(bare).map(({ fact }) => fact)).toEqual(['price'])
  })

  test('says that pieces are few only where they are', () => {
    const scarce = compose({ ...KNOWN, available: 4 }, 'urgent', 'facebook')
    expect(
      scarce.some(({ body }) => body.includes('only 4 pieces are left') || body.includes('Only 4 pieces are left')),
    ).toBe(true)
    for (const available of [0, 11, undefined]) {
      for (const { body, headline } of compose({ ...KNOWN, available }, 'urgent', 'facebook'))
        expect(`${headline} ${body}`).not.toMatch(/left/)
    }
  })

  test('differs from product to product and is the same for the same', () => {
    expect(all(KNOWN)).toEqual(all(KNOWN))
    const bodies = Array.from(
      { length: 12 },
      (_, at) => compose({ ...KNOWN, product_id: String(at) }, 'friendly', 'email')[0]?.body,
    )
    expect(new Set(bodies).size).toBeGreaterThan(6)
  })

  test('has no markup and no praise of strangers in it', async () => {
    const hostile: ProductFacts = {
      ...KNOWN,
      title: '<b>Best</b> #1 @chair',
      facts: [{ name: 'material', value: '<img src=x>' }],
    }
    const drafts = all(hostile)
    for (const { channel, headline, body } of drafts) {
      expect(headline + body).not.toMatch(/[<>]/)
      if (channel === 'tiktok') expect(headline + body).not.toMatch(/[@#]/)
    }
    const [first] = await scoreDrafts(drafts, hostile)
    expect(first?.verdict).toBe('fail')
  })
})

describe('the tool', () => {
  test('keeps what it wrote under one key once, the best first', async () => {
    const before = (await shop.ads.creatives()).length
    const one = await write({ tone: 'urgent', product_name: 'comfy  CHAIR' }, 'copy-1')
    const two = await write({ tone: 'urgent', product_name: 'comfy  CHAIR' }, 'copy-1')
    expect(two).toEqual(one)
    const kept = await shop.ads.creatives()
    expect(kept.length - before).toBe(one.variants.length)
    expect(one.creative_id).toBe(one.variants[0]?.creative_id)
    expect(new Set(one.variants.map(({ channel }) => channel))).toEqual(new Set(['facebook', 'instagram', 'tiktok']))
    expect(one.variants.map(({ score }) => score)).toEqual(
      one.variants.map(({ score }) => score).toSorted((a, b) => b - a),
    )
    const first = kept.find(({ creative_id }) => creative_id === one.creative_id)
    expect(first).toMatchObject({ product_name: 'Comfy Chair', tone: 'urgent', headline: one.variants[0]?.headline })
  })

  test('says why an urgent text is not urgent', async () => {
    const { notes, variants } = await write({ tone: 'urgent', product_name: 'Red Chair', sku: 'chair-red' })
    expect(notes.join()).toMatch(/It is not scarce \(50 available, and 10 or fewer count as scarce\)/)
    for (const { body } of variants) expect(body).not.toMatch(/left/)
  })

  test('takes its words back', async () => {
    const before = await shop.ads.creatives()
    const input = { tone: 'plain', product_name: 'Red Chair', channel: 'page' }
    const tool = writeCopy(async () => shop)
    const data = await write(input)
    await tool.undo?.(input, data, { idempotencyKey: 'u' } as never)
    expect(await shop.ads.creatives()).toEqual(before)
  })

  test('writes for a listing that the shop does not sell yet, and says so', async () => {
    const sold = new Set((await shop.storefront.products()).map(({ product_id }) => product_id))
    const listing = (await shop.marketplace.listings()).find(({ product_id }) => !sold.has(product_id))
    const { sku, notes } = await write({ tone: 'plain', product_name: listing?.title })
    expect(sku).toBeNull()
    expect(notes.join()).toMatch(/does not sell it yet/)
  })
})
