/** When a leader dies, as chance decides it. */
import type { Chance } from '../chance.ts'

export const HOOKS = ['statement', 'effect', 'happening'] as const
export type Hook = (typeof HOOKS)[number]

/**
 * starting: so many milliseconds after it was started. later: so many after it was ready. at: by its own hand, the so-manieth
 * time that a statement goes to the ledger or comes back, an effect is about to happen or has, or a line was written.
 */
export type Moment =
  | { readonly kind: 'starting'; readonly share: number }
  | { readonly kind: 'later'; readonly ms: number }
  | { readonly kind: 'at'; readonly hook: Hook; readonly count: number }

/** About how often each comes while as many runs as are led at once come to their end. */
const MOST: Record<Hook, number> = { statement: 1500, effect: 130, happening: 220 }

/** `longest_ms` is how far into its work a leader may get. */
export function drawMoment(chance: Chance, longest_ms: number): Moment {
  if (chance.often(0.08)) return { kind: 'starting', share: chance.next() * 1.1 }
  if (chance.often(0.4)) return { kind: 'later', ms: chance.between(0, longest_ms) }
  const hook = chance.pick(HOOKS)
  const most = MOST[hook]
  // Few is what happens as runs are taken over.
  return { kind: 'at', hook, count: chance.often(0.3) ? Math.round(most ** chance.next()) : chance.between(1, most) }
}
