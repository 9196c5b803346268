/** Finds a product by SKU or by name; "red chairs" finds the Red Chair. */

import { ToolError } from 'myrmex'
import { singular } from 'myrmex/english'
import { clip } from 'myrmex/text'
import type { Product, Shop } from '../../ports.ts'
import { nearestMatches, plainWords } from '../nearest.ts'

/** Throws UnknownSku with the nearest products, or AmbiguousProduct if a name fits several. */
export async function findProduct(shop: Shop, text: string): Promise<Product> {
  const [exact] = await shop.storefront.products({ sku: text.trim(), limit: 1 })
  if (exact !== undefined) return exact
  const products = await shop.storefront.products()
  const wanted = normalizeName(text)
  const named = products.filter(({ sku, title }) => normalizeName(title) === wanted || normalizeName(sku) === wanted)
  const [only, ...others] = named
  if (only !== undefined && others.length === 0) return only
  if (only !== undefined) {
    const skus = named.map(({ sku }) => sku)
    throw new ToolError(
      'AmbiguousProduct',
      `${quoted(text)} matches ${skus.join(' and ')}. Call again with one of these SKUs.`,
      { skus },
    )
  }
  const nearest = nearestMatches(text, products, { names: ({ sku, title }) => [title, sku] })
  const hint = nearest.map(({ sku, title }) => `${sku} (${title})`).join(', ')
  throw new ToolError(
    'UnknownSku',
    `Unknown SKU or product name ${quoted(text)}.${hint === '' ? '' : ` Did you mean ${hint}?`}`,
    { sku: text.slice(0, MAX_QUOTED_LENGTH), nearest: nearest.map(({ sku }) => sku) },
  )
}

const MAX_QUOTED_LENGTH = 100
const quoted = (text: string): string => JSON.stringify(clip(text, MAX_QUOTED_LENGTH))

/** Without case, accents, punctuation and plural endings. */
const normalizeName = (text: string): string => plainWords(text).map(singular).join(' ')
