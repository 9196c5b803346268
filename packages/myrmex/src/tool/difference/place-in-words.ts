/** A place in a definition as people say it: `parameter amount: description` and not `/inputSchema/properties/amount/description`. */
import { pointerSteps } from '../../protocol/json.ts'
import { formatName } from './format.ts'

const SCHEMAS: Readonly<Record<string, string>> = { inputSchema: 'parameter', outputSchema: 'output field' }

export function placeInWords([first, ...rest]: readonly PropertyKey[]): string {
  if (first === undefined) return 'the definition'
  // People know the listing as the definition.
  if (first === 'listing') return rest.length === 0 ? 'what its server lists' : placeInWords(rest)
  const name = String(first)
  const what = Object.hasOwn(SCHEMAS, name) ? SCHEMAS[name] : undefined
  return what === undefined ? within(formatName(name), rest) : schemaPlace(what, rest)
}

/** Of a JSON pointer, as findings have it. */
export const pointerInWords = (pointer: string): string => placeInWords(pointerSteps(pointer))

/** From the inside out. */
const within = (whole: string, path: readonly PropertyKey[]): string =>
  path.reduce<string>(
    (outer, key) => `${isIndex(key) ? `item ${Number(key) + 1}` : formatName(String(key))} of ${outer}`,
    whole,
  )

const isIndex = (key: PropertyKey): boolean => /^\d{1,9}$/.test(String(key))

/** A property has the name that a caller would write, and the keyword comes after it. */
function schemaPlace(what: string, path: readonly PropertyKey[]): string {
  let name = ''
  let at = 0
  for (; at + 1 < path.length; ) {
    if (path[at] === 'properties') {
      name += `${name === '' ? '' : '.'}${formatName(String(path[at + 1]))}`
      at += 2
    } else if (path[at] === 'items' && name !== '') {
      name += '[]'
      at += 1
    } else break
  }
  const label = name === '' ? `${what}s` : `${what} ${name}`
  const [keyword, ...rest] = path.slice(at)
  return keyword === undefined ? label : `${label}: ${within(formatName(String(keyword)), rest)}`
}
