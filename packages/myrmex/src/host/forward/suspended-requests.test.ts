import { expect, test } from 'vitest'
import { RequestScope } from '../../pipeline/request-scope.ts'
import { plainCaller } from '../../server/exchange.ts'
import { ForwardedRequest } from './forwarded-request.ts'
import { SuspendedRequests } from './suspended-requests.ts'

const flight = (): ForwardedRequest =>
  new ForwardedRequest(new RequestScope(plainCaller('direct', { id: 'me', kind: 'bearer' }), undefined), {})

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
