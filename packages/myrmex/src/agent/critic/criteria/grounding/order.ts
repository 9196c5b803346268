/** Where a value belongs in a list that is in order: the first place whose value is not below. */
export function firstNotBelow(list: readonly number[], value: number): number {
  let low = 0
  let high = list.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((list[middle] as number) < value) low = middle + 1
    else high = middle
  }
  return low
}
