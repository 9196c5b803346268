/**
 * What stands out in a report, as sentences with their figures. Each is found by a rule, and each threshold stands in its
 * sentence, so that a reader can disagree with it.
 */
import { plainLabel } from '../../../charts/label.ts'
import type { Figures, Finding } from './report-schema.ts'

/** Changes smaller than this are taken for the noise of a shop this size. */
const NOTABLE_CHANGE = 0.1
/** The constitution lets campaigns be scaled above this. */
const SCALE_ABOVE_RETURN = 1.5
/** The shop's own mark: sales pause above it. */
const REFUNDS_HIGH = 0.05
const REFUNDS_RISING = 0.03
/** A share of revenue on one product that makes the shop depend on it. */
const DEPENDENCE_SHARE = 0.3
/** Visits without an order that chance explains in fewer than one case of twenty at a conversion of 2 %: 0.98 ^ 150 = 0.048. */
const ENOUGH_VISITS = 150
/** Two proportions further apart than this many standard errors differ, by the usual test. */
const CLEAR_STANDARD_ERRORS = 2
const LONGEST_WAIT_DAYS = 3
const MOST_NAMED = 3

type Rule = (figures: Figures) => readonly Finding[]

export function findings(figures: Figures): Finding[] {
  const order = { warning: 0, notice: 1, good: 2 }
  return RULES.flatMap((rule) => rule(figures)).sort((a, b) => order[a.level] - order[b.level])
}

const finding = (rule: string, level: Finding['level'], text: string): Finding => ({ rule, level, text })

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`
const money = ({ currency }: Figures, amount: number): string =>
  `${amount.toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 })} ${currency}`
const channelName = (channel: string): string =>
  plainLabel(channel, 30).replace(/^./u, (letter) => letter.toUpperCase())
const productLabel = (title: string): string => plainLabel(title, 60)

const revenueChanged: Rule = (figures) => {
  const { before, revenue, days } = figures
  if (before === null || before.revenue_change === null) return []
  const change = before.revenue_change
  const then = `${money(figures, before.revenue)} in the ${days} days before`
  if (Math.abs(change) < NOTABLE_CHANGE)
    return [
      finding(
        'revenue',
        'notice',
        `Revenue of ${money(figures, revenue)} is within ${percent(NOTABLE_CHANGE)} of the ${then}.`,
      ),
    ]
  const [level, word] = change > 0 ? (['good', 'above'] as const) : (['warning', 'below'] as const)
  return [
    finding(
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
        finding(
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
    const spent = `${channelName(channel)} returns ${returns.toFixed(2)} per 1 spent (${money(figures, revenue)} of revenue for ${money(figures, ad_spend)})`
    if (revenue === 0)
      return [finding('ads', 'warning', `${channelName(channel)} took ${money(figures, ad_spend)} and sold nothing.`)]
    if (kept <= 0)
      return [finding('ads', 'warning', `${spent}, and its sales do not even pay for their goods and fees.`)]
    const even = revenue / kept
    const mark = `It needs ${even.toFixed(2)} to pay for goods and fees as well`
    if (returns < even) return [finding('ads', 'warning', `${spent}. ${mark}, so it loses money.`)]
    if (returns <= SCALE_ABOVE_RETURN)
      return [finding('ads', 'notice', `${spent}. ${mark}; scaling asks for more than ${SCALE_ABOVE_RETURN}.`)]
    return [finding('ads', 'good', `${spent}. ${mark}, and ${SCALE_ABOVE_RETURN} to be scaled.`)]
  })

const refundsHigh: Rule = (figures) => {
  const { rate, amount } = figures.refunds
  if (rate <= REFUNDS_RISING) return []
  const says = `${percent(rate)} of revenue was paid back (${money(figures, amount)})`
  return rate > REFUNDS_HIGH
    ? [finding('refunds', 'warning', `${says}; above ${percent(REFUNDS_HIGH)} sales pause.`)]
    : [
        finding(
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
    if (Math.abs(apart) < CLEAR_STANDARD_ERRORS) return []
    const text = `${channelName(one.channel)} turns ${percent(one.conversion)} of its ${one.visits} visits into orders, the others ${percent(rest.orders / rest.visits)}: ${Math.abs(apart).toFixed(1)} standard errors apart, where ${CLEAR_STANDARD_ERRORS} count as clear.`
    return [finding('conversion', apart > 0 ? 'good' : 'notice', text)]
  })

const dependsOnOne: Rule = (figures) => {
  const top = [...figures.by_product].sort((a, b) => b.revenue - a.revenue)[0]
  const share = top === undefined || figures.revenue === 0 ? 0 : top.revenue / figures.revenue
  if (top === undefined || share < DEPENDENCE_SHARE || figures.by_product.length < 2) return []
  return [
    finding(
      'dependence',
      'notice',
      `${productLabel(top.product_name)} alone makes ${percent(share)} of revenue; from ${percent(DEPENDENCE_SHARE)} on the shop depends on it.`,
    ),
  ]
}

const visitedNotBought: Rule = ({ by_product }) =>
  by_product
    .filter(({ visits, orders }) => orders === 0 && visits >= ENOUGH_VISITS)
    .sort((a, b) => b.visits - a.visits)
    .slice(0, MOST_NAMED)
    .map(({ product_name, visits }) =>
      finding(
        'unsold',
        'notice',
        `${productLabel(product_name)} was visited ${visits} times and not bought once; from ${ENOUGH_VISITS} visits on that is hardly chance.`,
      ),
    )

const productsLose: Rule = (figures) => {
  const losing = figures.by_product.filter(({ profit }) => profit < 0).sort((a, b) => a.profit - b.profit)
  if (losing.length === 0) return []
  const total = losing.reduce((sum, { profit }) => sum - profit, 0)
  const worst = losing
    .slice(0, MOST_NAMED)
    .map(
      ({ product_name, profit, ad_spend }) =>
        `${productLabel(product_name)} ${money(figures, -profit)} (ads ${money(figures, ad_spend)})`,
    )
  const many = losing.length === 1 ? '1 product' : `${losing.length} products`
  return [
    finding('losing products', 'warning', `${many} lost ${money(figures, total)}, most of all ${worst.join(', ')}.`),
  ]
}

const openWork: Rule = ({ open }) => [
  ...(open.orders > 0 && open.oldest_order_days > LONGEST_WAIT_DAYS
    ? [
        finding(
          'open orders',
          'warning',
          `${open.orders} paid orders are not shipped; the oldest waits ${open.oldest_order_days} days, and more than ${LONGEST_WAIT_DAYS} brings complaints.`,
        ),
      ]
    : []),
  ...(open.tickets + open.with_a_human > 0
    ? [
        finding(
          'tickets',
          'notice',
          `${open.tickets} tickets are unanswered and ${open.with_a_human} wait for a human.`,
        ),
      ]
    : []),
]

const stockLow: Rule = ({ stock }) => {
  const [first] = stock
  if (first === undefined) return []
  const cover = first.days_of_cover === null ? 'none sold lately' : `${first.days_of_cover} days of cover`
  const many = stock.length === 1 ? '1 product is' : `${stock.length} products are`
  return [
    finding(
      'stock',
      'notice',
      `${many} at or below the reorder point, first ${productLabel(first.product_name)} with ${first.available} available (${cover}).`,
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
  visitedNotBought,
  openWork,
  stockLow,
]
