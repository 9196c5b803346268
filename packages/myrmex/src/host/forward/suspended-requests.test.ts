import { expect, test } from 'vitest'
import { RequestScope } from '../../pipeline/request-scope.ts'
import { plainCaller } from '../../server/exchange.ts'
import { ForwardedRequest } from './forwarded-request.ts'
import { SuspendedRequests } from './suspended-requests.ts'

const flight = (id = 'me'): ForwardedRequest =>
  new ForwardedRequest(new RequestScope(plainCaller('direct', { id, kind: 'bearer' }), undefined), {})

test('only the principal who began it goes on with it, and once', () => {
  const parked = new SuspendedRequests()
  const mine = flight()
  parked.add(mine, () => {})
  expect(() => parked.take(mine.id, 'you')).toThrow(/no longer waiting/)
  expect(() => parked.take(undefined, 'me')).toThrow(/no longer waiting/)
  expect(parked.take(mine.id, 'me')).toBe(mine)
  expect(() => parked.take(mine.id, 'me')).toThrow(/Send the request again/)
})

test('what nobody comes back for is ended', async () => {
  const parked = new SuspendedRequests(5)
  const mine = flight()
  await new Promise<void>((resolve) => parked.add(mine, resolve))
  expect(parked.size).toBe(0)
  expect(() => parked.take(mine.id, 'me')).toThrow(/no longer waiting/)
})

test('a principal that takes all places loses the oldest to another one, down to an equal share', () => {
  const parked = new SuspendedRequests()
  const ended: number[] = []
  const suspend = (who: string, onExpire = () => {}): boolean => {
    const hasRoom = parked.makeRoom(who)
    if (hasRoom) parked.add(flight(who), onExpire)
    return hasRoom
  }
  for (let n = 0; n < 300; n++) suspend('mallory', () => ended.push(n))
  expect([parked.size, ended]).toEqual([256, []])
  expect(suspend('mallory')).toBe(false)
  expect(suspend('ann')).toBe(true)
  expect([parked.size, ended]).toEqual([256, [0]])
  const more = Array.from({ length: 200 }, () => suspend('ann')).filter(Boolean).length
  expect(more).toBeGreaterThan(100)
  expect(ended.length).toBeLessThanOrEqual(128)
  parked.close()
})
