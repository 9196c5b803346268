/** How figures are added, rounded and written: one place, so that the whole shop rounds alike. */

export const rounded = (value: number, digits = 2): number => Math.round(value * 10 ** digits) / 10 ** digits

/** `percent(0.125, 1)` is `12.5 %`. */
export const percent = (share: number, digits = 0): string => `${(share * 100).toFixed(digits)} %`

const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 })
const hundredths = new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 })

/** `1,235` */
export const wholeNumber = (value: number): string => whole.format(value)

/** `1,234.50` */
export const amountText = (amount: number): string => hundredths.format(amount)

export function sum(numbers: Iterable<number>): number
export function sum<T>(items: Iterable<T>, of: (item: T) => number): number
export function sum<T>(items: Iterable<T>, of: (item: T) => number = Number): number {
  let total = 0
  for (const item of items) total += of(item)
  return total
}

/** The sums of some fields of all rows. */
export const sums = <Name extends string>(
  rows: readonly Readonly<Record<Name, number>>[],
  names: readonly Name[],
): Record<Name, number> =>
  Object.fromEntries(names.map((name) => [name, sum(rows, (row) => row[name])])) as Record<Name, number>

/** Weights that sum to 1, from their logarithms. A higher temperature makes them more equal. */
export function softmax(logs: readonly number[], temperature = 1): number[] {
  const top = Math.max(...logs)
  const raised = logs.map((log) => Math.exp((log - top) / temperature))
  const total = sum(raised)
  return raised.map((value) => value / total)
}

/** 0 where there is nothing to divide by. */
export const ratio = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole)

/** 0 for no values. */
export const mean = (values: readonly number[]): number => ratio(sum(values), values.length)

/** An estimate with its interval. */
export interface Range {
  readonly low: number
  readonly expected: number
  readonly high: number
}

export const mapRange = ({ low, expected, high }: Range, of: (value: number) => number): Range => ({
  low: of(low),
  expected: of(expected),
  high: of(high),
})
