/** When a leader dies, as chance decides it. */
import type { SeededRandom } from '../seeded-random.ts'

export type Hook = 'statement' | 'effect' | 'happening'

/**
 * starting: so many milliseconds after it was started. later: so many after it was ready. at: by its own hand, the so-manieth
 * time that a statement goes to the ledger or comes back, an effect is about to happen or has, or a line was written.
 */
export type KillMoment<Name extends string = Hook> =
  | { readonly kind: 'starting'; readonly share: number }
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
