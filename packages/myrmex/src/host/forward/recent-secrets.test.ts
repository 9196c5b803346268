/** Which texts of an upstream are cleaned of the secrets of calls, for whom, and for how long. */
import { countedTool, serve } from '@myrmex/testing/gated-server'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import * as z from 'zod'
import { RpcError } from '../../protocol/errors.ts'
import { plainCaller } from '../../server/exchange.ts'
import { ForwardedRequest } from './forwarded-request.ts'
import { RecentSecrets } from './recent-secrets.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => void vi.useRealTimers())

const input = z.looseObject({ key: z.string().meta({ 'x-secret': true }).optional() })

async function requestOf(args: object): Promise<ForwardedRequest> {
  const { server } = await serve([countedTool('bank.login', { input } as never)])
  const caller = plainCaller('direct', { id: 'ann', kind: 'bearer' })
  return new ForwardedRequest(server.pipeline.prepare(caller, 'bank.login', args), {})
}

test('secrets are removed while the call runs and for a minute after', async () => {
  const secrets = new RecentSecrets()
  const request = await requestOf({ key: 'S3CRET-of-ann' })
  secrets.add(request)
  expect(secrets.text('with S3CRET-of-ann')).toBe('with [secret]')
  expect(secrets.longest).toBe(13)
  secrets.end(request)
  vi.advanceTimersByTime(59_999)
  expect(secrets.text('with S3CRET-of-ann')).toBe('with [secret]')
  vi.advanceTimersByTime(1)
  expect(secrets.text('with S3CRET-of-ann')).toBe('with S3CRET-of-ann')
  expect(secrets.longest).toBe(0)
})

test('of ended calls five hundred texts are kept, the latest ones', async () => {
  const secrets = new RecentSecrets()
  const request = await requestOf({})
  const call = request.scope as unknown as { args: object }
  for (let n = 0; n < 502; n++) {
    call.args = { key: `secret-${n};` }
    secrets.end(request)
  }
  expect(secrets.text('secret-0; secret-1; secret-2; secret-501;')).toBe('secret-0; secret-1; [secret] [secret]')
})

test('a caller cannot find out which of its guesses is the secret of another call', async () => {
  const secrets = new RecentSecrets()
  secrets.add(await requestOf({ key: 'S3CRET-of-ann' }))
  secrets.add(await requestOf({ key: '4711' }))
  const guessing = await requestOf({ note: 'S3CRET-of-abc, S3CRET-of-ann' })
  const echo = 'unknown: S3CRET-of-abc, S3CRET-of-ann, 4710, 4711'
  expect(secrets.forCaller(echo, guessing)).toBe(echo)
  const other = await requestOf({})
  expect(secrets.forCaller(echo, other)).toBe('unknown: S3CRET-of-abc, [secret], 4710, 4711')
})

test('errors lose the secrets of other calls, and their data if it has one', async () => {
  const secrets = new RecentSecrets()
  const own = await requestOf({})
  const error = new RpcError(-32000, 'not S3CRET-of-ann', { last: 'S3CRET-of-ann' })
  expect(secrets.error(error, own)).toBe(error)
  secrets.add(await requestOf({ key: 'S3CRET-of-ann' }))
  expect(secrets.error(error, own)).toMatchObject({ code: -32000, message: 'not [secret]', data: undefined })
  const harmless = new RpcError(-32000, 'no', { last: 1 })
  expect(secrets.error(harmless, own)).toBe(harmless)
})

test('calls without secrets cost nothing and are not kept', async () => {
  const secrets = new RecentSecrets()
  const request = await requestOf({ note: 'public text' })
  secrets.add(request)
  secrets.end(request)
  expect(secrets.longest).toBe(0)
  expect(secrets.text('public text')).toBe('public text')
})
