/** What limits and budgets count on. Every process on one ledger counts in the same place. */

/** A token bucket: as many calls as it holds at once, filled again evenly over `per_ms`. */
export interface Bucket {
  readonly id: string
  readonly calls: number
  readonly per_ms: number
}

export type TakeResult =
  | { readonly taken: true }
  /** `bucket` is the one that is empty for longest */
  | { readonly taken: false; readonly bucket: string; readonly retry_after_ms: number }

export interface Counters {
  /** One token from each of these or from none: exact, however many take at once. */
  take(buckets: readonly Bucket[]): TakeResult | Promise<TakeResult>
  /** Adds to what was spent unless that would pass the ceiling; gives what is left, or undefined if it would not fit. */
  spend(budget: string, amount: number, ceiling: number): Promise<number | undefined>
  /**
   * As `spend`, for a call that another may take over when its process dies: where the one before it has spent already,
   * nothing more is. False if it would not fit. The mark stays until it is given to `unmark`.
   */
  spendFor(spender: Spender, budget: string, amount: number, ceiling: number): Promise<boolean>
  /** Gives back what was spent and not needed; never more than there was. */
  refund(budget: string, amount: number): Promise<void>
  unmark(marks: readonly string[]): Promise<void>
}

/** Who spends: a mark of its own, and that of whoever it takes over from. */
export interface Spender {
  readonly mark: string
  readonly before: string | undefined
}
