/** Spelling mistakes: a word that the model does not know is read as one that it does, where they are one slip apart. */

/** Shorter words are a letter away from too much. */
const SHORTEST = 5

/** One letter too many, too few, another one, or two swapped. */
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

/** `known`: stems. The first letter is hardly ever the wrong one, so only words that share it are tried. */
export function spellingCorrector(known: Iterable<string>): (stemmed: string) => string {
  const all = new Set(known)
  const byLetter = Map.groupBy(
    [...all].filter(({ length }) => length >= SHORTEST - 1),
    (stemmed) => stemmed[0],
  )
  const mended = new Map<string, string>()
  return (stemmed) => {
    if (stemmed.length < SHORTEST || all.has(stemmed)) return stemmed
    const before = mended.get(stemmed)
    if (before !== undefined) return before
    const near = byLetter.get(stemmed[0])?.find((candidate) => differByOneTypo(stemmed, candidate)) ?? stemmed
    if (mended.size >= MOST_MENDED) mended.clear()
    mended.set(stemmed, near)
    return near
  }
}

/** Tickets are written by strangers: what is remembered of them has an end. */
const MOST_MENDED = 5_000
