/** A product's stock in sentences: "We have 50 Red Chairs in stock." */
import { plural } from 'myrmex/text'
import { rounded } from '../../figures.ts'
import type { StockStatus } from './stock-status.ts'

export function stockText(picture: StockStatus): string {
  const { stock, available, demand, cover } = picture
  const sentences = [`We have ${stock.on_hand} ${pluralTitle(stock.title, stock.on_hand)} in stock.`]
  if (stock.reserved > 0)
    sentences.push(
      `${stock.reserved} of them ${stock.reserved === 1 ? 'is' : 'are'} reserved for orders, so ${available} can be sold.`,
    )
  for (const { quantity, arrives_on } of stock.incoming)
    sentences.push(
      arrives_on === undefined
        ? `${quantity} ${quantity === 1 ? 'is' : 'are'} on the way.`
        : `${quantity} ${quantity === 1 ? 'arrives' : 'arrive'} on ${arrives_on}.`,
    )
  sentences.push(
    cover.days === null
      ? `None were sold in the last ${plural(demand.days, 'day')}, so it is unknown how long they last.`
      : `At ${short(demand.mean)} a day they last about ${short(cover.days)} days${coverRange(picture)}.`,
  )
  sentences.push(reorderAdvice(picture))
  return sentences.join(' ')
}

function coverRange({ cover }: StockStatus): string {
  if (cover.low === null) return ''
  return cover.high === null ? `, at least ${short(cover.low)}` : ` (${short(cover.low)} to ${short(cover.high)})`
}

function reorderAdvice({ reorder_point, lead_days, orderQuantity, available, incomingUnits }: StockStatus): string {
  if (reorder_point === undefined) return 'The reorder point is unknown: its supplier states no lead time.'
  const point = `the reorder point of ${reorder_point} for a lead time of ${plural(lead_days ?? 0, 'day')}`
  if (orderQuantity === 0) return `No order is needed: ${available + incomingUnits} are above ${point}.`
  return `Order ${orderQuantity}: ${available + incomingUnits} are not above ${point}.`
}

const short = (value: number): string => String(rounded(value, value < 10 ? 1 : 0))

/** The title in the number of `count`, with English endings; a title that ends in s stays. */
export function pluralTitle(title: string, count: number): string {
  if (count === 1 || /s$/i.test(title) || !/\p{L}$/u.test(title)) return title
  if (/(?:x|z|ch|sh)$/i.test(title)) return `${title}es`
  return /[^aeiou]y$/i.test(title) ? `${title.slice(0, -1)}ies` : `${title}s`
}
