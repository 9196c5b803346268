/** The ten steps that are killed over and over, in a few kinds. */

import { planOf, step } from '@myrmex/testing/fleet/local-fleet'
import type { Plan, Step } from '../../packages/myrmex/src/agent/plan/plan.ts'
import type { StartRequest } from '../../packages/myrmex/src/agent/run/runs.ts'
import type { SeededRandom } from '../seeded-random.ts'

/**
 * granted: everything is approved in advance. asked: people approve the plan, and one booking separately. moody: one step fails at
 * first and is retried. risky: one step may start only once, and if it is cut off the run fails.
 */
export const KINDS = ['granted', 'asked', 'moody', 'risky'] as const
export type RunKind = (typeof KINDS)[number]

/** The principal of the calls that people decide. No other call may wait for approval. */
export const ASKED = 'olga'

const MONEY = 100
/** An attempt is lost if a kill comes between its journal entry and the next attempt. */
const ATTEMPTS = 12

const from = (id: string, path: string) => ({ $from: id, path })

export function tenSteps(kind: RunKind): Plan {
  const eighth: Record<RunKind, Step> = {
    granted: step('s8', 'world.shelve', { n: 8 }, ['s6']),
    asked: step('s8', 'world.book', { first: from('s2', '/receipt'), second: 'alone', careful: true }, ['s6']),
    moody: step('s8', 'world.moody', { n: 8 }, ['s6']),
    risky: step('s8', 'world.mail', { about: from('s6', '/booking') }, ['s6']),
  }
  return planOf(
    step('s1', 'world.look', { n: 1 }),
    step('s2', 'world.charge', { amount: 2, for: 'beans' }, ['s1']),
    step('s3', 'world.charge', { amount: 3, for: 'cups' }, ['s1']),
    step('s4', 'world.shelve', { n: from('s1', '/n') }, ['s1']),
    step('s5', 'world.book', { first: from('s2', '/receipt'), second: from('s3', '/receipt') }, ['s2', 's3']),
    step('s6', 'world.book', { first: from('s5', '/booking'), second: from('s2', '/receipt') }, ['s4', 's5']),
    step('s7', 'world.charge', { amount: 7, for: 'a sign' }, ['s6']),
    eighth[kind],
    step('s9', 'world.look', { n: from('s4', '/n') }, ['s4', 's6']),
    step('s10', 'world.sum', { parts: [from('s2', '/receipt'), from('s6', '/booking'), from('s7', '/receipt')] }, [
      's2',
      's6',
      's7',
      's8',
      's9',
    ]),
  )
}

export function drawKind(chance: SeededRandom): RunKind {
  if (chance.often(0.3)) return 'risky'
  if (chance.often(0.25)) return 'asked'
  return chance.often(0.15) ? 'moody' : 'granted'
}

/** The goal is the kind, so that the check knows what to expect. */
export const requestOf = (kind: RunKind): StartRequest => ({
  goal: kind,
  principal: { id: kind === 'asked' ? ASKED : 'ann', kind: 'local' },
  plan: tenSteps(kind),
  approve: kind === 'asked' ? 'ask' : 'all',
  budget: { money: MONEY },
  attempts: ATTEMPTS,
})
