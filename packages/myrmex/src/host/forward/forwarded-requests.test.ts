/** Whose request a message of an upstream belongs to, after clients gave up theirs. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { ForwardedRequest } from './forwarded-request.ts'
import { ForwardedRequests } from './forwarded-requests.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => void vi.useRealTimers())

const of = (session: object): ForwardedRequest => ({ scope: { session } }) as unknown as ForwardedRequest

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
  expect(requests.isIdle).toBe(false)
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
