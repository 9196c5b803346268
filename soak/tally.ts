/** What the clients of a soak did and got: counts, the ids of the calls that were answered, and what should not have happened. */

const MOST_PROBLEMS = 20

export class Tally {
  readonly counts = new Map<string, number>()
  /** of every call that was answered; each must have one audit record */
  readonly answered = new Set<string>()
  readonly problems: string[] = []

  count(what: string): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + 1)
  }

  get(what: string): number {
    return this.counts.get(what) ?? 0
  }

  problem(what: string): void {
    this.count('problems')
    if (this.problems.length < MOST_PROBLEMS) this.problems.push(what)
  }

  /** Keeps the id of an answered call. Two answers with one id are wrong. */
  answer(response: unknown): void {
    const { result } = response as { result?: { _meta?: Record<string, { call_id?: unknown } | undefined> } }
    const id = result?._meta?.['myrmex/result']?.call_id
    if (typeof id !== 'string') return
    if (this.answered.has(id)) this.problem(`two answers have the call id ${id}`)
    this.answered.add(id)
    this.count('answers')
  }
}
