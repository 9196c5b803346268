/**
 * The processes of upstreams that this process has started. They have the user of this process and are not its callers: see
 * `http/peer-process.ts`.
 */
class StartedChildren {
  readonly #pids = new Set<number>()
  #any = false

  /** Whether there was ever one: its descendants may outlive it. */
  get any(): boolean {
    return this.#any
  }

  has(pid: number): boolean {
    return this.#pids.has(pid)
  }

  add(pid: number): void {
    this.#any = true
    this.#pids.add(pid)
  }

  /** It has ended, and its id may be reused. */
  delete(pid: number): void {
    this.#pids.delete(pid)
  }
}

export const startedChildren: StartedChildren = new StartedChildren()
