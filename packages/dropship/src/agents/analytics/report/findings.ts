/**
 * The notable facts of a report, as sentences with their figures. Each comes from a rule, and each sentence states the rule's
 * threshold, so that a reader can disagree with it.
 */
import { capitalise, plural } from 'myrmex/text'
import { plainLabel } from '../../../charts/label.ts'
import { amountText, percent, ratio, sum } from '../../../figures.ts'
import type { Figures, Finding } from './report-schema.ts'

/** Smaller changes are noise in a shop of this size. */
const NOTABLE_CHANGE = 0.1
/** The constitution lets campaigns be scaled above this. */
const SCALE_ABOVE_RETURN = 1.5
/** The shop pauses sales above this. */
const REFUNDS_HIGH = 0.05
const REFUNDS_RISING = 0.03
/** A share of revenue on one product that makes the shop depend on it. */
const DEPENDENCE_SHARE = 0.3
/** At a conversion of 2 %, fewer than one product in twenty has so many visits without an order: 0.98 ^ 150 = 0.048. */
const ENOUGH_VISITS = 150
/** Two proportions further apart than this many standard errors differ, by the usual test. */
const CLEAR_STANDARD_ERRORS = 2
const MAX_WAIT_DAYS = 3
const MAX_NAMED = 3

const ORDER = { warning: 0, notice: 1, good: 2 }

type Money = (amount: number) => string
type Rule = (figures: Figures, money: Money) => Iterable<readonly [Finding['level'], string]>

export function findings(figures: Figures): Finding[] {
  const money: Money = (amount) => `${amountText(amount)} ${figures.currency}`
  return Object.entries(RULES)
    .flatMap(([rule, find]) => Array.from(find(figures, money), ([level, text]) => ({ rule, level, text })))
    .sort((a, b) => ORDER[a.level] - ORDER[b.level])
}

const share = (value: number): string => percent(value, 1)
const channelName = (channel: string): string => capitalise(plainLabel(channel, 30))
const productLabel = (title: string): string => plainLabel(title, 60)

