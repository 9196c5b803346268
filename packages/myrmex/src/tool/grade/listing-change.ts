/**
 * The changes of an upstream's listing that are harmless, as a closed list. Clients get every field of a listing and may show it to a
 * model, so any other change, also of icons and `_meta`, is different.
 *
 * - `execution`: task support that is forbidden, optional or not given. The host decides itself which calls become tasks.
 * - `annotations`: a hint that writes out its default.
 * - `_meta`: an empty object instead of none. Clients get the same `_meta` for both.
 */
import { isObject } from '../../protocol/json.ts'
import { isSameValue } from '../difference/format.ts'

/** Whether two listings are the same but for such parts. Either may be absent, for tools of this program. */
export function isSameListing(before: unknown, after: unknown): boolean {
  if (!isObject(before) || !isObject(after)) return isSameValue(before, after)
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].every((field) => {
    const [a, b] = [before[field], after[field]]
    return isSameValue(a, b) || (Object.hasOwn(SAME, field) && SAME[field]?.(a, b) === true)
  })
}

type Compare = (before: unknown, after: unknown) => boolean
const both =
  (fits: (value: unknown) => boolean): Compare =>
  (before, after) =>
    [before, after].every((value) => value === undefined || fits(value))

const hasOnly = (value: unknown, fields: Readonly<Record<string, (value: unknown) => boolean>>): boolean =>
  isObject(value) && Object.entries(value).every(([key, item]) => Object.hasOwn(fields, key) && fields[key]?.(item))

/** `required` would change how a call must be made. */
const isExecution = (value: unknown): boolean =>
  hasOnly(value, { taskSupport: (support) => support === 'forbidden' || support === 'optional' })

/** In any other `_meta`, even a flag or a single letter can be read by a model or followed by a client. */
const isEmpty = (value: unknown): boolean => hasOnly(value, {})

const DEFAULT_HINTS = { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true }

/** A hint that says what holds anyway is no change. */
export const withDefaultHints = (annotations: unknown): Record<string, unknown> => ({
  ...DEFAULT_HINTS,
  ...(isObject(annotations) && annotations),
})

const SAME: Readonly<Record<string, Compare>> = {
  execution: both(isExecution),
  _meta: both(isEmpty),
  annotations: (before, after) =>
    both(isObject)(before, after) && isSameValue(withDefaultHints(before), withDefaultHints(after)),
}
