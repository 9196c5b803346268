/** The fourteen tools of the shop as a planner sees them, with plausible schemas, and a short way to write further ones. */

import type { ToolView } from '../../packages/myrmex/src/agent/fleet/tool-view.ts'
import type { JsonObject } from '../../packages/myrmex/src/protocol/json.ts'

type Properties = Record<string, JsonObject>

/** Names that end in `?` are optional. */
export function objectOf(properties: Properties): JsonObject {
  const required = Object.keys(properties).filter((name) => !name.endsWith('?'))
  const plain = Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name.replace(/\?$/, ''), schema]),
  )
  return { type: 'object', properties: plain, required, additionalProperties: false }
}

export const text = (type_id?: string): JsonObject => ({
  type: 'string',
  ...(type_id === undefined ? {} : { type_id }),
})
export const number = (type_id?: string): JsonObject => ({
  type: 'number',
  ...(type_id === undefined ? {} : { type_id }),
})
export const listOf = (items: JsonObject): JsonObject => ({ type: 'array', items })
export const oneOf = (...values: string[]): JsonObject => ({ type: 'string', enum: values })

export function view(name: string, input: Properties, output: Properties, more: Partial<ToolView> = {}): ToolView {
  return {
    agent: name.slice(0, name.indexOf('.')),
    name,
    version: '1.0.0',
    hash: `hash of ${name}`,
    description: '',
    input: objectOf(input),
    output: objectOf(output),
    destructive: false,
    idempotent: true,
    undo: false,
    ...more,
  }
}

const changes = (description: string): Partial<ToolView> => ({ description, destructive: true, idempotent: false })

export const SHOP: readonly ToolView[] = [
  view(
    'product_research.find_winning_products',
    { category: text('category'), 'criteria?': listOf(oneOf('demand', 'trend', 'margin', 'risk')) },
    {
      products: listOf(
        objectOf({
          product_id: text('product_id'),
          title: text('product_title'),
          product_name: text('product_name'),
          price: number('price'),
          images: listOf(text('image_url')),
          score: number(),
        }),
      ),
    },
    { description: 'Scores every listing of a category on demand, trend, competition, margin and risk.' },
  ),
  view(
    'product_research.analyze_niche',
    { niche: text('category') },
    { concentration: number(), saturation: number(), verdict: text() },
    { description: 'Says how crowded a niche is, its price band and its season.' },
  ),
  view(
    'supplier.find_suppliers',
    { product_id: text('product_id'), 'min_rating?': number() },
    {
      suppliers: listOf(
        objectOf({ supplier_id: text('supplier_id'), landed_cost: number('unit_cost'), lead_days: number() }),
      ),
    },
    {
      description: 'Offers for a product that no other offer beats, ranked by landed cost, lead time and reliability.',
    },
  ),
  view(
    'supplier.negotiate_price',
    { supplier_id: text('supplier_id'), target_price: number('target_price') },
    {
      quote: objectOf({ quote_id: text('quote_id'), agreed_price: number('agreed_price') }),
      deal: { type: 'boolean' },
    },
    changes('Bargains with a supplier and comes back with a quote, or with no deal.'),
  ),
  view(
    'store_build.create_product_page',
    { title: text('product_title'), price: number('price'), images: listOf(text('image_url')) },
    { page_id: text('page_id'), url: text('page_url') },
    changes('Makes the page of a product in the shop.'),
  ),
  view(
    'store_build.optimize_seo',
    { page_id: text('page_id'), 'keywords?': listOf(text('keyword')) },
    { page_id: text('page_id'), score_before: number(), score_after: number() },
    changes('Audits the HTML of a page and fixes it for search engines.'),
  ),
  view(
    'marketing.create_ad_campaign',
    {
      platform: oneOf('tiktok', 'facebook', 'instagram'),
      budget: { type: 'number', minimum: 0, type_id: 'money', 'x-cost': true },
      creative_id: text('creative_id'),
    },
    { campaign_id: text('campaign_id'), predicted_orders: number() },
    changes('Plans the spend of an advertisement and predicts reach, clicks and orders.'),
  ),
  view(
    'marketing.write_copy',
    { 'tone?': oneOf('friendly', 'serious', 'playful'), product_name: text('product_name') },
    { creative_id: text('creative_id'), headline: text('headline'), body: text('copy') },
    changes('Writes texts for a product by tone and channel, grounded in its facts.'),
  ),
  view(
    'customer_service.handle_ticket',
    { ticket_id: text('ticket_id'), 'sentiment?': text() },
    { reply: text('reply'), order_id: text('order_id') },
    changes('Reads a complaint, finds the order behind it and drafts a reply.'),
  ),
  view(
    'customer_service.generate_faq',
    { topic: text() },
    { questions: listOf(objectOf({ question: text(), answer: text() })), tickets_covered: number() },
    { description: 'Answers what customers ask most.' },
  ),
  view(
    'operations.fulfill_order',
    { order_id: text('order_id'), address: objectOf({ name: text(), street: text(), city: text(), country: text() }) },
    { shipment_id: text('shipment_id') },
    changes('Orders at the supplier and ships to the customer, once per order.'),
  ),
  view(
    'operations.check_inventory',
    { sku: text('sku') },
    { on_hand: number(), reserved: number(), days_of_cover: number() },
    { description: 'What is on hand, reserved and incoming of a stock keeping unit.' },
  ),
  view(
    'analytics.generate_report',
    { date_range: objectOf({ from: { type: 'string', format: 'date' }, to: { type: 'string', format: 'date' } }) },
    { revenue: number(), margin: number(), conversion: number() },
    { description: 'Revenue, cost, spend, margin and conversion by channel and product.' },
  ),
  view(
    'analytics.predict_sales',
    { month: { type: 'string', pattern: '^\\d{4}-\\d{2}$' } },
    { units: number(), low: number(), high: number() },
    { description: 'A seasonal forecast with intervals.' },
  ),
]
