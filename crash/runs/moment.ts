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

/** How often each comes in the life of a leader that nobody kills. Few is what happens as runs are taken over. */
const MOST: Record<Hook, number> = { statement: 500, effect: 60, happening: 90 }

export function drawMoment(chance: Chance, longest_ms: number): Moment {
  if (chance.often(0.08)) return { kind: 'starting', share: chance.next() * 1.1 }
  if (chance.often(0.5)) return { kind: 'later', ms: chance.between(0, longest_ms) }
  const hook = chance.pick(HOOKS)
  return { kind: 'at', hook, count: Math.round(MOST[hook] ** chance.next()) }
}
