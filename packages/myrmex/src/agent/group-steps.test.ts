/** Steps that are read as one. */
import { expect, test } from 'vitest'
import { groupAlikeSteps } from './group-steps.ts'

const step = (id: number, tool: string, args: object = { n: id }, needs: string[] = []) => ({
  id: `s${id}`,
  tool,
  arguments: { ...args },
  needs,
})
const many = (tool: string, from: number, count: number) =>
  Array.from({ length: count }, (_, i) => step(from + i, tool))

test('many in a row of one tool are one group; few are read one by one', () => {
  const steps = [...many('a.x', 0, 3), ...many('b.y', 3, 8), step(11, 'a.x')]
  expect(groupAlikeSteps(steps).map((group) => group.length)).toEqual([1, 1, 1, 8, 1])
  expect(groupAlikeSteps(steps).flat()).toEqual(steps)
})

test('those that take other arguments or wait for other steps stand by themselves', () => {
  const steps = [...many('a.x', 0, 7), step(7, 'a.x', { other: 1 }), step(8, 'a.x', { n: 8 }, ['s1'])]
  expect(groupAlikeSteps(steps).map((group) => group.length)).toEqual([7, 1, 1])
})
