/** `myrmex dropship simulate`: simulates some days of the market, and prints their totals. */
import { ToolError } from 'myrmex'
import { print, requireProjectOf } from 'myrmex/serve'
import { plural } from 'myrmex/text'
import { closeTheShop, shopFile, theShop } from '../agents/the-shop.ts'
import { describeFileError } from '../embedded/database/store.ts'
import type { EmbeddedShop } from '../embedded/open.ts'
import { type SimulationSummary, simulateDays } from '../market/day.ts'
import { moneyText } from '../money.ts'
import { sayIfCreated } from './say-if-created.ts'

export interface SimulateOptions {
  days: number
  operate?: boolean
  json?: boolean
}

export async function simulate({ days, operate = false, json }: SimulateOptions): Promise<void> {
  await requireProjectOf(shopFile(process.env))
  sayIfCreated()
  const shop = await theShop()
  try {
    if (!isEmbedded(shop))
      throw new ToolError(
        'ValidationError',
        `Only an embedded shop has a market to simulate, and MYRMEX_SHOP names a live one.`,
      )
    const from = await shop.clock.today()
    const summary = simulateReadable(shop, days, operate)
    const today = await shop.clock.today()
    if (json) return print(JSON.stringify({ ...summary, from, today }))
    const { visits, orders, revenue, spend, tickets, refunded } = summary
    const money = (cents: number): string => moneyText(cents, shop.currency)
    print(
      [
        `${plural(days, 'day')}, ${from} to ${today}:`,
        `  ${visits} visitors, ${orders} orders for ${money(revenue)}, ${money(spend)} spent on ads`,
        `  ${tickets} tickets, ${money(refunded)} refunded`,
        operate ? '' : `Next: npx myrmex run "Serve the customers"`,
      ]
        .filter((line) => line !== '')
        .join('\n'),
    )
  } finally {
    await closeTheShop()
  }
}

const isEmbedded = (shop: object): shop is EmbeddedShop => 'db' in shop && process.env.MYRMEX_SHOP !== 'shopify'

/** If a day fails, the days before it stay simulated. */
function simulateReadable(shop: EmbeddedShop, days: number, operate: boolean): SimulationSummary {
  try {
    return simulateDays(shop.db, days, { operate })
  } catch (error) {
    throw describeFileError(error)
  }
}
