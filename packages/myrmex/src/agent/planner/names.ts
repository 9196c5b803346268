/** Names compared as people would: `supplierIds`, `supplier_ids` and `Supplier ID` are all `supplier_id`. */
import { singular } from '../../english/stem.ts'
import { splitWords } from '../../english/words.ts'

/** Names that do not say what they belong to; alone they match nothing. */
const GENERIC_NAMES = new Set('id name key value type status data result item number code'.split(' '))

export const isGenericName = (name: string): boolean => GENERIC_NAMES.has(name)

const cache = new Map<string, string>()
/** Fleets have a few thousand names. */
const MAX_CACHED = 20_000

/** The name of a tool without its module. */
export const bareName = (canonical: string): string => canonical.slice(canonical.lastIndexOf('.') + 1)

export function normalizedName(name: string): string {
  const known = cache.get(name)
  if (known !== undefined) return known
  const words = splitWords(name)
  const last = words.at(-1)
  if (last !== undefined) words[words.length - 1] = singular(last)
  const made = words.join('_')
  if (cache.size < MAX_CACHED) cache.set(name, made)
  return made
}

/** The names of a property inside an object: `id` of a `supplier` is a `supplier_id`, and `price` is also a `supplier_price`. */
export function qualifiedNames(property: string, owners: readonly string[]): string[] {
  const own = normalizedName(property)
  const names = isGenericName(own) ? [] : [own]
  for (const owner of owners) {
    const owned = `${owner}_${own}`
    if (owner !== '' && owner !== own && !own.startsWith(`${owner}_`)) names.push(owned)
  }
  return names.length > 0 ? names : [own]
}

/** The things that a tool's name is about: `get_supplier` a `supplier`, `create_product_page` a `product_page` and a `page`. */
export function toolSubjects(canonical: string): string[] {
  const words = splitWords(bareName(canonical)).slice(1)
  const last = words.at(-1)
  if (last === undefined) return []
  return [...new Set([normalizedName(words.join('_')), singular(last)])]
}
