/** The index of the first item of a list whose size is not below `value`, by bisection. The list is in order of size. */
export function firstNotBelow<T>(list: readonly T[], value: number, sizeOf: (item: T) => number): number {
  let low = 0
  let high = list.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (sizeOf(list[middle] as T) < value) low = middle + 1
    else high = middle
  }
  return low
}
