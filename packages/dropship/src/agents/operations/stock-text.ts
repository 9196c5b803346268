/** A product's stock in sentences: "We have 50 Red Chairs in stock." */
import type { StockStatus } from './stock-status.ts'

export function stockText(picture: StockStatus): string {
  const { stock, available, demand, cover } = picture
  const sentences = [`We have ${stock.on_hand} ${pluralTitle(stock.title, stock.on_hand)} in stock.`]
  if (stock.reserved > 0)
    sentences.push(`${stock.reserved} of them are promised to orders, so ${available} can be sold.`)
  for (const { quantity, arrives_on } of stock.incoming)
    sentences.push(arrives_on === undefined ? `${quantity} are on their way.` : `${quantity} arrive on ${arrives_on}.`)
  sentences.push(
    cover.days === null
      ? `None were sold in the last ${demand.days} days, so nothing says how long they last.`
      : `At ${rounded(demand.mean)} a day they last about ${rounded(cover.days)} days${coverRange(picture)}.`,
  )
  sentences.push(reorderAdvice(picture))
  return sentences.join(' ')
}

function coverRange({ cover }: StockStatus): string {
  if (cover.low === null) return ''
  return cover.high === null ? `, at least ${rounded(cover.low)}` : ` (${rounded(cover.low)} to ${rounded(cover.high)})`
}

function reorderAdvice({ reorder_point, lead_days, orderQuantity, available, incomingUnits }: StockStatus): string {
  if (reorder_point === undefined) return 'When to reorder cannot be said: its supplier names no lead time.'
  const point = `the reorder point of ${reorder_point} for a lead time of ${lead_days} days`
  if (orderQuantity === 0) return `Nothing has to be ordered: ${available + incomingUnits} are above ${point}.`
  return `Order ${orderQuantity}: ${available + incomingUnits} are not above ${point}.`
}

const rounded = (value: number): string =>
  value < 10 ? String(Math.round(value * 10) / 10) : String(Math.round(value))

/** A title for this many: English endings, and a title that is a plural already stays. */
export function pluralTitle(title: string, count: number): string {
  if (count === 1 || /s$/i.test(title) || !/\p{L}$/u.test(title)) return title
  if (/(?:x|z|ch|sh)$/i.test(title)) return `${title}es`
  return /[^aeiou]y$/i.test(title) ? `${title.slice(0, -1)}ies` : `${title}s`
}
