// The middle of many measurements, and how far apart they are: the lowest and the highest quartile. Every printed figure and every
// ratio has both, so that a reader sees which difference is one.

export type Spread = { readonly median: number; readonly low: number; readonly high: number }

export function spreadOf(values: readonly number[]): Spread {
  return { median: median(values), low: quantile(values, 0.25), high: quantile(values, 0.75) }
}

/** The spread of each round's `values[i] / others[i]`: both were measured next to each other, so what disturbed one disturbed both. */
export function ratioSpread(values: readonly number[], others: readonly number[]): Spread {
  if (values.length !== others.length)
    throw new Error(`${values.length} rounds cannot be compared with ${others.length}: each needs one beside it`)
  return spreadOf(values.map((value, round) => value / (others[round] as number)))
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5)
}

/** Between two values where it falls between them; NaN for no values. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  const place = (sorted.length - 1) * share
  const below = sorted[Math.floor(place)] ?? Number.NaN
  const above = sorted[Math.ceil(place)] ?? Number.NaN
  return below + (above - below) * (place - Math.floor(place))
}
