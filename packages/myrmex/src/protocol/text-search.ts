/**
 * Where a text occurs in another, in linear time. `indexOf` compares long patterns again at every place where they nearly fit, which takes
 * minutes for a megabyte that was made for it.
 */

export interface Span {
  readonly start: number
  end: number
}

/** Up to here (pattern times text) the worst case of `indexOf` does not matter. */
const FAST_STEPS = 20_000
/** A step of the linear search takes about as long as this many of `indexOf`. */
const STEP_COST = 4

/** How many steps `spansOf` takes at most. */
export function searchCost(pattern: string, text: string): number {
  if (pattern.length > text.length) return 1
  const steps = pattern.length * text.length
  return steps <= FAST_STEPS ? steps : STEP_COST * (pattern.length + text.length)
}

/** What the occurrences of a pattern cover. They may overlap each other. */
export function spansOf(pattern: string, text: string): Span[] {
  if (pattern.length > text.length || pattern === '') return []
  return pattern.length * text.length <= FAST_STEPS ? foundByIndex(pattern, text) : foundByBorders(pattern, text)
}

function foundByIndex(pattern: string, text: string): Span[] {
  const spans: Span[] = []
  for (let at = text.indexOf(pattern); at !== -1; at = text.indexOf(pattern, at + 1)) cover(spans, at, pattern.length)
  return spans
}

/** The algorithm of Knuth, Morris and Pratt. */
function foundByBorders(pattern: string, text: string): Span[] {
  const spans: Span[] = []
  const borders = bordersOf(pattern)
  const { length } = pattern
  let fits = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    while (fits > 0 && pattern.charCodeAt(fits) !== code) fits = borders[fits - 1] as number
    if (pattern.charCodeAt(fits) === code) fits++
    if (fits < length) continue
    cover(spans, at - length + 1, length)
    fits = borders[fits - 1] as number
  }
  return spans
}

/** For each beginning of the pattern, the length of its longest own beginning that is also its end. */
function bordersOf(pattern: string): Int32Array {
  const borders = new Int32Array(pattern.length)
  let fits = 0
  for (let at = 1; at < pattern.length; at++) {
    const code = pattern.charCodeAt(at)
    while (fits > 0 && pattern.charCodeAt(fits) !== code) fits = borders[fits - 1] as number
    if (pattern.charCodeAt(fits) === code) fits++
    borders[at] = fits
  }
  return borders
}

function cover(spans: Span[], start: number, length: number): void {
  const last = spans.at(-1)
  if (last !== undefined && start < last.end) last.end = start + length
  else spans.push({ start, end: start + length })
}
