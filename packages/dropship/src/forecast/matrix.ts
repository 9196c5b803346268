/** The inverse of a small symmetric positive definite matrix, by Cholesky's factors: steady, and it notices what is not. */

export type Matrix = readonly Float64Array[]

export function inverse(matrix: Matrix): Float64Array[] {
  const factor = cholesky(matrix)
  const size = matrix.length
  const columns = Array.from({ length: size }, (_, column) => {
    const unit = new Float64Array(size)
    unit[column] = 1
    return solve(factor, unit)
  })
  return columns
}

/** Lower triangle L with L Lᵀ the matrix. */
function cholesky(matrix: Matrix): Float64Array[] {
  const factor = matrix.map((row) => new Float64Array(row.length))
  matrix.forEach((row, i) => {
    const mine = factor[i] as Float64Array
    for (let j = 0; j <= i; j++) {
      const other = factor[j] as Float64Array
      let rest = row[j] as number
      for (let k = 0; k < j; k++) rest -= (mine[k] as number) * (other[k] as number)
      if (i === j && !(rest > 0)) throw new RangeError(`the matrix is not positive definite: pivot ${i} is ${rest}`)
      mine[j] = i === j ? Math.sqrt(rest) : rest / (other[j] as number)
    }
  })
  return factor
}

function solve(factor: Matrix, right: Float64Array): Float64Array {
  const x = right.slice()
  const size = x.length
  for (let i = 0; i < size; i++) {
    const row = factor[i] as Float64Array
    let rest = x[i] as number
    for (let k = 0; k < i; k++) rest -= (row[k] as number) * (x[k] as number)
    x[i] = rest / (row[i] as number)
  }
  for (let i = size - 1; i >= 0; i--) {
    let rest = x[i] as number
    for (let k = i + 1; k < size; k++) rest -= ((factor[k] as Float64Array)[i] as number) * (x[k] as number)
    x[i] = rest / ((factor[i] as Float64Array)[i] as number)
  }
  return x
}
