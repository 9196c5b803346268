/** Names compared as people would: `supplierIds`, `supplier_ids` and `Supplier ID` are all `supplier_id`. */
import { singular } from '../../english/stem.ts'
import { splitWords } from '../../english/words.ts'

/** Names that say nothing of what they belong to; alone they match nothing. */
const BARE = new Set(['id', 'name', 'key', 'value', 'type', 'status', 'data', 'result', 'item', 'number', 'code'])

export const isGenericName = (name: string): boolean => BARE.has(name)

const remembered = new Map<string, string>()
/** Fleets have a few thousand names; what is beyond is not remembered. */
const MOST_REMEMBERED = 20_000

export function normalizedName(name: string): string {
  const known = remembered.get(name)
  if (known !== undefined) return known
  const words = splitWords(name)
  const last = words.at(-1)
  if (last !== undefined) words[words.length - 1] = singular(last)
  const made = words.join('_')
  if (remembered.size < MOST_REMEMBERED) remembered.set(name, made)
  return made
}

/** What a property goes by inside of something: `id` of a `supplier` is a `supplier_id`, and `price` is also its price. */
export function qualifiedNames(property: string, owners: readonly string[]): string[] {
  const own = normalizedName(property)
  const names = isGenericName(own) ? [] : [own]
  for (const owner of owners) {
    const owned = `${owner}_${own}`
    if (owner !== '' && owner !== own && !own.startsWith(`${owner}_`)) names.push(owned)
  }
  return names.length > 0 ? names : [own]
}

/** What a tool is about, by its name: `get_supplier` a `supplier`, `create_product_page` a `product_page` and a `page`. */
export function toolSubjects(canonical: string): string[] {
  const words = splitWords(canonical.slice(canonical.lastIndexOf('.') + 1)).slice(1)
  const last = words.at(-1)
  if (last === undefined) return []
  return [...new Set([normalizedName(words.join('_')), singular(last)])]
}
