/**
 * Multinomial logistic regression with an L2 penalty over sparse rows, and the temperature that calibrates its confidence. It uses
 * plain accelerated gradient descent from zero, so that the same rows always give the same weights.
 */
import { softmax } from '../src/figures.ts'

/** [feature, value] */
export type Row = readonly (readonly [number, number])[]

export interface Weights {
  readonly classes: number
  /** one number per class for each feature; the last feature is the bias, which every row has */
  readonly flat: Float64Array
}

export interface TrainOptions {
  readonly classes: number
  readonly features: number
  /** strength of the penalty, per row; the bias has none */
  readonly penalty: number
  readonly rounds: number
}

export const biasOf = ({ classes, flat }: Weights): number[] => [...flat.slice(flat.length - classes)]
export const weightsOf = ({ classes, flat }: Weights, feature: number): number[] => [
  ...flat.slice(feature * classes, (feature + 1) * classes),
]

export function scoresOf(weights: Weights, row: Row): number[] {
  const { classes, flat } = weights
  const scores = biasOf(weights)
  for (const [feature, value] of row) {
    for (let index = 0; index < classes; index++)
      scores[index] = (scores[index] ?? 0) + (flat[feature * classes + index] ?? 0) * value
  }
  return scores
}

/** Adds one row's share of the gradient. */
function addGradient(gradient: Float64Array, at: Weights, row: Row, label: number, share: number): void {
  const { classes } = at
  const off = softmax(scoresOf(at, row)).map((chance, index) => (chance - (index === label ? 1 : 0)) * share)
  const add = (feature: number, value: number): void => {
    for (let index = 0; index < classes; index++) {
      const place = feature * classes + index
      gradient[place] = (gradient[place] ?? 0) + (off[index] ?? 0) * value
    }
  }
  for (const [feature, value] of row) add(feature, value)
  add(gradient.length / classes - 1, 1)
}

/** The largest step that cannot overshoot: the gradient of a softmax changes by at most half the square of a row's length. */
function safeStep(rows: readonly Row[], penalty: number): number {
  const longest = Math.max(...rows.map((row) => 1 + row.reduce((sum, [, value]) => sum + value * value, 0)))
  return 1 / (longest / 2 + penalty)
}

export function trainRegression(rows: readonly Row[], labels: readonly number[], options: TrainOptions): Weights {
  const { classes, features, penalty, rounds } = options
  const size = (features + 1) * classes
  const step = safeStep(rows, penalty)
  let now = new Float64Array(size)
  let before = now
  for (let round = 0; round < rounds; round++) {
    const push = round / (round + 3)
    const next = new Float64Array(size)
    for (let place = 0; place < size; place++)
      next[place] = (now[place] ?? 0) + push * ((now[place] ?? 0) - (before[place] ?? 0))
    const gradient = new Float64Array(size)
    const at = { classes, flat: next }
    for (const [index, row] of rows.entries()) addGradient(gradient, at, row, labels[index] as number, 1 / rows.length)
    for (let place = 0; place < size; place++) {
      const held = place < features * classes ? penalty * (next[place] ?? 0) : 0
      next[place] = (next[place] ?? 0) - step * ((gradient[place] ?? 0) + held)
    }
    before = now
    now = next
  }
  return { classes, flat: now }
}

/** The temperature that makes the labels of unseen samples most likely, found by golden-section search. */
export function bestTemperature(scores: readonly (readonly number[])[], labels: readonly number[]): number {
  const surprise = (temperature: number): number =>
    scores.reduce((sum, row, index) => sum - Math.log(softmax(row, temperature)[labels[index] as number] ?? 0), 0)
  const ratio = (Math.sqrt(5) - 1) / 2
  let low = 0.05
  let high = 5
  for (let round = 0; round < 60; round++) {
    const left = high - ratio * (high - low)
    const right = low + ratio * (high - low)
    if (surprise(left) < surprise(right)) high = right
    else low = left
  }
  return (low + high) / 2
}

/** The mean difference between confidence and accuracy over ten bins of confidence. */
export function calibrationError(judged: readonly { readonly confidence: number; readonly right: boolean }[]): number {
  const bins = Array.from({ length: 10 }, () => ({ count: 0, confidence: 0, right: 0 }))
  for (const { confidence, right } of judged) {
    const bin = bins[Math.min(9, Math.floor(confidence * 10))]
    if (bin === undefined) continue
    bin.count++
    bin.confidence += confidence
    bin.right += right ? 1 : 0
  }
  return bins.reduce((sum, { confidence, right }) => sum + Math.abs(confidence - right), 0) / judged.length
}
