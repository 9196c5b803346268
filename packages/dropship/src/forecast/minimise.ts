/**
 * Nelder and Mead's simplex search inside a box: no derivatives, no randomness, the same result every time. Points outside the box
 * are moved onto its wall. Because a simplex can collapse there, the search restarts from its result as long as that helps.
 * (J. A. Nelder, R. Mead: A simplex method for function minimization, 1965.)
 */

export interface Box {
  readonly lower: readonly number[]
  readonly upper: readonly number[]
  /** how far the first simplex reaches from its start, as a share of the box */
  readonly reach?: number
  /** the search stops when the simplex is no wider than this */
  readonly close?: number
  /** most evaluations */
  readonly most?: number
}

interface Corner {
  readonly at: readonly number[]
  readonly value: number
}

/** A restart must improve the value by this share to be followed by another. */
const WORTHWHILE = 1e-4
const REACH = 0.15

export function minimise(of: (at: readonly number[]) => number, start: readonly number[], box: Box): Corner {
  let found = descend(of, start, box)
  for (;;) {
    const again = descend(of, found.at, { ...box, reach: (box.reach ?? REACH) / 5 })
    const gained = found.value - again.value
    if (gained > 0) found = again
    if (!(gained > WORTHWHILE * Math.abs(found.value))) return found
  }
}

function descend(of: (at: readonly number[]) => number, start: readonly number[], box: Box): Corner {
  const { lower, upper, reach = REACH, close = 1e-4, most = 80 * start.length } = box
  let evaluations = 0
  const inside = (value: number, i: number) => Math.min(upper[i] as number, Math.max(lower[i] as number, value))
  const corner = (at: number[]): Corner => {
    evaluations++
    const value = of(at)
    return { at, value: Number.isNaN(value) ? Number.POSITIVE_INFINITY : value }
  }
  const simplex = [corner(start.map(inside))]
  for (let i = 0; i < start.length; i++) {
    const width = ((upper[i] as number) - (lower[i] as number)) * reach
    const at = [...(simplex[0] as Corner).at]
    const moved = inside((at[i] as number) + width, i)
    at[i] = moved === at[i] ? inside((at[i] as number) - width, i) : moved
    simplex.push(corner(at))
  }
  const byValue = (a: Corner, b: Corner) => a.value - b.value
  simplex.sort(byValue)
  while (evaluations < most && wide(simplex, close)) {
    step(simplex, corner, inside)
    simplex.sort(byValue)
  }
  return simplex[0] as Corner
}

/** Reflects the worst corner through the others, farther or nearer as it proves better; otherwise shrinks all to the best. */
function step(simplex: Corner[], corner: (at: number[]) => Corner, inside: (value: number, i: number) => number): void {
  const last = simplex.length - 1
  const worst = simplex[last] as Corner
  const best = simplex[0] as Corner
  const centre = worst.at.map((_, i) => {
    let sum = 0
    for (let k = 0; k < last; k++) sum += (simplex[k] as Corner).at[i] as number
    return sum / last
  })
  const beyond = (by: number) =>
    corner(centre.map((middle, i) => inside(middle + by * (middle - (worst.at[i] as number)), i)))
  const turned = beyond(1)
  if (turned.value < best.value) {
    const farther = beyond(2)
    simplex[last] = farther.value < turned.value ? farther : turned
  } else if (turned.value < (simplex[last - 1] as Corner).value) {
    simplex[last] = turned
  } else {
    const nearer = beyond(turned.value < worst.value ? 0.5 : -0.5)
    if (nearer.value < Math.min(worst.value, turned.value)) simplex[last] = nearer
    else
      for (let k = 1; k <= last; k++)
        simplex[k] = corner((simplex[k] as Corner).at.map((value, i) => (value + (best.at[i] as number)) / 2))
  }
}

function wide(simplex: readonly Corner[], close: number): boolean {
  const best = (simplex[0] as Corner).at
  return simplex.some(({ at }) => at.some((value, i) => Math.abs(value - (best[i] as number)) > close))
}
