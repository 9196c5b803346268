/** What is most like a text that names nothing: by the pairs of letters they share (Dice's coefficient), which forgives slips. */

interface NearestOptions<T> {
  /** what a thing may be called; the name that is nearer counts */
  readonly names: (one: T) => readonly string[]
  readonly most?: number
  /** true: also what has not a pair in common, where there is nothing better */
  readonly any?: boolean
}

/** The nearest first; of two that are as near, the one whose first name comes first. */
export function nearestMatches<T>(
  text: string,
  things: readonly T[],
  { names, most = 3, any = false }: NearestOptions<T>,
): T[] {
  const wanted = pairsOf(text)
  return things
    .map((thing) => {
      const called = names(thing)
      return {
        thing,
        name: called[0] ?? '',
        near: Math.max(0, ...called.map((name) => similarity(wanted, pairsOf(name)))),
      }
    })
    .filter(({ near }) => any || near > 0)
    .sort((one, other) => other.near - one.near || (one.name < other.name ? -1 : 1))
    .slice(0, most)
    .map(({ thing }) => thing)
}

/** Of names alone, each once. */
export const nearestNames = (text: string, all: readonly string[], most = 3, any = false): string[] =>
  nearestMatches(text, [...new Set(all)], { names: (name) => [name], most, any })

/** Case, accents and punctuation make no difference; where words begin and end does. */
function pairsOf(text: string): Set<string> {
  const words = text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
  const letters = ` ${words.join(' ')} `
  return new Set(Array.from({ length: letters.length - 1 }, (_, at) => letters.slice(at, at + 2)))
}

const similarity = (one: ReadonlySet<string>, other: ReadonlySet<string>): number =>
  (2 * one.intersection(other).size) / (one.size + other.size)
