/** The generated part of a hand-written page: what is between two marker comments. Everything else of the page stays as it is. */

export interface Markers {
  readonly begin: string
  readonly end: string
}

/** The page with this text between its markers. */
export function withGeneratedPart(page: string, { begin, end }: Markers, text: string): string {
  const [from, to] = [page.indexOf(begin), page.indexOf(end)]
  if (from < 0 || to < from) throw new Error(`The page needs these two lines, in this order:\n${begin}\n${end}`)
  return `${page.slice(0, from + begin.length)}\n\n${text}\n\n${page.slice(to)}`
}
