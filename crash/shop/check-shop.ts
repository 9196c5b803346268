/**
 * What the runs of the shop say they did against what the shop holds: every order, reply, campaign, quote and page has one key, every key
 * one step that ended well, and every such step what it says it made. Whatever is there beside that was done twice.
 */
import type { DatabaseSync } from 'node:sqlite'
import type { Report } from '../../packages/myrmex/src/agent/run/journal/report.ts'
import type { RunRow } from '../../packages/myrmex/src/ledger/runs.ts'
import type { Problems } from '../problems.ts'
import type { EffectsCheck } from '../runs/check-runs.ts'
import { mismatches } from './check-figures.ts'
import { SERVE } from './fleet.ts'
import { CREATED_KINDS, costOf, createdBy, type KeyRow, keysOf } from './idempotency-keys.ts'
import { idsOf, readShop, type ShopSnapshot } from './shop-file.ts'

type StepReport = Report['steps'][number]

/** Tools that may find that nothing is to be done, and then leave no key. */
const MAY_LEAVE = new Set(['supplier.negotiate_price', 'store_build.optimize_seo'])
/** Tools that change nothing. */
const ONLY_LOOK = /^(product_research|analytics)\.|^supplier\.find_suppliers$/
/** Of two that serve the same customers one is too late; a supplier may have had enough. Nothing else fails here. */
const LATE = /^(AlreadyFulfilled|TicketClosed):/
const ENOUGH = /^TalksClosed:/

export class ShopCheck implements EffectsCheck {
  readonly #file: string
  readonly #before: ShopSnapshot
  readonly #problems: Problems
  /** what each step of a run that is over came to, by run and step */
  readonly #ended = new Map<string, StepReport['status']>()
  readonly tally = { shipped: 0, answered: 0, campaigns: 0, pages: 0, quotes: 0, rivals: 0, refusedTalks: 0 }

  constructor(file: string, before: ShopSnapshot, problems: Problems) {
    this.#file = file
    this.#before = before
    this.#problems = problems
  }

  /** Orders that are not sent and tickets that nobody answered. */
  get waiting(): number {
    return readShop(this.#file, (db) => {
      const row = db
        .prepare(
          `SELECT (SELECT count(*) FROM orders WHERE status = 'paid') + (SELECT count(*) FROM tickets WHERE status = 'open') AS n`,
        )
        .get()
      return Number(row?.n)
    })
  }

  checkAll(): void {
    readShop(this.#file, (db) => {
      this.#checkFigures(db)
      this.#checkMade(db, keysOf(db))
    })
  }

  #checkFigures(db: DatabaseSync): void {
    for (const { what, is, should } of mismatches(db, this.#before)) {
      const said = `${what}: ${is}, and it should be ${should}`
      if (is > should) this.#problems.doubling(said)
      else this.#problems.losing(said)
    }
  }

  /** Everything new was made under a key, and under one. */
  #checkMade(db: DatabaseSync, keys: readonly KeyRow[]): void {
    const makers = new Map<string, string>()
    for (const row of keys) {
      for (const [thing, id] of createdBy(row)) {
        const name = `${thing} ${id}`
        const other = makers.get(name)
        // A product may be on sale already when a page for it is made.
        if (other !== undefined && thing !== 'product')
          this.#problems.doubling(`${name} was made by ${other} and by ${row.key}`)
        makers.set(name, row.key)
      }
    }
    for (const thing of CREATED_KINDS) {
      const there = new Set(idsOf(db, thing))
      for (const id of there)
        if (!this.#before.has(thing, id) && !makers.has(`${thing} ${id}`))
          this.#problems.doubling(`${thing} ${id} was made by no key`)
    }
    const talks = idsOf(db, 'talk').filter((id) => !this.#before.has('talk', id)).length
    const keyed = keys.filter(({ method }) => method === 'suppliers.negotiate').length
    if (talks > keyed) this.#problems.doubling(`${talks} talks were had for ${keyed} keys`)
    if (talks < keyed) this.#problems.losing(`${talks} talks were had for ${keyed} keys`)
  }

  checkRun({ id, goal, spent }: RunRow, report: Report): void {
    const lose = (what: string): void => this.#problems.losing(`${id} (${goal}): ${what}`)
    readShop(this.#file, (db) => {
      const keys = keysOf(db).filter(({ run }) => run === id)
      if (report.status === 'failed') this.#checkFailure(db, goal, report, lose)
      else if (report.status !== 'succeeded') lose(`it ended as ${report.status}: ${report.summary}`)
      for (const step of report.steps) {
        this.#ended.set(`${id}/${step.id}`, step.status)
        const own = keys.filter((key) => key.step === step.id && !key.isUndo)
        const fault = faultOf(db, step, own)
        if (fault !== undefined) lose(`the report says that ${step.id} is ${step.status}, but ${fault}`)
        if (step.status === 'done') this.#count(step)
      }
      this.#checkMoney(`${id} (${goal})`, { report: report.spent, ledger: spent }, keys)
    })
  }

  /** Both say what was spent, and it is what was bought, and what the campaigns that the run started may spend. */
  #checkMoney(run: string, said: Readonly<Record<'report' | 'ledger', number>>, keys: readonly KeyRow[]): void {
    const cost = keys.reduce((sum, key) => sum + costOf(key), 0)
    for (const [who, spent] of Object.entries(said)) {
      // Money is added up in fractions, and a cent is the least there is.
      if (Math.abs(spent - cost) < 0.005) continue
      const what = `${run}: the ${who} says that ${spent} was spent; by the shop's keys it is ${cost}`
      if (cost > spent) this.#problems.doubling(what)
      else this.#problems.losing(what)
    }
  }

  #count({ tool, data }: StepReport): void {
    if (tool === 'operations.fulfill_order') this.tally.shipped++
    if (tool === 'customer_service.handle_ticket') this.tally.answered++
    if (tool === 'marketing.create_ad_campaign') this.tally.campaigns++
    if (tool === 'store_build.create_product_page') this.tally.pages++
    if (tool === 'supplier.negotiate_price' && (data as { deal: boolean }).deal) this.tally.quotes++
  }

  /** Only those may fail that came too late for a customer, or to a supplier that has had enough. */
  #checkFailure(db: DatabaseSync, goal: string, { steps, summary }: Report, lose: (what: string) => void): void {
    const failed = steps.filter(({ status }) => status === 'failed')
    if (failed.length === 0) lose(`it failed, and no step did: ${summary}`)
    for (const { id, error } of failed) {
      const isLate = goal === SERVE && error !== null && LATE.test(error)
      const hadEnough = goal !== SERVE && ENOUGH.test(error ?? '')
      if (isLate && !isServed(db, id)) lose(`${id} failed with ${error}, and nobody served it`)
      if (!isLate && !hadEnough) lose(`${id} failed with ${error}`)
    }
    if (goal === SERVE) this.tally.rivals++
    else this.tally.refusedTalks++
  }

  /** Every run is over: what was done under a key was done by a step that says so. */
  finish(): void {
    readShop(this.#file, (db) => {
      for (const { key, run, step } of keysOf(db)) {
        if (run === undefined) continue
        const status = this.#ended.get(`${run}/${step}`)
        if (status !== 'done' && status !== 'undone')
          this.#problems.losing(`${key} is a key of the shop, and its step is ${status ?? 'of no run'}`)
      }
    })
  }
}

