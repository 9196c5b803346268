/** The names closest to a mistyped one. */
import { distance } from 'fastest-levenshtein'

/** Longer input is not a typing mistake, and comparing it would cost more than it helps. */
const MAX_LENGTH = 200

export function nearest(name: string, known: Iterable<string>, count = 3): string[] {
  const wanted = name.slice(0, MAX_LENGTH).toLowerCase()
  return [...known]
    .map((candidate) => ({ candidate, far: distance(wanted, candidate.toLowerCase()) }))
    .sort((a, b) => a.far - b.far || (a.candidate < b.candidate ? -1 : 1))
    .slice(0, count)
    .map(({ candidate }) => candidate)
}
