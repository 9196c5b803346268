/** Compares names: equal but for case and blanks, or most similar by shared pairs of letters (Dice's coefficient), despite typos. */

/** Two titles are the same if this is: case, Unicode form and blanks are ignored. */
export const normalizeTitle = (text: string): string => text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim()

interface NearestOptions<T> {
  /** the names of a thing; the nearer one counts */
  readonly names: (one: T) => readonly string[]
  readonly most?: number
}

/** Below this, two names have only letters in common that most names have. */
const MIN_SIMILARITY = 0.35

/** The nearest first; equally near ones by their first name. Names that are not near are not there. */
export function nearestMatches<T>(text: string, things: readonly T[], { names, most = 3 }: NearestOptions<T>): T[] {
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
    .filter(({ near }) => near >= MIN_SIMILARITY)
    .sort((one, other) => other.near - one.near || (one.name < other.name ? -1 : 1))
    .slice(0, most)
    .map(({ thing }) => thing)
}

/** The same for names, each once. */
export const nearestNames = (text: string, all: readonly string[], most = 3): string[] =>
  nearestMatches(text, [...new Set(all)], { names: (name) => [name], most })

/** The words of a name, without case, accents and punctuation. */
export const plainWords = (text: string): string[] =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')

/** Word boundaries count. */
function pairsOf(text: string): Set<string> {
  const letters = ` ${plainWords(text).join(' ')} `
  return new Set(Array.from({ length: letters.length - 1 }, (_, at) => letters.slice(at, at + 2)))
}

const similarity = (one: ReadonlySet<string>, other: ReadonlySet<string>): number =>
  (2 * one.intersection(other).size) / (one.size + other.size)
