/** The fields of a schema.org Product that search engines need to show price and stock. */
import * as z from 'zod'

const text = z.string().min(1)

const REQUIRED_FIELDS = {
  name: text,
  image: z.array(text).min(1),
  description: text,
  sku: text,
  'offers.price': z.string().regex(/^\d+\.\d{2}$/),
  'offers.priceCurrency': z.string().length(3),
  'offers.availability': z.url(),
  'offers.url': text,
} as const

export function missingFields(structured: unknown): { missing: string[]; of: number } {
  const product = productIn(structured)
  const names = Object.entries(REQUIRED_FIELDS)
  const missing = names.filter(([path, schema]) => !schema.safeParse(at(product, path)).success).map(([path]) => path)
  return { missing, of: names.length }
}

const at = (value: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((inner, name) => (isObject(inner) ? inner[name] : undefined), value)

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

function productIn(structured: unknown): unknown {
  const graph = isObject(structured) && Array.isArray(structured['@graph']) ? structured['@graph'] : [structured]
  return graph.find((node) => isObject(node) && node['@type'] === 'Product')
}
