/**
 * The fleet as a player: the seven agents behind their pipeline, called as a run calls them. It sees what any shop sees. On the
 * first morning it researches every category, chooses, bargains, builds, tunes and writes; then once a week it looks at the report,
 * takes down what does not earn its place, and places small campaigns where the prediction says that they pay.
 */
import { ToolError } from 'myrmex'
import { type Connection, connect } from 'myrmex/client'
import { type Fleet, openFleet } from 'myrmex/fleet'
import type { EmbeddedShop } from '../../packages/dropship/src/embedded/open.ts'
import { analytics, marketing, productResearch, storeBuild, supplier } from '../../packages/dropship/src/index.ts'
import { PLATFORMS } from '../../packages/dropship/src/ports.ts'
import type { Player } from './world.ts'

const WEEK = 7
/** What a product may be: research says what it would earn a day. */
interface Found {
  product_id: string
  product_name: string
  suggested_price: number
  images: string[]
  keywords: string[]
  profit_a_day: { expected: number }
}

interface Ware {
  readonly sku: string
  readonly creative_id: string
  readonly page: Record<string, unknown>
  readonly args: Record<string, unknown>
  /** a day, by research */
  readonly expected: number
  /** what its visitors are worth beside those of the whole shop, by the report */
  worth: number
}

export interface FleetOptions {
  /** how many products it begins with */
  readonly wares: number
}

export class FleetPlayer implements Player {
  readonly name = 'the fleet'
  readonly #options: FleetOptions
  readonly #wares = new Map<string, Ware>()
  #fleet: Fleet | undefined
  #connection: Connection | undefined
  calls = 0

  constructor(options: FleetOptions) {
    this.#options = options
  }

  async morning(shop: EmbeddedShop, day: number): Promise<void> {
    if (day === 0) {
      await this.#open(shop)
      await this.#launch()
    }
    if (day % WEEK === 0) await this.#review(day)
  }

  async close(): Promise<void> {
    await this.#connection?.close()
    await this.#fleet?.close()
  }

  readonly #callIds = new WeakMap<object, string>()