/** Whether the customer of a step of serving was served, by whomever. */
function isServed(db: DatabaseSync, step: string): boolean {
  const [, what, id = ''] = /^(order|ticket)-(.+)$/.exec(step) ?? []
  const sql =
    what === 'order' ? 'SELECT 1 FROM shipments WHERE order_id = ?' : 'SELECT 1 FROM replies WHERE ticket_id = ?'
  return db.prepare(sql).get(id) !== undefined
}

/** How the shop is otherwise than the report says of a step. */
function faultOf(db: DatabaseSync, step: StepReport, keys: readonly KeyRow[]): string | undefined {
  const { tool, status, data } = step
  if (status === 'unknown') return 'every tool of the shop can be asked again'
  if (status === 'failed' || status === 'not_run')
    return keys.length === 0 ? undefined : `the shop has done it under ${keys.map(({ key }) => key).join(', ')}`
  if (ONLY_LOOK.test(tool)) return keys.length === 0 ? undefined : 'it changed the shop'
  if (keys.length === 0) return MAY_LEAVE.has(tool) ? undefined : 'the shop has no key of it'
  const made = new Set(keys.flatMap((key) => createdBy(key).map(([thing, id]) => `${thing} ${id}`)))
  const said = saidOf(tool, data as Said)
  const missing = said.find((name) => !made.has(name))
  if (missing !== undefined) return `${missing} is not what its keys made: ${[...made].join(', ')}`
  return status === 'done' && tool === 'supplier.negotiate_price' ? quotesLeft(db, keys) : undefined
}

interface Said {
  readonly order_id: string
  readonly purchases: readonly { readonly purchase_id: string }[]
  readonly ticket_id: string
  readonly campaign_id: string
  readonly creative_id: string
  readonly page_id: string
  readonly sku: string
  readonly quote_id: string | null
}

/** What a tool says it made. */
function saidOf(tool: string, data: Said): string[] {
  if (tool === 'operations.fulfill_order')
    return [`shipment ${data.order_id}`, ...data.purchases.map(({ purchase_id }) => `purchase ${purchase_id}`)]
  if (tool === 'customer_service.handle_ticket') return [`reply ${data.ticket_id}`]
  if (tool === 'marketing.create_ad_campaign') return [`campaign ${data.campaign_id}`]
  if (tool === 'marketing.write_copy') return [`creative ${data.creative_id}`]
  if (tool === 'store_build.create_product_page') return [`page ${data.page_id}`, `product ${data.sku}`]
  if (tool === 'supplier.negotiate_price' && data.quote_id !== null) return [`quote ${data.quote_id}`]
  return []
}

/** However often it talked, one quote is left of it at most. */
function quotesLeft(db: DatabaseSync, keys: readonly KeyRow[]): string | undefined {
  const ids = keys.flatMap((key) => createdBy(key).map(([, id]) => id))
  const left = ids.filter(
    (id) => db.prepare('SELECT 1 FROM quotes WHERE quote_id = ? AND dropped = 0').get(id) !== undefined,
  )
  return left.length > 1 ? `it holds the quotes ${left.join(' and ')} at once` : undefined
}
