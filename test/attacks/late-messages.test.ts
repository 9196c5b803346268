/**
 * An honest server of the legacy era logs what it works on, and a log message does not say which call it belongs to. The attacker is
 * another caller of the same server who waits for such messages.
 *
 * Attacker: a remote caller
 * Attack: waits for log messages, stderr lines and errors in which a server repeats the arguments and secrets of other callers.
 * Stopped by: a log message reaches a caller only if no call of anybody else can have caused it. All others go to the operator's log.
 * Secrets of calls in flight and of the last minute are removed from everything that an upstream sends besides results.
 */
import { changingServer, hostOf } from '@myrmex/testing/host/changing-server'
import { type RawClient, rawClient } from '@myrmex/testing/host/raw-client'
import { describe, expect, test } from 'vitest'

const SECRET = 'S3CRET-of-ann'
const tool = (name: string): object => ({
  name,
  description: 'Looks.',
  annotations: { readOnlyHint: true },
  inputSchema: { type: 'object', properties: { key: { type: 'string', 'x-secret': true } } },
})

interface Scene {
  readonly log: string[]
  readonly ann: RawClient
  readonly bob: RawClient
  /** The server logs about all calls again. Resolves when the host has so many of these messages. */
  late(count: number): Promise<void>
}

async function scene(): Promise<Scene> {
  const log: string[] = []
  const server = changingServer('bank', { tools: [tool('login'), tool('balance'), tool('fail')], repeats: true })
  const host = await hostOf([server], { log: (_level, line) => void log.push(line) })
  const client = (id: string, scopes: string[]): Promise<RawClient> =>
    rawClient(host.server, { era: 'legacy', principal: { id, kind: 'bearer', scopes } })
  const late = async (count: number): Promise<void> => {
    process.kill(host.servers()[0]?.pid as number, 'SIGHUP')
    await expect.poll(() => log.filter((line) => line.includes('after')).length).toBe(count)
  }
  return { log, late, ann: await client('ann', ['bank.*']), bob: await client('bob', ['bank.balance', 'bank.fail']) }
}

const login = { name: 'bank.login', arguments: { user: 'ann', key: SECRET } }
const logged = ({ heard }: RawClient): unknown[] =>
  heard.filter(({ method }) => method === 'notifications/message').map(({ params }) => params.data)

describe('a caller learns what another one sent to the same server', () => {
  test('from a message logged after the call', async () => {
    const { log, late, ann, bob } = await scene()
    await ann.request('tools/call', login)
    await late(1)
    expect(logged(bob)).toEqual([])
    // While the call runs, its caller gets the message.
    expect(logged(ann)).toEqual(['during {"user":"ann","key":"[secret]"}'])
    await expect.poll(() => log.join('\n')).toContain('stderr {"user":"ann","key":"[secret]"}')
    expect(log.join('\n')).not.toContain(SECRET)
  })

  test('from a message logged during a call of its own', async () => {
    const { log, late, ann, bob } = await scene()
    const own = bob.request('tools/call', { name: 'bank.balance', arguments: { wait: 500 } })
    await ann.request('tools/call', login)
    await late(2)
    await own
    expect(JSON.stringify(logged(bob))).not.toContain('ann')
    expect(log.join('\n')).not.toContain(SECRET)
  })

  test('from progress and an error of its own call', async () => {
    const { ann, bob } = await scene()
    await ann.request('tools/call', login)
    const failed = await bob.request('tools/call', { name: 'bank.fail', arguments: {} }, { progressToken: 'p' })
    expect(failed).toMatchObject({ isError: true })
    expect(JSON.stringify([failed, bob.heard])).not.toContain(SECRET)
    expect(JSON.stringify([failed, bob.heard])).toContain('[secret]')
  })
})

test('two calls in flight: neither caller gets the message, and the log has no secret', async () => {
  const { log, late, ann, bob } = await scene()
  await Promise.all([
    ann.request('tools/call', { name: 'bank.login', arguments: { ...login.arguments, wait: 200 } }),
    bob.request('tools/call', { name: 'bank.balance', arguments: { key: 'S3CRET-of-bob', wait: 200 } }),
  ])
  await late(2)
  expect(log.join('\n')).not.toMatch(/S3CRET/)
})
