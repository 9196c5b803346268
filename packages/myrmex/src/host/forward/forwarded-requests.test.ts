/** Whose request a message of an upstream belongs to, after clients gave up theirs. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { ForwardedRequest } from './forwarded-request.ts'
import { ForwardedRequests } from './forwarded-requests.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => void vi.useRealTimers())

const of = (session: object, principal = 'ann'): ForwardedRequest =>
  ({ scope: { session, principal: { id: principal } } }) as unknown as ForwardedRequest

test('a request of the only session is found, also if that session gave up others', () => {
  const [requests, ann] = [new ForwardedRequests(), {}]
  const active = of(ann)
  for (const request of [of(ann), of(ann)]) requests.abandon(request)
  requests.add(active)
  expect(requests.soleOwner()).toBe(active)
})

test('nobody is found within a minute after another session gave up, even if the caller gave up since', () => {
  const [requests, ann, bob] = [new ForwardedRequests(), {}, {}]
  const active = of(ann)
  requests.add(active)
  requests.abandon(of(bob))
  requests.abandon(of(ann))
  expect(requests.soleOwner()).toBeUndefined()
  vi.advanceTimersByTime(30_000)
  requests.abandon(of(bob))
  vi.advanceTimersByTime(59_999)
  expect(requests.soleOwner()).toBeUndefined()
  vi.advanceTimersByTime(1)
  expect(requests.soleOwner()).toBe(active)
})

test('any number of sessions can give up, and two are remembered', () => {
  const [requests, ann] = [new ForwardedRequests(), {}]
  for (let count = 0; count < 1000; count++) requests.abandon(of({}))
  expect(requests.abandonedCount).toBe(2)
  requests.add(of(ann))
  requests.abandon(of(ann))
  expect(requests.soleOwner()).toBeUndefined()
})

test('a log message belongs to nobody within a minute after a request of another principal, but to the next session of the same one', () => {
  const requests = new ForwardedRequests()
  requests.delete(of({}, 'bob'))
  for (let count = 0; count < 3; count++) requests.delete(of({}, 'ann'))
  const active = of({}, 'ann')
  requests.add(active)
  expect(requests.soleOwner()).toBe(active)
  expect(requests.logOwner()).toBeUndefined()
  vi.advanceTimersByTime(60_000)
  requests.delete(of({}, 'ann'))
  expect(requests.logOwner()).toBe(active)
})
