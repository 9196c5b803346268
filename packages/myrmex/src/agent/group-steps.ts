/** Plans that do the same to many things: steps in a row that differ in nothing but their arguments are read as one. */
import type { Step } from './plan/plan.ts'

/** Fewer than this are read one by one. */
const MANY = 6

type GroupableStep = Pick<Step, 'id' | 'tool' | 'arguments'> & Partial<Pick<Step, 'needs' | 'criteria'>>

/** In their order; a group of one is a step by itself. */
export function groupAlikeSteps<T extends GroupableStep>(steps: readonly T[]): T[][] {
  const groups: T[][] = []
  for (const step of steps) {
    const last = groups.at(-1)
    if (last?.[0] !== undefined && isAlike(last[0], step)) last.push(step)
    else groups.push([step])
  }
  return groups.flatMap((group) => (group.length < MANY ? group.map((step) => [step]) : [group]))
}

const isAlike = (one: GroupableStep, other: GroupableStep): boolean =>
  one.tool === other.tool &&
  Object.keys(one.arguments).join('\n') === Object.keys(other.arguments).join('\n') &&
  JSON.stringify([one.needs, one.criteria]) === JSON.stringify([other.needs, other.criteria])
