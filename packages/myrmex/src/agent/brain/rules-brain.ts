/** The brain without a model: plans by backward chaining, judges by computed criteria, revises where a tool listens. */
import { critiqueByRules } from '../critic/critique.ts'
import { planByRules } from '../planner/planner.ts'
import type { Brain, Thought } from './brain.ts'
import { reviseByRules } from './revise-by-rules.ts'

const BY = 'rules'

const thought = <T>(value: T): Thought<T> => ({ value, by: BY, notes: [] })

export const rulesBrain: Brain = Object.freeze({
  name: BY,
  async plan(request, signal) {
    signal?.throwIfAborted()
    return thought(planByRules(request))
  },
  async critique(request, signal) {
    signal?.throwIfAborted()
    return thought(critiqueByRules(request))
  },
  async revise(request, signal) {
    signal?.throwIfAborted()
    return thought(reviseByRules(request))
  },
  /** Rules have no words of their own. */
  async write(_request, signal) {
    signal?.throwIfAborted()
    return thought(null)
  },
} satisfies Brain)
