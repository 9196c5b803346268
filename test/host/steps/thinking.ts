/** The one tool of server-sequential-thinking, through a thought, a second one and a branch. */
import { call, listsTools, refuses, type Step } from './step.ts'

const thought = (number: number, more: object = {}) => ({
  thought: `Thought ${number}`,
  nextThoughtNeeded: number < 3,
  thoughtNumber: number,
  totalThoughts: 3,
  ...more,
})

/** It remembers the thoughts before this one. */
const later = (args: object, what: string): Step => ({
  ...call('sequentialthinking', { ...args }, what),
  lasting: true,
})

export const STEPS: readonly Step[] = [
  listsTools,
  call('sequentialthinking', thought(1)),
  later(thought(2, { isRevision: true, revisesThought: 1 }), 'revises'),
  later(thought(3, { branchFromThought: 1, branchId: 'b' }), 'branches'),
  later(thought(4), 'thinks more than was thought'),
  call('sequentialthinking', { ...thought(1), nextThoughtNeeded: 'perhaps' }, 'refuses in its own words'),
  refuses('sequentialthinking', { thought: 'none' }),
]
