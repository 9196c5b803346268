/** Finds the product that a question is about: the one whose full title is in the text, else the only item of the order. */
import { stem } from 'myrmex/english'
import type { Order, Product } from '../../ports.ts'
import { wordsOf } from '../reading/words.ts'

const stemsOf = (text: string): string[] => wordsOf(text.toLowerCase()).map(stem)

export function matchProduct(
  products: readonly Product[],
  text: string,
  order: Order | undefined,
): Product | undefined {
  const words = new Set(stemsOf(text))
  const named = products
    .map((product) => ({ product, stems: stemsOf(product.title) }))
    .filter(({ stems }) => stems.length > 0 && stems.every((part) => words.has(part)))
    .sort((a, b) => b.stems.length - a.stems.length)
  const [longest, next] = named
  if (longest !== undefined && longest.stems.length !== next?.stems.length) return longest.product
  if (named.length > 0 || order?.lines.length !== 1) return undefined
  return products.find(({ sku }) => sku === order.lines[0]?.sku)
}
