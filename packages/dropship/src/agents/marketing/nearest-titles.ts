/** The titles most like a text that is none of them, by the pairs of letters they share (Dice's coefficient). */

export function nearestTitles(text: string, titles: readonly string[], most = 3): string[] {
  const wanted = pairsOf(text)
  return [...new Set(titles)]
    .map((title) => ({ title, likeness: likeness(wanted, pairsOf(title)) }))
    .filter(({ likeness }) => likeness > 0)
    .sort((a, b) => b.likeness - a.likeness || (a.title < b.title ? -1 : 1))
    .slice(0, most)
    .map(({ title }) => title)
}

/** As titles are compared: case, accents and blanks make no difference. */
export const sameTitle = (text: string): string => text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim()

function pairsOf(text: string): Set<string> {
  const letters = ` ${sameTitle(text)} `
  return new Set(Array.from({ length: letters.length - 1 }, (_, at) => letters.slice(at, at + 2)))
}

function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let shared = 0
  for (const pair of a) if (b.has(pair)) shared++
  return (2 * shared) / (a.size + b.size)
}
