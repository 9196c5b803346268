/**
 * What stands out in a report, as sentences with their figures. Each is found by a rule, and each threshold stands in its
 * sentence, so that a reader can disagree with it.
 */
import { plainLabel } from '../../charts/label.ts'
import type { Figures, Finding } from './report-schema.ts'

/** Changes smaller than this are taken for the noise of a shop this size. */
const NOTABLE_CHANGE = 0.1
/** The constitution lets campaigns be scaled above this. */
const SCALES_ABOVE = 1.5
/** The shop's own mark: sales pause above it. */
const REFUNDS_HIGH = 0.05
const REFUNDS_RISING = 0.03
/** A share of revenue on one product that makes the shop depend on it. */
const DEPENDS = 0.3
/** Visits without an order that chance explains in fewer than one case of twenty at a conversion of 2 %: 0.98 ^ 150 = 0.048. */
const SEEN_ENOUGH = 150
/** Two proportions further apart than this many standard errors differ, by the usual test. */
const CLEARLY = 2
const WAITS_TOO_LONG = 3
const MOST_OF_A_KIND = 3

type Rule = (figures: Figures) => readonly Finding[]

export function findings(figures: Figures): Finding[] {
  const order = { warning: 0, notice: 1, good: 2 }
  return RULES.flatMap((rule) => rule(figures)).sort((a, b) => order[a.level] - order[b.level])
}

