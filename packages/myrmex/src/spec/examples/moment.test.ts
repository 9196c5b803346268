import process from 'node:process'
import { expect, test } from 'vitest'
import { atMoment, ELSEWHERE } from './moment.ts'

test('work sees another time in another time zone, and nothing of it is left afterwards', async () => {
  const before = { Date, zone: process.env.TZ, hours: new Date(0).getHours() }
  const real = Date.now()
  await atMoment({ timeZone: 'Asia/Kathmandu', ahead: 86_400_000 }, async () => {
    expect(new Date(0).getHours()).toBe(5)
    expect(Date.now() - real).toBeGreaterThanOrEqual(86_400_000)
    expect(new Date().toISOString() > new Date(real + 80_000_000).toISOString()).toBe(true)
    expect(new Date(7).getTime()).toBe(7)
    expect(new Date() instanceof Date).toBe(true)
    expect(Date.parse(Date())).toBeGreaterThan(real)
  })
  await expect(atMoment(ELSEWHERE, () => Promise.reject(new Error('on purpose')))).rejects.toThrow('on purpose')
  expect(Date).toBe(before.Date)
  expect([process.env.TZ, new Date(0).getHours()]).toEqual([before.zone, before.hours])
})

test('every part of a date is another one elsewhere, whatever the day', () => {
  for (let day = 0; day < 1500; day++) {
    const here = new Date(Date.UTC(2024, 0, 1 + day, 8))
    // Nepal is 5:45 ahead of UTC.
    const there = new Date(here.getTime() + ELSEWHERE.ahead + (5 * 60 + 45) * 60_000)
    for (const part of [
      'getUTCFullYear',
      'getUTCMonth',
      'getUTCDate',
      'getUTCDay',
      'getUTCHours',
      'getUTCMinutes',
    ] as const)
      expect(there[part](), `${part} of ${here.toISOString()}`).not.toBe(here[part]())
  }
})
