/**
 * Least squares over several regressors, with standard errors: what simple-statistics has for one only. Solved by the normal
 * equations, which is enough for the handful of columns that are asked for here. A column that says nothing gets 0.
 */

export interface Fit {
  readonly coefficients: readonly number[]
  /** standard error of each */
  readonly errors: readonly number[]
  /** standard deviation of what is left */
  readonly rest: number
}

export function leastSquares(rows: readonly (readonly number[])[], values: readonly number[]): Fit {
  const width = rows[0]?.length ?? 0
  const gram = Array.from({ length: width }, (_, i) =>
    Array.from({ length: width }, (_, j) => rows.reduce((sum, row) => sum + of(row, i) * of(row, j), 0)),
  )
  const inverse = inverted(gram)
  const moments = Array.from({ length: width }, (_, i) =>
    rows.reduce((sum, row, at) => sum + of(row, i) * of(values, at), 0),
  )
  const coefficients = inverse.map((line) => line.reduce((sum, value, i) => sum + value * of(moments, i), 0))
  const squares = rows.reduce((sum, row, at) => {
    const fitted = row.reduce((total, value, i) => total + value * of(coefficients, i), 0)
    return sum + (of(values, at) - fitted) ** 2
  }, 0)
  const rest = Math.sqrt(squares / Math.max(1, rows.length - width))
  return { coefficients, errors: inverse.map((line, i) => rest * Math.sqrt(Math.max(0, of(line, i)))), rest }
}

const of = (list: readonly number[], index: number): number => list[index] ?? 0

/** Gauss and Jordan with pivots; a column without any news becomes zeros. */
function inverted(matrix: readonly (readonly number[])[]): number[][] {
  const size = matrix.length
  const work = matrix.map((row, i) => [...row, ...Array.from({ length: size }, (_, j) => (i === j ? 1 : 0))])
  const scale = matrix.map((row, i) => Math.abs(of(row, i)) || 1)
  const dead = new Set<number>()
  for (let column = 0; column < size; column++) {
    const pivot = (work[column] as number[])[column] ?? 0
    if (Math.abs(pivot) < 1e-10 * of(scale, column)) {
      dead.add(column)
      continue
    }
    work[column] = (work[column] as number[]).map((value) => value / pivot)
    for (let row = 0; row < size; row++) {
      const factor = of(work[row] ?? [], column)
      if (row === column || factor === 0) continue
      work[row] = (work[row] as number[]).map((value, i) => value - factor * of(work[column] ?? [], i))
    }
  }
  return work.map((row, i) => row.slice(size).map((value, j) => (dead.has(i) || dead.has(j) ? 0 : value)))
}
