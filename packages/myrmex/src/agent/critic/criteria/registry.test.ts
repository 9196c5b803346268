import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { USUAL_LENGTHS } from './length/usual-lengths.ts'
import { CHECKS } from './persuasiveness/checks.ts'
import { CRITERIA } from './registry.ts'

const text = await readFile(new URL('../../../../../../docs/critic.md', import.meta.url), 'utf8')
const rows = text
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .map((line) => line.slice(2, -2).split(' | '))

test('docs/critic.md lists exactly the criteria that there are, with what they measure and their parameters', () => {
  const listed = rows.filter(([name]) => name?.startsWith('`'))
  const known = [...CRITERIA.values()].map(({ name, measures, parameters }) => {
    const names = Object.keys(parameters).map((parameter) => `\`${parameter}\``)
    return [`\`${name}\``, measures, names.join(', ') || 'none']
  })
  expect(listed).toEqual(known)
  for (const name of CRITERIA.keys()) expect(text).toContain(`\n## ${name}\n`)
})

test('docs/critic.md gives the points of persuasiveness as they are', () => {
  for (const { name, points } of CHECKS)
    expect(rows.map((row) => row.slice(0, 2))).toContainEqual([name, points.toFixed(2)])
  expect(CHECKS.reduce((sum, { points }) => sum + points, 0)).toBeCloseTo(1)
})

test('docs/critic.md gives the usual lengths as they are', () => {
  for (const { kind, bounds } of USUAL_LENGTHS) {
    const row = rows.find(([name]) => name === kind)
    const figures = row?.[1]?.match(/\d+/g)?.map(Number)
    expect([kind, figures]).toEqual([kind, Object.values(bounds)])
  }
})
