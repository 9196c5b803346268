/** Which product somebody means: by its sku, or by its name however it is written, "red chairs" for the Red Chair. */
import { ToolError } from 'myrmex'
import { singular } from 'myrmex/english'
import type { Product, Shop } from '../../ports.ts'
import { nearestMatches } from '../nearest.ts'

/** UnknownSku with the nearest ones; AmbiguousProduct where a name fits several. */
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
    throw new ToolError('AmbiguousProduct', `${quoted(text)} may be ${skus.join(' or ')}. Say which sku.`, { skus })
  }
  const nearest = nearestMatches(text, products, { names: ({ sku, title }) => [title, sku] })
  const hint = nearest.map(({ sku, title }) => `${sku} (${title})`).join(', ')
  throw new ToolError(
    'UnknownSku',
    `The shop sells nothing under ${quoted(text)}.${hint === '' ? '' : ` The nearest are ${hint}.`}`,
    { sku: text.slice(0, LONGEST), nearest: nearest.map(({ sku }) => sku) },
  )
}

const LONGEST = 100
const quoted = (text: string): string =>
  JSON.stringify(text.length > LONGEST ? `${text.slice(0, LONGEST).toWellFormed()}…` : text)

/** Without case, accents, punctuation and endings of the plural. */
export const normalizeName = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .map(singular)
    .join(' ')
