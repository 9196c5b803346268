/** The report as Markdown that also reads well in a terminal. Titles come from strangers, so nothing in them is markup here. */
import { plainLabel } from '../../../charts/label.ts'
import { sparkline, textChart } from '../../../charts/text-chart.ts'
import type { Figures, Finding, Report } from './report-schema.ts'

const amount = (value: number): string =>
  value.toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 })
const percent = (share: number): string => `${(share * 100).toFixed(1)} %`

/** Every mark that Markdown or HTML could take for its own. */
export const escapeMarkdown = (text: string): string =>
  plainLabel(text, 60).replace(/[\\`*_{}[\]<>()#+!|~&]/g, (mark) =>
    mark === '<' ? '&lt;' : mark === '&' ? '&amp;' : `\\${mark}`,
  )

export function reportMarkdown(figures: Figures, findings: readonly Finding[]): string {
  const parts = [
    `# Report for ${figures.from} to ${figures.to}`,
    ...(figures.notes.length === 0 ? [] : [figures.notes.join(' ')]),
    overview(figures),
    section(
      'What stands out',
      findings
        .map(({ level, text }) => `- ${level === 'warning' ? '**Warning.** ' : ''}${escapeSentence(text)}`)
        .join('\n'),
    ),
    section('Revenue by day', days(figures)),
    section('Channels', channels(figures)),
    section('Products', products(figures)),
    section('Campaigns', campaigns(figures)),
    section('Waiting', waiting(figures)),
  ]
  return parts.filter((part) => part !== '').join('\n\n')
}

const section = (title: string, body: string): string => (body === '' ? '' : `## ${title}\n\n${body}`)
/** Also those who paste a report into a page are safe: a title has no tags here. */
const block = (text: string): string =>
  `\`\`\`text\n${text.replaceAll('`', "'").replaceAll('<', '‹').replaceAll('>', '›')}\n\`\`\``

/** A sentence of ours in which a title may stand. */
const escapeSentence = (text: string): string =>
  text.replace(/[\\`*_{}[\]<>#|~&]/g, (mark) => (mark === '<' ? '&lt;' : mark === '&' ? '&amp;' : `\\${mark}`))

function overview(figures: Figures): string {
  const { before, cost, refunds, ads } = figures
  const rows: [string, string, string][] = [
    ['Revenue', amount(figures.revenue), before === null ? '' : amount(before.revenue)],
    ['Goods and shipping', cost.goods === null ? `${amount(cost.total)} with fees` : amount(cost.goods), ''],
    ...(cost.fees === null ? [] : [['Payment fees', amount(cost.fees), ''] as [string, string, string]]),
    ['Ad spend', amount(figures.ad_spend), before === null ? '' : amount(before.ad_spend)],
    ['Refunds', `${amount(refunds.amount)} (${percent(refunds.rate)})`, before === null ? '' : amount(before.refunds)],
    ['**Profit**', `**${amount(figures.profit)}**`, before === null ? '' : amount(before.profit)],
    ['Margin', percent(figures.margin), ''],
    ['Orders', String(figures.orders), before === null ? '' : String(before.orders)],
    ['Average order', amount(figures.average_order_value), ''],
    ['Visits', String(figures.visits), before === null ? '' : String(before.visits)],
    ['Conversion', percent(figures.conversion), before === null ? '' : percent(before.conversion)],
    [
      ads.campaign_id === null ? 'Return on ad spend' : `Return on ad spend of ${escapeMarkdown(ads.campaign_id)}`,
      ads.return_on_ad_spend.toFixed(2),
      '',
    ],
  ]
  const then = before === null ? 'before' : `${before.from} to ${before.to}`
  return [
    `| in ${figures.currency} | ${figures.days} days | ${then} |`,
    '| --- | ---: | ---: |',
    ...rows.map((row) => `| ${row.join(' | ')} |`),
  ].join('\n')
}

function days({ by_day }: Figures): string {
  if (by_day.length < 2) return ''
  const line = (name: string, values: readonly number[]): string =>
    `${name.padEnd(8)} ${sparkline(values)}  ${amount(Math.min(...values))} to ${amount(Math.max(...values))}`
  return block(
    [
      line(
        'revenue',
        by_day.map(({ revenue }) => revenue),
      ),
      line(
        'profit',
        by_day.map(({ profit }) => profit),
      ),
    ].join('\n'),
  )
}

function channels({ by_channel }: Figures): string {
  if (by_channel.length === 0) return ''
  const chart = textChart(
    by_channel.map(({ channel, revenue }) => ({ label: channel, value: revenue })),
    { format: amount },
  )
  const rows = by_channel.map(
    (one) =>
      `| ${escapeMarkdown(one.channel)} | ${one.visits} | ${one.orders} | ${percent(one.conversion)} | ${amount(one.revenue)} | ${amount(one.ad_spend)} | ${amount(one.profit)} |`,
  )
  return [
    block(chart),
    '',
    '| channel | visits | orders | conversion | revenue | ad spend | profit |',
    '| --- | ---: | ---: | ---: | ---: | ---: | ---: |',
    ...rows,
  ].join('\n')
}

function products({ best, worst, by_product }: Figures): string {
  const bars = (rows: Report['best']): string =>
    block(
      textChart(
        rows.map(({ product_name, profit }) => ({ label: product_name, value: profit })),
        { format: amount },
      ),
    )
  if (best.length === 0) return ''
  return [
    `${by_product.length} products were seen, sold or advertised. The most profit:`,
    bars(best),
    ...(worst.length === 0 ? [] : ['The least:', bars(worst)]),
  ].join('\n\n')
}

function campaigns({ campaigns: all }: Figures): string {
  if (all.length === 0) return ''
  const rows = all
    .slice(0, 10)
    .map(
      (one) =>
        `| ${escapeMarkdown(one.campaign_id)} | ${escapeMarkdown(one.product_name)} | ${one.platform} | ${one.status} | ${amount(one.spend)} | ${amount(one.revenue)} | ${one.return_on_ad_spend.toFixed(2)} |`,
    )
  return [
    '| campaign | product | platform | status | spend | revenue | return |',
    '| --- | --- | --- | --- | ---: | ---: | ---: |',
    ...rows,
    ...(all.length > 10 ? ['', `And ${all.length - 10} more with less spend.`] : []),
  ].join('\n')
}

function waiting({ open, stock, ads, currency }: Figures): string {
  return [
    `- ${open.orders} orders to ship, ${open.tickets} tickets unanswered, ${open.with_a_human} with a human.`,
    `- Running campaigns may spend ${amount(ads.committed_per_day)} of ${amount(ads.daily_cap)} ${currency} a day.`,
    ...(stock.length === 0
      ? []
      : [
          `- ${stock.length} products to order again: ${stock
            .slice(0, 5)
            .map(({ product_name, available }) => `${escapeMarkdown(product_name)} (${available} left)`)
            .join(', ')}.`,
        ]),
  ].join('\n')
}
