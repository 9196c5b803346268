/**
 * Least squares over several columns, with standard errors; optionally weighted, and with a normal prior around 0 for each
 * coefficient. Solved by the normal equations, which is enough for a few columns. A column that adds nothing to the others gets 0.
 */

export interface LeastSquaresFit {
  readonly coefficients: Float64Array
  /** standard error of each coefficient */
  readonly errors: Float64Array
  /** standard deviation of the residuals */
  readonly rest: number
}

export interface LeastSquaresOptions {
  /** one over the variance of each row's noise; 1 by default */
  readonly weights?: readonly number[]
  /** one over the prior variance of each coefficient; 0 by default: no prior */
  readonly precisions?: readonly number[]
}

export function leastSquares(
  rows: readonly ArrayLike<number>[],
  values: readonly number[],
  { weights, precisions }: LeastSquaresOptions = {},
): LeastSquaresFit {
  const width = rows[0]?.length ?? 0
  const normal = Array.from({ length: width }, (_, i) => {
    const line = new Float64Array(width)
    line[i] = precisions?.[i] ?? 0
    return line
  })
  const right = new Float64Array(width)
  rows.forEach((row, at) => {
    normal.forEach((line, i) => {
      const scaled = (weights?.[at] ?? 1) * (row[i] as number)
      right[i] = (right[i] as number) + scaled * (values[at] as number)
      for (let j = 0; j < width; j++) line[j] = (line[j] as number) + scaled * (row[j] as number)
    })
  })
  const inverse = invert(normal)
  const coefficients = Float64Array.from(inverse, (line) => dot(line, right))
  const squares = rows.reduce((sum, row, at) => sum + ((values[at] as number) - dot(row, coefficients)) ** 2, 0)
  const rest = Math.sqrt(squares / Math.max(1, rows.length - width))
  const errors = Float64Array.from(inverse, (line, i) => rest * Math.sqrt(Math.max(0, line[i] as number)))
  return { coefficients, errors, rest }
}

export function dot(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += (a[i] as number) * (b[i] as number)
  return sum
}

/** Gauss-Jordan elimination in place, for a symmetric matrix without negative pivots. */
function invert(matrix: Float64Array[]): Float64Array[] {
  const tolerances = matrix.map((row, i) => 1e-10 * (Math.abs(row[i] as number) || 1))
  const redundant = matrix.map(() => false)
  matrix.forEach((own, k) => {
    const pivot = own[k] as number
    redundant[k] = !(Math.abs(pivot) >= (tolerances[k] as number))
    if (redundant[k]) return
    own[k] = 1
    for (let j = 0; j < own.length; j++) own[j] = (own[j] as number) / pivot
    for (const other of matrix) {
      if (other === own) continue
      const factor = other[k] as number
      other[k] = 0
      for (let j = 0; j < own.length; j++) other[j] = (other[j] as number) - factor * (own[j] as number)
    }
  })
  return matrix.map((row, i) => row.map((value, j) => (redundant[i] || redundant[j] ? 0 : value)))
}
