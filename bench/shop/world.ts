/** One world for every player: an empty shop in a market with a year of public history, copied for each, and 90 days to live in. */
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addDays } from '../../packages/dropship/src/day.ts'
import { createShop } from '../../packages/dropship/src/embedded/create.ts'
import { type EmbeddedShop, openShop } from '../../packages/dropship/src/embedded/open.ts'
import { simulateDays } from '../../packages/dropship/src/market/day.ts'
import { toAmount } from '../../packages/dropship/src/money.ts'

export const DAYS = 90

export interface Player {
  readonly name: string
  /** Called on every morning, the first included. */
  morning(shop: EmbeddedShop, day: number): Promise<void> | void
}

export interface PlayResult {
  readonly name: string
  /** revenue less goods, shipping, fees, refunds and ads, in the shop's currency */
  readonly profit: number
  readonly revenue: number
  readonly ads: number
  readonly products: number
  readonly orders: number
}

export class World {
  readonly seed: number
  readonly #folder: string
  #count = 0

  constructor(seed: number, folder: string) {
    this.seed = seed
    this.#folder = folder
  }

  static async create(seed: number): Promise<World> {
    const world = new World(seed, await mkdtemp(join(tmpdir(), 'myrmex-bench-shop-')))
    await createShop({ file: world.#file('template'), seed, products: 0 })
    return world
  }

  /** Staff fulfils orders and answers tickets in the same way for every player. The comparison is about products, suppliers and prices. */
  async play(player: Player, days = DAYS): Promise<PlayResult> {
    const file = this.#file(`player-${++this.#count}`)
    await copyFile(this.#file('template'), file)
    const shop = await openShop({ file })
    try {
      const from = await shop.clock.today()
      for (let day = 0; day < days; day++) {
        await player.morning(shop, day)
        simulateDays(shop.db, 1, { operate: true })
      }
      return await result(shop, player.name, from, addDays(from, days))
    } finally {
      await shop.close()
    }
  }

  async close(): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true })
  }

  #file(name: string): string {
    return join(this.#folder, `${name}.db`)
  }
}

async function result(shop: EmbeddedShop, name: string, from: string, to: string): Promise<PlayResult> {
  const sales = await shop.books.sales({ from, to })
  const spent = await shop.ads.results({ from, to })
  const sum = <T>(rows: readonly T[], of: (row: T) => number): number => rows.reduce((all, row) => all + of(row), 0)
  const ads = sum(spent, ({ spend }) => spend)
  const kept = sum(sales, ({ revenue, cost, refunds }) => revenue - cost - refunds)
  return {
    name,
    profit: toAmount(kept - ads),
    revenue: toAmount(sum(sales, ({ revenue }) => revenue)),
    ads: toAmount(ads),
    products: (await shop.storefront.products()).length,
    orders: sum(sales, ({ orders }) => orders),
  }
}
