/** When a leader dies, as chance decides it. */
import type { SeededRandom } from '../seeded-random.ts'

export type Hook = 'statement' | 'effect' | 'happening'

/**
 * - starting: a share of the usual start-up time after it was started.
 * - busy: `ms` after it was ready, or later, but only at a moment at which it executes a run.
 * - later: `ms` after it was ready.
 * - at: it kills itself the `count`-th time that a statement is sent to the ledger or returns, an effect is about to happen or
 *   has happened, or an event was written.
 */
export type KillMoment<Name extends string = Hook> =
  | { readonly kind: 'starting'; readonly share: number }
  | { readonly kind: 'busy'; readonly ms: number }
  | { readonly kind: 'later'; readonly ms: number }
  | { readonly kind: 'at'; readonly hook: Name; readonly count: number }

/** About how often each comes while as many runs as are led at once come to their end. */
export const MOST: Record<Hook, number> = { statement: 1500, effect: 130, happening: 220 }

/** `longest_ms` is how far into its work a leader may get; `mosts` names what it may die at, and how often each comes. */
export function drawKillMoment<Name extends string>(
  chance: SeededRandom,
  longest_ms: number,
  mosts: Readonly<Record<Name, number>>,
): KillMoment<Name> {
  if (chance.often(0.08)) return { kind: 'starting', share: chance.next() * 1.1 }
  if (chance.often(0.4)) return { kind: 'later', ms: chance.between(0, longest_ms) }
  const hook = chance.pick(Object.keys(mosts) as Name[])
  const most = mosts[hook]
  // Few is what happens as runs are taken over.
  return { kind: 'at', hook, count: chance.often(0.3) ? Math.round(most ** chance.next()) : chance.between(1, most) }
}
