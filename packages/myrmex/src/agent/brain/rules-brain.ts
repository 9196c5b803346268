/** The brain without a model: plans from schemas, judges by computed criteria, and revises arguments that take advice. */
import { critiqueByRules } from '../critic/critique.ts'
import { planByRules } from '../planner/planner.ts'
import type { Brain, Thought } from './brain.ts'
import { reviseByRules } from './revise-by-rules.ts'

const NAME = 'rules'

const byRules =
  <R, T>(decide: (request: R) => T) =>
  async (request: R, signal?: AbortSignal): Promise<Thought<T>> => {
    signal?.throwIfAborted()
    return { value: decide(request), by: NAME, notes: [] }
  }

export const rulesBrain: Brain = Object.freeze({
  name: NAME,
  plan: byRules(planByRules),
  critique: byRules(critiqueByRules),
  revise: byRules(reviseByRules),
  // Rules cannot write.
  write: byRules(() => null),
} satisfies Brain)
