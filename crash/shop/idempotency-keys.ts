/** The shop's keys: each names a step of a run or a form, and what came of it is in the shop, once. */
import type { DatabaseSync } from 'node:sqlite'
import type { RecordKind } from './shop-file.ts'

export interface KeyRow {
  readonly key: string
  /** the port's method */
  readonly method: string
  readonly result: unknown
  /** undefined where no run did it */
  readonly run: string | undefined
  /** as the run's plan calls it */
  readonly step: string
  /** it takes back what the step did */
  readonly isUndo: boolean
}

/** `run:r-1/page/undo withdrawn`: the run, the step, and whatever the tool put behind it. */
const SHAPE = /^run:([^/]+)\/([A-Za-z0-9_-]+)(.*)$/s

export const keysOf = (db: DatabaseSync): KeyRow[] =>
  db
    .prepare('SELECT key, what, result FROM keys ORDER BY key')
    .all()
    .map(({ key, what, result }) => {
      const [, run, step = '', rest = ''] = SHAPE.exec(String(key)) ?? []
      return {
        key: String(key),
        method: String(what).slice(0, String(what).indexOf(' ')),
        result: JSON.parse(String(result)),
        run,
        step,
        isUndo: rest.startsWith('/undo') || rest.startsWith('~2/undo'),
      }
    })

/** What a method makes, by kind and id. */
const MAKES: Readonly<Record<string, (result: never) => readonly (readonly [RecordKind, string])[]>> = {
  'orders.fulfil': ({ order, purchases }: { order: Ids; purchases: Ids[] }) => [
    ['shipment', order.order_id],
    ...purchases.map(({ purchase_id }) => ['purchase', purchase_id] as const),
  ],
  'helpdesk.answer': ({ ticket_id }: Ids) => [['reply', ticket_id]],
  'ads.start': ({ campaign_id }: Ids) => [['campaign', campaign_id]],
  'ads.keep': (kept: Ids[]) => kept.map(({ creative_id }) => ['creative', creative_id] as const),
  'suppliers.negotiate': ({ quote }: { quote?: Ids }) => (quote === undefined ? [] : [['quote', quote.quote_id]]),
  'storefront.publish': ({ page: { page_id, sku } }: { page: Ids }) => [
    ['page', page_id],
    ['product', sku],
  ],
}

interface Ids {
  readonly order_id: string
  readonly purchase_id: string
  readonly ticket_id: string
  readonly campaign_id: string
  readonly creative_id: string
  readonly quote_id: string
  readonly page_id: string
  readonly sku: string
}

export const createdBy = ({ method, result }: KeyRow): readonly (readonly [RecordKind, string])[] =>
  MAKES[method]?.(result as never) ?? []

/** Kinds of which everything new was made by a key, and one key made it. */
export const CREATED_KINDS: readonly RecordKind[] = [
  'shipment',
  'purchase',
  'reply',
  'campaign',
  'creative',
  'quote',
  'page',
  'product',
]

/** What was spent at suppliers, or what a campaign may cost as it was started: money a day, on so many days. */
export function costOf({ method, result }: KeyRow): number {
  if (method === 'orders.fulfil') {
    const { purchases } = result as { purchases: readonly { total: number }[] }
    return purchases.reduce((sum, { total }) => sum + total, 0) / 100
  }
  if (method !== 'ads.start') return 0
  const { daily, started_on, ends_on } = result as { daily: number; started_on: string; ends_on: string }
  const days = (Date.parse(ends_on) - Date.parse(started_on)) / 86_400_000 + 1
  return (daily * days) / 100
}
