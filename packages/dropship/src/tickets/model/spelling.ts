/** Corrects typos: a word that the model does not know is read as a known word that differs by one typo. */
import { cached } from '../../cached.ts'

/** Shorter words differ by one letter from too many others. */
const SHORTEST = 5

/** One letter added, missing or different, or two swapped. */
export function differByOneTypo(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false
  let start = 0
  while (start < a.length && a[start] === b[start]) start++
  const rest = (text: string, from: number): string => text.slice(start + from)
  if (a.length > b.length) return rest(a, 1) === rest(b, 0)
  if (a.length < b.length) return rest(a, 0) === rest(b, 1)
  return (
    rest(a, 1) === rest(b, 1) || (a[start] === b[start + 1] && a[start + 1] === b[start] && rest(a, 2) === rest(b, 2))
  )
}

/** `known` are stems. The first letter is rarely wrong, so only words that share it are tried. */
export function spellingCorrector(known: Iterable<string>): (stemmed: string) => string {
  const all = new Set(known)
  const byLetter = Map.groupBy(
    [...all].filter(({ length }) => length >= SHORTEST - 1),
    (stemmed) => stemmed[0],
  )
  const corrected = new Map<string, string>()
  const correct = (stemmed: string): string =>
    byLetter.get(stemmed[0])?.find((candidate) => differByOneTypo(stemmed, candidate)) ?? stemmed
  return (stemmed) =>
    stemmed.length < SHORTEST || all.has(stemmed) ? stemmed : cached(corrected, stemmed, correct, MAX_CACHED)
}

/** Anybody can write tickets, so the cache is limited. */
const MAX_CACHED = 5_000
