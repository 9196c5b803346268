/** Shopify's search syntax, as far as the adapter uses it: `field:value` and `field:>=value` terms, joined by AND. */

export interface Term {
  readonly field: string
  readonly comparator: '' | '>=' | '<' | '<=' | '>'
  readonly value: string
}

const TERM = /^(\w+):(>=|<=|>|<)?(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|(\S+))$/

export function termsOf(query: string | null | undefined): Term[] {
  if (query === null || query === undefined || query.trim() === '') return []
  return query.split(' AND ').map((part) => {
    const match = TERM.exec(part.trim())
    if (match === null) throw new Error(`The test server does not know the search ${part}`)
    const value = match[3] ?? match[4] ?? match[5] ?? ''
    return {
      field: match[1] as string,
      comparator: (match[2] ?? '') as Term['comparator'],
      value: value.replace(/\\(.)/g, '$1'),
    }
  })
}

/** Texts compare without case, as Shopify's search does; times by their order. */
export function matchesTerm({ comparator, value }: Term, found: string | readonly string[]): boolean {
  if (typeof found !== 'string') return found.some((one) => matchesTerm({ field: '', comparator, value }, one))
  switch (comparator) {
    case '>=':
      return found >= value
    case '<=':
      return found <= value
    case '>':
      return found > value
    case '<':
      return found < value
    default:
      return found.toLowerCase() === value.toLowerCase()
  }
}
