import { expect, test } from 'vitest'
import { ChurnMap } from './churn-map.ts'

test('over thousands of comings and goings it has exactly those who are there, in the order they came', () => {
  const crowd = new ChurnMap<number, string>()
  for (let key = 0; key < 5000; key++) {
    crowd.set(key, `number ${key}`)
    if (key >= 100) expect(crowd.delete(key - 100)).toBe(true)
    expect(crowd.delete(key - 101)).toBe(false)
  }
  expect(crowd.size).toBe(100)
  expect(crowd.values()).toEqual(Array.from({ length: 100 }, (_, i) => `number ${4900 + i}`))
  expect([crowd.has(4899), crowd.get(4899), crowd.has(4900), crowd.get(4900)]).toEqual([
    false,
    undefined,
    true,
    'number 4900',
  ])
})

test('an entry deleted during iteration does not disturb it', () => {
  const crowd = new ChurnMap<number, number>()
  for (let key = 0; key < 200; key++) crowd.set(key, key)
  let seen = 0
  for (const key of crowd.values()) {
    crowd.delete(key)
    seen++
  }
  expect([seen, crowd.size]).toEqual([200, 0])
})
