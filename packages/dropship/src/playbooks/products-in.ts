/** The products of the shop that a goal names. */
import type { Product } from '../ports.ts'

/** By SKU or title, singular or plural. A title that contains another one wins. */
export function productsIn(goal: string, products: readonly Product[]): Product[] {
  const text = ` ${stems(goal)} `
  const found = products.filter(
    ({ sku, title }) =>
      text.includes(` ${stems(title)} `) ||
      goal
        .toLowerCase()
        .split(/[\s,;?!"']+/)
        .includes(sku),
  )
  return found.filter(
    ({ sku, title }) =>
      !found.some((other) => other.sku !== sku && stems(other.title).includes(stems(title)) && other.title !== title),
  )
}

const stems = (text: string): string =>
  (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])
    .map((word) => (word.length > 3 ? word.replace(/s$/, '') : word))
    .join(' ')