const found = (rule: string, level: Finding['level'], text: string): Finding => ({ rule, level, text })

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`
const money = ({ currency }: Figures, amount: number): string =>
  `${amount.toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 })} ${currency}`
const named = (channel: string): string => plainLabel(channel, 30).replace(/^./u, (letter) => letter.toUpperCase())
const product = (title: string): string => plainLabel(title, 60)

const revenueChanged: Rule = (figures) => {
  const { before, revenue, days } = figures
  if (before === null || before.revenue_change === null) return []
  const change = before.revenue_change
  const then = `${money(figures, before.revenue)} in the ${days} days before`
  if (Math.abs(change) < NOTABLE_CHANGE)
    return [
      found(
        'revenue',
        'notice',
        `Revenue of ${money(figures, revenue)} is within ${percent(NOTABLE_CHANGE)} of the ${then}.`,
      ),
    ]
  const [level, word] = change > 0 ? (['good', 'above'] as const) : (['warning', 'below'] as const)
  return [
    found(
      'revenue',
      level,
      `Revenue of ${money(figures, revenue)} is ${percent(Math.abs(change))} ${word} the ${then}.`,
    ),
  ]
}

const lossMade: Rule = (figures) =>
  figures.profit >= 0
    ? []
    : [
        found(
          'profit',
          'warning',
          `The shop lost ${money(figures, -figures.profit)}: cost ${money(figures, figures.cost.total)}, ads ${money(figures, figures.ad_spend)} and refunds ${money(figures, figures.refunds.amount)} against revenue of ${money(figures, figures.revenue)}.`,
        ),
      ]

/** An ad pays when its return covers goods and fees too, so the mark is computed from what the channel keeps of a sale. */
const adsReturn: Rule = (figures) =>
  figures.by_channel.flatMap(({ channel, ad_spend, revenue, cost }) => {
    if (ad_spend === 0) return []
    const returns = revenue / ad_spend
    const kept = revenue - cost
    const spent = `${named(channel)} returns ${returns.toFixed(2)} per 1 spent (${money(figures, revenue)} of revenue for ${money(figures, ad_spend)})`
    if (revenue === 0)
      return [found('ads', 'warning', `${named(channel)} took ${money(figures, ad_spend)} and sold nothing.`)]
    if (kept <= 0) return [found('ads', 'warning', `${spent}, and its sales do not even pay for their goods and fees.`)]
    const even = revenue / kept
    const mark = `It needs ${even.toFixed(2)} to pay for goods and fees as well`
    if (returns < even) return [found('ads', 'warning', `${spent}. ${mark}, so it loses money.`)]
    if (returns <= SCALES_ABOVE)
      return [found('ads', 'notice', `${spent}. ${mark}; scaling asks for more than ${SCALES_ABOVE}.`)]
    return [found('ads', 'good', `${spent}. ${mark}, and ${SCALES_ABOVE} to be scaled.`)]
  })

const refundsHigh: Rule = (figures) => {
  const { rate, amount } = figures.refunds
  if (rate <= REFUNDS_RISING) return []
  const says = `${percent(rate)} of revenue was paid back (${money(figures, amount)})`
  return rate > REFUNDS_HIGH
    ? [found('refunds', 'warning', `${says}; above ${percent(REFUNDS_HIGH)} sales pause.`)]
    : [
        found(
          'refunds',
          'notice',
          `${says}, above ${percent(REFUNDS_RISING)}; sales pause above ${percent(REFUNDS_HIGH)}.`,
        ),
      ]
}

/** The usual test of one proportion against the rest. */
const channelConverts: Rule = ({ by_channel, orders, visits }) =>
  by_channel.flatMap((one) => {
    const rest = { orders: orders - one.orders, visits: visits - one.visits }
    if (one.visits === 0 || rest.visits <= 0) return []
    const pooled = orders / visits
    const error = Math.sqrt(pooled * (1 - pooled) * (1 / one.visits + 1 / rest.visits))
    const apart = error === 0 ? 0 : (one.conversion - rest.orders / rest.visits) / error
    if (Math.abs(apart) < CLEARLY) return []
    const text = `${named(one.channel)} turns ${percent(one.conversion)} of its ${one.visits} visits into orders, the others ${percent(rest.orders / rest.visits)}: ${Math.abs(apart).toFixed(1)} standard errors apart, where ${CLEARLY} count as clear.`
    return [found('conversion', apart > 0 ? 'good' : 'notice', text)]
  })

const dependsOnOne: Rule = (figures) => {
  const top = [...figures.by_product].sort((a, b) => b.revenue - a.revenue)[0]
  const share = top === undefined || figures.revenue === 0 ? 0 : top.revenue / figures.revenue
  if (top === undefined || share < DEPENDS || figures.by_product.length < 2) return []
  return [
    found(
      'dependence',
      'notice',
      `${product(top.product_name)} alone makes ${percent(share)} of revenue; from ${percent(DEPENDS)} on the shop depends on it.`,
    ),
  ]
}

const seenAndNotBought: Rule = ({ by_product }) =>
  by_product
    .filter(({ visits, orders }) => orders === 0 && visits >= SEEN_ENOUGH)
    .sort((a, b) => b.visits - a.visits)
    .slice(0, MOST_OF_A_KIND)
    .map(({ product_name, visits }) =>
      found(
        'unsold',
        'notice',
        `${product(product_name)} was visited ${visits} times and not bought once; from ${SEEN_ENOUGH} visits on that is hardly chance.`,
      ),
    )

const productsLose: Rule = (figures) => {
  const losing = figures.by_product.filter(({ profit }) => profit < 0).sort((a, b) => a.profit - b.profit)
  if (losing.length === 0) return []
  const total = losing.reduce((sum, { profit }) => sum - profit, 0)
  const worst = losing
    .slice(0, MOST_OF_A_KIND)
    .map(
      ({ product_name, profit, ad_spend }) =>
        `${product(product_name)} ${money(figures, -profit)} (ads ${money(figures, ad_spend)})`,
    )
  const many = losing.length === 1 ? '1 product' : `${losing.length} products`
  return [
    found('losing products', 'warning', `${many} lost ${money(figures, total)}, most of all ${worst.join(', ')}.`),
  ]
}

const waits: Rule = ({ open }) => [
  ...(open.orders > 0 && open.oldest_order_days > WAITS_TOO_LONG
    ? [
        found(
          'open orders',
          'warning',
          `${open.orders} paid orders are not shipped; the oldest waits ${open.oldest_order_days} days, and more than ${WAITS_TOO_LONG} brings complaints.`,
        ),
      ]
    : []),
  ...(open.tickets + open.with_a_human > 0
    ? [found('tickets', 'notice', `${open.tickets} tickets are unanswered and ${open.with_a_human} wait for a human.`)]
    : []),
]

const stockLow: Rule = ({ stock }) => {
  const [first] = stock
  if (first === undefined) return []
  const cover = first.days_of_cover === null ? 'none sold lately' : `${first.days_of_cover} days of cover`
  const many = stock.length === 1 ? '1 product is' : `${stock.length} products are`
  return [
    found(
      'stock',
      'notice',
      `${many} at or below the reorder point, first ${product(first.product_name)} with ${first.available} available (${cover}).`,
    ),
  ]
}

const RULES: readonly Rule[] = [
  lossMade,
  revenueChanged,
  refundsHigh,
  adsReturn,
  productsLose,
  channelConverts,
  dependsOnOne,
  seenAndNotBought,
  waits,
  stockLow,
]
