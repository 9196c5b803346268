/**
 * Customers who order while the shop is killed: each sends one form, often twice, to the leader's process and to ours at once, or
 * again when no answer came. Each form has a key, and each is one order.
 */
import type { DatabaseSync } from 'node:sqlite'
import { type EmbeddedShop, openShop } from '../../packages/dropship/src/index.ts'
import type { Problems } from '../problems.ts'
import type { WorkerProcess } from '../runs/worker-process.ts'
import type { SeededRandom } from '../seeded-random.ts'
import type { OrderForm, PlacedOrder } from './worker.ts'

const CITIES = ['Berlin', 'Utrecht', 'Lyon', 'Graz'] as const
const COUNTRIES = { Berlin: 'DE', Utrecht: 'NL', Lyon: 'FR', Graz: 'AT' } as const
const POSTAL = { Berlin: '10115', Utrecht: '3511 AB', Lyon: '69001', Graz: '8010' } as const

export class OrderForms {
  readonly #file: string
  readonly #problems: Problems
  readonly #sent: OrderForm[] = []
  /** sent to a leader alone, and not known to have arrived */
  #unsure: OrderForm[] = []
  readonly #answers = new Map<string, Set<string>>()
  #shop: Promise<EmbeddedShop> | undefined

  constructor(file: string, problems: Problems) {
    this.#file = file
    this.#problems = problems
  }

  get count(): number {
    return this.#sent.length
  }

  /** Whoever got no answer sends the form again. */
  get isSettled(): boolean {
    return this.#unsure.length === 0
  }

  heard({ key, order_id }: PlacedOrder): void {
    const known = this.#answers.get(key)
    if (known === undefined) this.#answers.set(key, new Set([order_id]))
    else known.add(order_id)
  }

  async send(chance: SeededRandom, leader: WorkerProcess | undefined): Promise<void> {
    const shop = await this.#open()
    const form = this.#draw(chance, shop.db)
    this.#sent.push(form)
    leader?.tell(form)
    if (leader !== undefined && chance.often(0.3)) {
      this.#unsure.push(form)
      return
    }
    await this.#place(shop, form)
    if (chance.often(0.3)) await this.#place(shop, form)
  }

  async sendAgain(): Promise<void> {
    const again = this.#unsure
    this.#unsure = []
    const shop = await this.#open()
    for (const form of again) await this.#place(shop, form)
  }

  async #place(shop: EmbeddedShop, { key, order }: OrderForm): Promise<void> {
    const { order_id } = await shop.orders.place(order, key)
    this.heard({ key, order_id })
  }

  #draw(chance: SeededRandom, db: DatabaseSync): OrderForm {
    const number = this.#sent.length + 1
    // What the shop began with: it stays on sale, whatever becomes of a launch.
    const skus = db.prepare("SELECT sku FROM products WHERE status = 'active' ORDER BY created_on, sku LIMIT 12").all()
    const lines = chance.some(skus, chance.between(1, 3)).map(({ sku }) => ({
      sku: String(sku),
      quantity: chance.often(0.7) ? 1 : 2,
    }))
    const city = chance.pick(CITIES)
    const name = `Form ${number}`
    const address = {
      name,
      street: `Hauptstrasse ${number}`,
      city,
      postal_code: POSTAL[city],
      country: COUNTRIES[city],
    }
    return { key: `form ${number}`, order: { email: emailOf(number), address, lines, channel: 'direct' } }
  }

  /** Every form that was surely received is one order, and every answer has its number. */
  check(db: DatabaseSync): void {
    const orders = Map.groupBy(
      db.prepare("SELECT email, order_id FROM orders WHERE email LIKE 'form-%@example.com'").all(),
      ({ email }) => String(email),
    )
    for (const [index, form] of this.#sent.entries()) {
      const made = (orders.get(emailOf(index + 1)) ?? []).map(({ order_id }) => String(order_id))
      const told = [...(this.#answers.get(form.key) ?? [])]
      if (made.length > 1) this.#problems.doubling(`${form.key} became the orders ${made.join(', ')}`)
      if (made.length === 0 && !this.#unsure.includes(form)) this.#problems.losing(`${form.key} became no order`)
      for (const order_id of told)
        if (!made.includes(order_id))
          this.#problems.losing(
            `${form.key} was answered with order ${order_id}; there is ${made.join(', ') || 'none'}`,
          )
    }
  }

  #open(): Promise<EmbeddedShop> {
    this.#shop ??= openShop({ file: this.#file })
    return this.#shop
  }

  /** Lets go of the shop's file. */
  async detach(): Promise<void> {
    const shop = this.#shop
    this.#shop = undefined
    await (await shop)?.close()
  }
}

const emailOf = (number: number): string => `form-${number}@example.com`
