/** Order statistics as conformal prediction needs them. */

/**
 * The value that the next one of the same kind stays below with this probability: rank p (n + 1) among n, between two of them
 * in proportion, and the outermost one where the rank lies beyond it.
 */
export function conformalQuantile(sorted: ArrayLike<number>, p: number): number {
  const n = sorted.length
  const rank = p * (n + 1) - 1
  if (rank <= 0) return sorted[0] as number
  if (rank >= n - 1) return sorted[n - 1] as number
  const below = Math.floor(rank)
  const low = sorted[below] as number
  return low + (rank - below) * ((sorted[below + 1] as number) - low)
}

export const ascending = (values: Iterable<number>): Float64Array => Float64Array.from(values).sort()