  async #open(shop: EmbeddedShop): Promise<void> {
    const source = async () => shop
    const agents = [productResearch, supplier, storeBuild, marketing, analytics].map((make) => make(source))
    this.#fleet = await openFleet({ agents: {} }, { agents })
    const { ledger, registry } = this.#fleet.server
    // The owner said yes beforehand: a bench has nobody to ask.
    for (const { tool } of registry.listed()) {
      if (!tool.destructive) continue
      const definition = { tool: tool.name, version: tool.version, hash: tool.hash }
      await ledger.trust.set(definition, 'trusted', 'bench')
      await ledger.grants.give(definition, 'bench')
    }
    this.#connection = await connect(this.#fleet.server)
  }

  /** `undone` is what the call returned that is to be undone. */
  async #call<T>(name: string, args: Record<string, unknown>, undone?: object): Promise<T | undefined> {
    this.calls++
    let callId = ''
    const undo = undone && this.#callIds.get(undone)
    const onCallId = (id: string): void => {
      callId = id
    }
    const options = { onCallId, ...(undo !== undefined && { undo }) }
    const { data, error } = (await this.#connection?.call(name, args, options)) ?? { data: null, error: null }
    if (error === null && data !== null) this.#callIds.set(data, callId)
    if (error === null) return data as T
    if (EXPECTED.has(error.error_type)) return undefined
    throw new ToolError(error.error_type, `${name} ${JSON.stringify(args)}: ${error.error_message}`)
  }

  async #launch(): Promise<void> {
    const found: Found[] = []
    for (const category of CATEGORIES) {
      const data = await this.#call<{ products: Found[] }>('product_research.find_winning_products', {
        category,
        limit: 25,
      })
      found.push(...(data?.products ?? []))
    }
    found.sort((a, b) => b.profit_a_day.expected - a.profit_a_day.expected)
    for (const product of found) {
      if (this.#wares.size >= this.#options.wares) break
      await this.#launchOne(product)
    }
  }

  async #launchOne(product: Found): Promise<void> {
    const { product_id, product_name: title, suggested_price: price, images, keywords } = product
    const offers = await this.#call<{ suppliers: { supplier_id: string; target_price: number }[] }>(
      'supplier.find_suppliers',
      { product_id },
    )
    const [best] = offers?.suppliers ?? []
    if (best === undefined) return
    await this.#call('supplier.negotiate_price', {
      supplier_id: best.supplier_id,
      product_id,
      target_price: best.target_price,
    })
    const args = { title, price, images, product_id }
    const page = await this.#call<{ page_id: string; sku: string }>('store_build.create_product_page', args)
    if (page === undefined) return
    await this.#call('store_build.optimize_seo', { page_id: page.page_id, keywords })
    const copy = await this.#call<{ creative_id: string }>('marketing.write_copy', {
      tone: 'friendly',
      product_name: title,
      sku: page.sku,
    })
    if (copy === undefined) return
    this.#wares.set(page.sku, {
      sku: page.sku,
      creative_id: copy.creative_id,
      page,
      args,
      expected: product.profit_a_day.expected,
      worth: 1,
    })
  }

  /** The report updates the expectation for each product. Products that had enough time and earn little are removed. */
  async #review(day: number): Promise<void> {
    if (day >= TRIAL_DAYS) await this.#clear()
    await this.#advertise()
  }

  async #clear(): Promise<void> {
    const report = await this.#call<{ products: Earned[] }>('analytics.generate_report', {
      date_range: 'last_30_days',
      charts: false,
    })
    const products = report?.products ?? []
    const visits = products.reduce((sum, one) => sum + one.visits, 0)
    const earned = products.reduce((sum, one) => sum + one.profit, 0)
    if (visits === 0) return
    // Visitors spread over all products: one whose visitors are worth far less than the others' takes them away.
    const usual = earned / visits
    for (const { sku, visits: own, profit } of products) {
      const ware = this.#wares.get(sku)
      if (ware === undefined) continue
      const worth = (profit + usual * PRIOR_VISITS) / (own + PRIOR_VISITS)
      ware.worth = worth / usual
      if (worth >= usual * LEAST_WORTH || this.#wares.size <= FEWEST) continue
      await this.#call('store_build.create_product_page', ware.args, ware.page)
      this.#wares.delete(sku)
    }
  }

  /**
   * A campaign is begun, its prediction read, and taken back at once where it does not promise to pay. Each asks for a slice; those that
   * promise most get it.
   */
  async #advertise(): Promise<void> {
    const promised: { args: Record<string, unknown>; profit: number }[] = []
    const best = [...this.#wares.values()]
      .sort((a, b) => b.expected * b.worth - a.expected * a.worth)
      .slice(0, MOST_ADVERTISED)
    for (const { creative_id } of best) {
      for (const platform of PLATFORMS) {
        const args = { platform, budget: SLICE, creative_id, days: WEEK }
        const made = await this.#call<Predicted>('marketing.create_ad_campaign', args)
        if (made === undefined) continue
        await this.#call('marketing.create_ad_campaign', args, made)
        promised.push({ args, profit: made.predicted.profit.expected })
      }
    }
    promised.sort((a, b) => b.profit - a.profit)
    for (const { args, profit } of promised) {
      if (profit <= 0 || (await this.#call('marketing.create_ad_campaign', args)) === undefined) break
    }
  }
}

interface Earned {
  sku: string
  visits: number
  profit: number
}

interface Predicted {
  predicted: { profit: { expected: number } }
}

/** Euros a day, so that the account's cap of 50 holds six campaigns. */
const SLICE = 8
const MOST_ADVERTISED = 10
/** A new page is found by half of its visitors after two weeks; before four nothing is decided. */
const TRIAL_DAYS = 28
/** What is known of a product before its first visitor counts as much as so many of them. */
const PRIOR_VISITS = 60
const LEAST_WORTH = 0.35
const FEWEST = 6

const CATEGORIES = ['Home Decor', 'Office', 'Coffee', 'Kitchen', 'Pets', 'Fitness', 'Outdoor', 'Beauty', 'Tech']
/** What may happen to a shop, and ends nothing. */
const EXPECTED = new Set([
  'NoSupplier',
  'TalksClosed',
  'AccountCapReached',
  'NothingToSell',
  'PriceBelowCost',
  'KeywordUnrelated',
  'BudgetTooSmall',
  'TargetTooHigh',
  'NoOffer',
  'NoData',
])
