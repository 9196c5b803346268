/** Groups consecutive steps that differ only in their arguments, so that people can read a long plan. */
import type { Step } from './plan/plan.ts'

/** Fewer than this stay separate. */
const MIN_GROUP = 6

type GroupableStep = Pick<Step, 'id' | 'tool' | 'arguments'> & Partial<Pick<Step, 'needs' | 'criteria'>>

/** In the order of the plan. A group of one is a single step. */
export function groupAlikeSteps<T extends GroupableStep>(steps: readonly T[]): T[][] {
  const groups: T[][] = []
  for (const step of steps) {
    const last = groups.at(-1)
    if (last?.[0] !== undefined && isAlike(last[0], step)) last.push(step)
    else groups.push([step])
  }
  return groups.flatMap((group) => (group.length < MIN_GROUP ? group.map((step) => [step]) : [group]))
}

const isAlike = (one: GroupableStep, other: GroupableStep): boolean =>
  one.tool === other.tool &&
  Object.keys(one.arguments).join('\n') === Object.keys(other.arguments).join('\n') &&
  JSON.stringify([one.needs, one.criteria]) === JSON.stringify([other.needs, other.criteria])
