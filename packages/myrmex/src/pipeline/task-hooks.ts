/** What the server learns from a call that may become a task. */

export interface TaskHooks {
  /** the call waits for a person, or (undefined) waits no longer */
  readonly onWait?: (message: string | undefined) => void | Promise<void>
  /** the tool starts */
  readonly onStart?: () => void
  /** the tool says that it will take long: `ctx.later()` */
  readonly onLater?: () => void
}
