/** Counters of limits and budgets. All processes on one ledger share them. */

/** A token bucket: `calls` at once, refilled evenly over `per_ms`. */
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
  /** Takes one token from each bucket or from none. Exact, however many processes take at once. */
  take(buckets: readonly Bucket[]): TakeResult | Promise<TakeResult>
  /** Adds to what was spent unless that would exceed the ceiling. Returns what is left, or undefined if it does not fit. */
  spend(budget: string, amount: number, ceiling: number): Promise<number | undefined>
  /**
   * Like `spend`, for a call that another may take over if its process dies: if the earlier call has spent the amount already,
   * nothing more is spent. False if it does not fit. The mark remains until `unmark` removes it.
   */
  spendFor(spender: Spender, budget: string, amount: number, ceiling: number): Promise<boolean>
  /** Returns what was spent and not needed; never more than was spent. */
  refund(budget: string, amount: number): Promise<void>
  unmark(marks: readonly string[]): Promise<void>
  /** Returns tokens that this process has reserved and not handed out. */
  close?(): void
}

/** A spending call: its own mark, and the mark of the call that it takes over. */
export interface Spender {
  readonly mark: string
  readonly before: string | undefined
}
