/** The report as Markdown that also reads well in a terminal. Product titles are untrusted: nothing in them becomes markup. */
import { plural } from 'myrmex/text'
import { plainLabel } from '../../../charts/label.ts'
import { sparkline, textChart } from '../../../charts/text-chart.ts'
import { amountText, percent, wholeNumber } from '../../../figures.ts'
import type { Figures, Finding, Report } from './report-schema.ts'

const MAX_CAMPAIGNS = 10
const MAX_STOCK = 5

const share = (value: number): string => percent(value, 1)

const escapeMark = (mark: string): string => (mark === '<' ? '&lt;' : mark === '&' ? '&amp;' : `\\${mark}`)

/** Escapes every character with a meaning in Markdown or HTML. */
export const escapeMarkdown = (text: string): string =>
  plainLabel(text, 60).replace(/[\\`*_{}[\]<>()#+!|~&]/g, escapeMark)

/** The same for a sentence of ours that may contain a title: its parentheses and signs stay. */
const escapeSentence = (text: string): string => text.replace(/[\\`*_{}[\]<>#|~&]/g, escapeMark)

export function reportMarkdown(figures: Figures, findings: readonly Finding[]): string {
  const notable = findings.map(
    ({ level, text }) => `- ${level === 'warning' ? '**Warning.** ' : ''}${escapeSentence(text)}`,
  )
  return [
    `# Report for ${figures.from} to ${figures.to}`,
    figures.notes.join(' '),
    overview(figures),
    section('What stands out', notable.join('\n')),
    section('Revenue by day', days(figures)),
    section('Channels', channels(figures)),
    section('Products', products(figures)),
    section('Campaigns', campaigns(figures)),
    section('Waiting', waiting(figures)),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}

const section = (title: string, body: string): string => (body === '' ? '' : `## ${title}\n\n${body}`)

/** Without tags, so that a report stays safe when it is pasted into a page. */
const block = (text: string): string =>
  `\`\`\`text\n${text.replaceAll('`', "'").replaceAll('<', '‹').replaceAll('>', '›')}\n\`\`\``

const table = (names: readonly string[], figures: readonly string[], rows: readonly (readonly string[])[]): string =>
  [[...names, ...figures], [...names.map(() => '---'), ...figures.map(() => '---:')], ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n')

function overview(figures: Figures): string {
  const { before, cost, refunds, ads } = figures
  const row = (name: string, value: string, then?: string): string[] => [name, value, then ?? '']
  const amountRow = (name: string, value: number, then?: number): string[] =>
    row(name, amountText(value), then === undefined ? undefined : amountText(then))
  const returns = `Return on ad spend${ads.campaign_id === null ? '' : ` of ${escapeMarkdown(ads.campaign_id)}`}`
  const refunded = `${amountText(refunds.amount)} (${share(refunds.rate)})`
  return table(
    [`in ${figures.currency}`],
    [plural(figures.days, 'day'), before === null ? 'before' : `${before.from} to ${before.to}`],
    [
      amountRow('Revenue', figures.revenue, before?.revenue),
      row('Goods and shipping', cost.goods === null ? `${amountText(cost.total)} with fees` : amountText(cost.goods)),
      ...(cost.fees === null ? [] : [amountRow('Payment fees', cost.fees)]),
      amountRow('Ad spend', figures.ad_spend, before?.ad_spend),
      row('Refunds', refunded, before === null ? undefined : amountText(before.refunds)),
      row('**Profit**', `**${amountText(figures.profit)}**`, before === null ? undefined : amountText(before.profit)),
      row('Margin', share(figures.margin)),
      row('Orders', String(figures.orders), before?.orders.toString()),
      amountRow('Average order', figures.average_order_value),
      row('Visits', String(figures.visits), before?.visits.toString()),
      row('Conversion', share(figures.conversion), before === null ? undefined : share(before.conversion)),
      row(returns, ads.return_on_ad_spend.toFixed(2)),
    ],
  )
}

function days({ by_day }: Figures): string {
  if (by_day.length < 2) return ''
  const line = (name: 'revenue' | 'profit'): string => {
    const values = by_day.map((day) => day[name])
    return `${name.padEnd(8)} ${sparkline(values)}  ${amountText(Math.min(...values))} to ${amountText(Math.max(...values))}`
  }
  return block([line('revenue'), line('profit')].join('\n'))
}

function channels({ by_channel }: Figures): string {
  if (by_channel.length === 0) return ''
  const bars = by_channel.map(({ channel, revenue }) => ({ label: channel, value: revenue }))
  const rows = by_channel.map((one) => [
    escapeMarkdown(one.channel),
    String(one.visits),
    String(one.orders),
    share(one.conversion),
    ...[one.revenue, one.ad_spend, one.profit].map(amountText),
  ])
  const columns = ['visits', 'orders', 'conversion', 'revenue', 'ad spend', 'profit']
  return [block(textChart(bars, amountText)), '', table(['channel'], columns, rows)].join('\n')
}

function products({ best, worst, by_product }: Figures): string {
  if (best.length === 0) return ''
  const chart = (rows: Report['best']): string => {
    const bars = rows.map(({ product_name, profit }) => ({ label: product_name, value: profit }))
    return block(textChart(bars, amountText))
  }
  return [
    `${plural(by_product.length, 'product was', 'products were')} seen, sold or advertised. The most profit:`,
    chart(best),
    ...(worst.length === 0 ? [] : ['The least:', chart(worst)]),
  ].join('\n\n')
}

function campaigns({ campaigns: all }: Figures): string {
  if (all.length === 0) return ''
  const rows = all
    .slice(0, MAX_CAMPAIGNS)
    .map((one) => [
      escapeMarkdown(one.campaign_id),
      escapeMarkdown(one.product_name),
      one.platform,
      one.status,
      amountText(one.spend),
      amountText(one.revenue),
      one.return_on_ad_spend.toFixed(2),
    ])
  const more = all.length - MAX_CAMPAIGNS
  return [
    table(['campaign', 'product', 'platform', 'status'], ['spend', 'revenue', 'return'], rows),
    ...(more > 0 ? ['', `And ${wholeNumber(more)} more with less spend.`] : []),
  ].join('\n')
}

function waiting({ open, stock, ads, currency }: Figures): string {
  const low = stock
    .slice(0, MAX_STOCK)
    .map(({ product_name, available }) => `${escapeMarkdown(product_name)} (${available} left)`)
  return [
    `- ${plural(open.orders, 'order')} to ship, ${plural(open.tickets, 'ticket')} unanswered, ${open.with_a_human} with a human.`,
    `- Running campaigns may spend ${amountText(ads.committed_per_day)} of ${amountText(ads.daily_cap)} ${currency} a day.`,
    ...(low.length === 0 ? [] : [`- ${plural(stock.length, 'product')} to reorder: ${low.join(', ')}.`]),
  ].join('\n')
}
