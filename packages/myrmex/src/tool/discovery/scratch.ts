/**
 * `scratch(open)`: a state to throw away. A module that exports one lets its examples run for real, tools that change state
 * included, because whatever they do is done to something that is gone afterwards.
 */

/** Restores the state; called after every example. */
export type CloseScratch = () => void | Promise<void>

export interface Scratch {
  readonly kind: 'scratch'
  /** `folder` is empty, and removed afterwards. */
  readonly open: (folder: string) => CloseScratch | void | Promise<CloseScratch | void>
}

/** `open` makes the tools of its module work on a state of their own. It is called again for every example. */
export const scratch = (open: Scratch['open']): Scratch => Object.freeze({ kind: 'scratch', open })
