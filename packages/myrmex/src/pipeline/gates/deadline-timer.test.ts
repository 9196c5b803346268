import { expect, test } from 'vitest'
import { DeadlineTimer, type TimedEntry } from './deadline-timer.ts'

const timers = (): number => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length

function dueIn(ms: number, expire: () => void = () => {}): TimedEntry {
  return { due: performance.now() + ms, expire }
}

test('every entry expires when due, in the order of their times, and none twice', async () => {
  const alarm = new DeadlineTimer()
  const told: string[] = []
  const { promise, resolve } = Promise.withResolvers<void>()
  alarm.add(dueIn(60, () => resolve()))
  alarm.add(dueIn(30, () => told.push('later')))
  alarm.add(dueIn(5, () => told.push('sooner')))
  await promise
  expect(told).toEqual(['sooner', 'later'])
})

test('a deleted entry does not expire, even if another one of the same moment deletes it', async () => {
  const alarm = new DeadlineTimer()
  const told: string[] = []
  const { promise, resolve } = Promise.withResolvers<void>()
  const gone = dueIn(5, () => told.push('gone'))
  const sent = { due: gone.due + 0.1, expire: () => told.push('sent away') }
  alarm.add(gone)
  alarm.add({ due: gone.due, expire: () => alarm.delete(sent) })
  alarm.add(sent)
  alarm.delete(gone)
  alarm.add(dueIn(30, () => resolve()))
  await promise
  expect(told).toEqual([])
})

test('an entry added while another one expires also expires', async () => {
  const alarm = new DeadlineTimer()
  await new Promise<void>((resolve) => {
    alarm.add(dueIn(2, () => alarm.add(dueIn(2, resolve))))
  })
})

test('it keeps the process alive while somebody waits, and only then', () => {
  const alarm = new DeadlineTimer()
  const before = timers()
  const one = dueIn(10_000)
  const other = dueIn(20_000)
  for (let call = 0; call < 3; call++) {
    alarm.add(one)
    alarm.add(other)
    expect(timers()).toBe(before + 1)
    alarm.delete(one)
    expect(timers()).toBe(before + 1)
    alarm.delete(other)
    expect(timers()).toBe(before)
  }
})
