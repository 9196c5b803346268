/** Changes of what an author says about a tool beside its schemas: only a hint that writes out its default is harmless. */
import { toolDefaults } from '@myrmex/testing/sample-tools'
import { expect, test } from 'vitest'
import { type ToolDefinition, tool } from '../tool.ts'
import { toolBody } from '../verify/verify-tool.ts'
import { type ChangeGrade, gradeChange } from './grade-change.ts'

const SHAPE = {
  type: 'object',
  properties: { text: { type: 'string' } },
  required: ['text'],
  additionalProperties: false,
}
const body = (change: object) =>
  toolBody(
    tool({
      ...{ ...toolDefaults, name: 'shop.look', input: { type: 'object' }, output: SHAPE, run: () => ({}) },
      ...change,
    } as unknown as ToolDefinition),
  )

test.each<[string, object, object, ChangeGrade]>([
  ['openWorld writes out its default', {}, { openWorld: true }, 'harmless'],
  ['openWorld is left out', { openWorld: true }, {}, 'harmless'],
  ['it says that it reaches nothing else', {}, { openWorld: false }, 'different'],
  ['an icon', {}, { icons: [{ src: 'https://shop.example/i.png' }] }, 'different'],
  ['metadata', { meta: { a: 1 } }, { meta: { a: 2 } }, 'different'],
  ['a text instead of fields', {}, { output: 'text' }, 'different'],
])('%s', (_what, before, after, grade) => {
  expect(gradeChange(body(before), body(after)).grade).toBe(grade)
})

const listed = (destructive: boolean, annotations: object) => ({
  ...body({ destructive }),
  listing: { name: 'look', annotations },
})

test('a server that takes back that it changes nothing is suspicious', () => {
  const change = gradeChange(listed(false, { readOnlyHint: true }), listed(true, { openWorldHint: false }))
  expect(change.reasons).toEqual(['It now says that it changes state or destroys something.'])
})

test('what the operator’s file takes back is no word of the server, also beside another change', () => {
  const change = gradeChange(listed(false, {}), listed(true, { openWorldHint: false }))
  expect(change).toEqual({ grade: 'different', reasons: [] })
})
