/**
 * Tools whose server judges the arguments of a call itself. Many servers accept more than their schema says, such as "5" for 5: arguments
 * that do not fit are passed on to them and reported. It is no part of the definition.
 */
import type { Issue } from '../protocol/issue.ts'

/** Receives what did not fit. */
export type MismatchListener = (issues: readonly Issue[]) => void

const listeners = new WeakMap<object, MismatchListener>()

export function withUncheckedArguments<T extends object>(tool: T, onMismatch: MismatchListener): T {
  listeners.set(tool, onMismatch)
  return tool
}

/** Undefined: arguments that do not fit are rejected. */
export const mismatchListener = (tool: object): MismatchListener | undefined => listeners.get(tool)
