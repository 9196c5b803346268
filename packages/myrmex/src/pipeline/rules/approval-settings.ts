/**
 * What happens to a call that waits for a person: how long it is held open, and for how long a denial answers the same call. In the policy file
 * as `waiting`, for every server; in myrmex.json as `approvals`, for the host, where it counts more.
 */
import * as z from 'zod'
import { parseDuration } from '../../protocol/duration.ts'
import { describedObject } from './operator-schema.ts'

export interface ApprovalSettings {
  /** how long a waiting call stays open before it fails; 0: it fails at once */
  readonly holdMs: number
  /** calls held at the same time, of all principals and of each */
  readonly maxHeld: number
  readonly maxHeldEach: number
  /** how long the same call is refused after a denial without asking again; 0: it asks again at once */
  readonly afterDenialMs: number
}

export const DEFAULT_APPROVAL_SETTINGS: ApprovalSettings = {
  holdMs: 0,
  maxHeld: 200,
  maxHeldEach: 20,
  afterDenialMs: 15 * 60_000,
}

/** A client that waits longer has given up long before. */
const LONGEST_HOLD_MS = 3_600_000
/** A denial is remembered for a day. */
const LONGEST_DENIAL_MS = 24 * 3_600_000
const MOST_HELD = 10_000

export type ApprovalConfig = z.output<ReturnType<typeof approvalConfig>>

export function approvalConfig() {
  const { shape, descriptions } = approvalConfigFields()
  return describedObject(shape, descriptions)
}

/** The fields of `approvalConfig`, to which the host adds its own. */
export const approvalConfigFields = () => ({
  shape: {
    hold: duration(LONGEST_HOLD_MS, '1 h').optional(),
    after_denial: duration(LONGEST_DENIAL_MS, '24 h').optional(),
    max_held: z.int().min(1).max(MOST_HELD).optional(),
    max_held_each: z.int().min(1).max(MOST_HELD).optional(),
  },
  descriptions: {
    hold: 'How long a call that needs approval is held open: a text such as "120 s", or milliseconds. Default: 0, it fails at once. At most 1 h.',
    after_denial:
      'How long the same call is refused after a denial, without a new request: "15 min", or milliseconds. 0: it asks again at once. ' +
      'Default: 15 min. At most 24 h.',
    max_held: 'Calls that are held at the same time. Further ones fail at once. Default: 200.',
    max_held_each: 'The same for each caller. Default: 20.',
  },
})

function duration(longest: number, text: string) {
  const forms = `must be 0, milliseconds or a duration such as "90 s" or "15 min", at most ${text}`
  const isDuration = (given: string): boolean => (parseDuration(given) ?? Number.POSITIVE_INFINITY) <= longest
  return z
    .union([z.int().min(0).max(longest), z.string().refine(isDuration, { error: forms })], { error: forms })
    .meta({ examples: ['120 s', 120_000] })
}

/** Later ones count more, field by field. */
export function approvalSettings(...configs: readonly (ApprovalConfig | undefined)[]): ApprovalSettings {
  const given: ApprovalConfig = Object.assign({}, ...configs)
  const { holdMs, afterDenialMs, maxHeld, maxHeldEach } = DEFAULT_APPROVAL_SETTINGS
  return {
    holdMs: milliseconds(given.hold) ?? holdMs,
    afterDenialMs: milliseconds(given.after_denial) ?? afterDenialMs,
    maxHeld: given.max_held ?? maxHeld,
    maxHeldEach: given.max_held_each ?? maxHeldEach,
  }
}

const milliseconds = (given: string | number | undefined): number | undefined =>
  typeof given === 'string' ? parseDuration(given) : given