const RULES: Readonly<Record<string, Rule>> = {
  *profit({ profit, cost, ad_spend, refunds, revenue }, money) {
    if (profit >= 0) return
    yield [
      'warning',
      `The shop lost ${money(-profit)}: cost ${money(cost.total)}, ads ${money(ad_spend)} and refunds ${money(refunds.amount)} against revenue of ${money(revenue)}.`,
    ]
  },

  *revenue({ before, revenue, days }, money) {
    const change = before?.revenue_change ?? null
    if (before === null || change === null) return
    const then = `the ${money(before.revenue)} in the ${plural(days, 'day')} before`
    const now = `Revenue of ${money(revenue)} is`
    if (Math.abs(change) < NOTABLE_CHANGE) yield ['notice', `${now} within ${share(NOTABLE_CHANGE)} of ${then}.`]
    else if (change > 0) yield ['good', `${now} ${share(change)} above ${then}.`]
    else yield ['warning', `${now} ${share(-change)} below ${then}.`]
  },

  *refunds({ refunds: { rate, amount } }, money) {
    if (rate <= REFUNDS_RISING) return
    const refunded = `${share(rate)} of revenue was paid back (${money(amount)})`
    if (rate > REFUNDS_HIGH) yield ['warning', `${refunded}; above ${share(REFUNDS_HIGH)} sales pause.`]
    else yield ['notice', `${refunded}, above ${share(REFUNDS_RISING)}; sales pause above ${share(REFUNDS_HIGH)}.`]
  },

  /** An ad pays when its return also covers goods and fees, so the break-even comes from the channel's own margin. */
  *ads({ by_channel }, money) {
    for (const { channel, ad_spend, revenue, cost } of by_channel) {
      if (ad_spend === 0) continue
      const name = channelName(channel)
      const returns = revenue / ad_spend
      const margin = revenue - cost
      const even = revenue / margin
      const spent = `${name} returns ${returns.toFixed(2)} per 1 spent (${money(revenue)} of revenue for ${money(ad_spend)})`
      const needs = `It needs ${even.toFixed(2)} to pay for goods and fees as well`
      if (revenue === 0) yield ['warning', `${name} cost ${money(ad_spend)} and sold nothing.`]
      else if (margin <= 0) yield ['warning', `${spent}, and its sales do not even pay for their goods and fees.`]
      else if (returns < even) yield ['warning', `${spent}. ${needs}, so it loses money.`]
      else if (returns <= SCALE_ABOVE_RETURN)
        yield ['notice', `${spent}. ${needs}. Scaling requires more than ${SCALE_ABOVE_RETURN}.`]
      else yield ['good', `${spent}. ${needs}, and ${SCALE_ABOVE_RETURN} to be scaled.`]
    }
  },

  *'losing products'({ by_product }, money) {
    const losing = by_product.filter(({ profit }) => profit < 0).sort((a, b) => a.profit - b.profit)
    if (losing.length === 0) return
    const worst = losing
      .slice(0, MAX_NAMED)
      .map((one) => `${productLabel(one.product_name)} ${money(-one.profit)} (ads ${money(one.ad_spend)})`)
    const lost = money(-sum(losing, ({ profit }) => profit))
    yield ['warning', `${plural(losing.length, 'product')} lost ${lost}, most of all ${worst.join(', ')}.`]
  },

  /** The usual test of one proportion against the rest. */
  *conversion({ by_channel, orders, visits }) {
    for (const one of by_channel) {
      const rest = { orders: orders - one.orders, visits: visits - one.visits }
      if (one.visits === 0 || rest.visits <= 0) continue
      const pooled = orders / visits
      const error = Math.sqrt(pooled * (1 - pooled) * (1 / one.visits + 1 / rest.visits))
      const apart = ratio(one.conversion - rest.orders / rest.visits, error)
      if (Math.abs(apart) < CLEAR_STANDARD_ERRORS) continue
      yield [
        apart > 0 ? 'good' : 'notice',
        `${channelName(one.channel)} turns ${share(one.conversion)} of its ${plural(one.visits, 'visit')} into orders, the other channels ${share(rest.orders / rest.visits)}: ${Math.abs(apart).toFixed(1)} standard errors apart, where ${CLEAR_STANDARD_ERRORS} count as clear.`,
      ]
    }
  },

  *dependence({ by_product, revenue }) {
    const [top] = [...by_product].sort((a, b) => b.revenue - a.revenue)
    const part = ratio(top?.revenue ?? 0, revenue)
    if (top === undefined || part < DEPENDENCE_SHARE || by_product.length < 2) return
    yield [
      'notice',
      `${productLabel(top.product_name)} alone makes ${share(part)} of revenue; from ${share(DEPENDENCE_SHARE)} on the shop depends on it.`,
    ]
  },

  *unsold({ by_product }) {
    const unsold = by_product.filter(({ visits, orders }) => orders === 0 && visits >= ENOUGH_VISITS)
    for (const { product_name, visits } of unsold.sort((a, b) => b.visits - a.visits).slice(0, MAX_NAMED))
      yield [
        'notice',
        `${productLabel(product_name)} was visited ${visits} times and never bought; from ${ENOUGH_VISITS} visits on that is hardly chance.`,
      ]
  },

  *'open orders'({ open: { orders, oldest_order_days } }) {
    if (orders === 0 || oldest_order_days <= MAX_WAIT_DAYS) return
    yield [
      'warning',
      `${plural(orders, 'paid order is', 'paid orders are')} not shipped; the oldest has waited ${oldest_order_days} days, and more than ${MAX_WAIT_DAYS} brings complaints.`,
    ]
  },

  *tickets({ open: { tickets, with_a_human } }) {
    if (tickets + with_a_human === 0) return
    const unanswered = plural(tickets, 'ticket is', 'tickets are')
    yield [
      'notice',
      `${unanswered} unanswered and ${with_a_human} ${with_a_human === 1 ? 'waits' : 'wait'} for a human.`,
    ]
  },

  *stock({ stock }) {
    const [first] = stock
    if (first === undefined) return
    const cover = first.days_of_cover === null ? 'none sold recently' : `${plural(first.days_of_cover, 'day')} of cover`
    yield [
      'notice',
      `${plural(stock.length, 'product is', 'products are')} at or below the reorder point, first ${productLabel(first.product_name)} with ${first.available} available (${cover}).`,
    ]
  },
}
