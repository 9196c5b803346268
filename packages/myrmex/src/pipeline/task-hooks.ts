/** What the server learns from a call that may become a task. */

/** An approval that a person is asked for. */
export interface WaitsFor {
  readonly approval: string
  readonly reason: string
  /** the approval with which the same call was denied before */
  readonly denied?: string
}

export interface TaskHooks {
  /** the call waits for a person, or (undefined) waits no longer */
  readonly onWait?: (asked: WaitsFor | undefined) => void | Promise<void>
  /** the tool starts */
  readonly onStart?: () => void
  /** the tool says that it will take long: `ctx.later()` */
  readonly onLater?: () => void
}
