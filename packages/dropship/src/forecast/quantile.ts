/** Order statistics as conformal prediction needs them. */

/**
 * The value below which the next one stays with this probability: rank p (n + 1) among n, interpolated, and the outermost value
 * if the rank is beyond it.
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
