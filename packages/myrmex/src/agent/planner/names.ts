/** Names compared as people would: `supplierIds`, `supplier_ids` and `Supplier ID` are all `supplier_id`. */

/** Names that say nothing of what they belong to; alone they match nothing. */
const BARE = new Set(['id', 'name', 'key', 'value', 'type', 'status', 'data', 'result', 'item', 'number', 'code'])

export const isGenericName = (name: string): boolean => BARE.has(name)

/** The words of a name, in lower case: `minRating` is `min`, `rating`. */
export function wordsOfName(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
}

const IRREGULAR = new Map([
  ['people', 'person'],
  ['children', 'child'],
  ['indices', 'index'],
  ['series', 'series'],
  ['news', 'news'],
])

export function singular(word: string): string {
  const known = IRREGULAR.get(word)
  if (known !== undefined) return known
  if (/(ss|us|is)$/.test(word) || word.length < 3) return word
  if (/ies$/.test(word) && word.length > 4) return `${word.slice(0, -3)}y`
  if (/(ses|xes|zes|ches|shes)$/.test(word) && !/(ases|uses|izes|ises|oses|ices)$/.test(word)) return word.slice(0, -2)
  return word.endsWith('s') ? word.slice(0, -1) : word
}

const remembered = new Map<string, string>()
/** Fleets have a few thousand names; what is beyond is not remembered. */
const MOST_REMEMBERED = 20_000

export function normalizedName(name: string): string {
  const known = remembered.get(name)
  if (known !== undefined) return known
  const words = wordsOfName(name)
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
  const words = wordsOfName(canonical.slice(canonical.lastIndexOf('.') + 1)).slice(1)
  const last = words.at(-1)
  if (last === undefined) return []
  return [...new Set([normalizedName(words.join('_')), singular(last)])]
}
