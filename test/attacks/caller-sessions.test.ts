/**
 * Attacker: a remote caller, or an upstream server
 * Attack: a caller names the session of another principal to act in its state; opens sessions until others get none; a server lists
 * reviewed definitions on its own connection and other ones in the session of a caller.
 * Stopped by: a session is found by the connection's object, or by the proven principal and its profile together with the handle. Sessions
 * are limited, and a principal gets a place of one that has more. A request is refused if its session lists the definition otherwise than
 * it was reviewed.
 *
 * Attacker: somebody with a token that was revoked, or with a token for a profile
 * Attack: leaves state in a session for the next token of the same name, or uses the state of the same principal outside the profile.
 * Stopped by: a session ends with the token that used it last, and each profile has sessions of its own.
 */

import { type RawClient, rawClient } from '@myrmex/testing/host/raw-client'
import { enter, type StatefulHost, statefulHost, textOf, whereabouts } from '@myrmex/testing/host/stateful-server'
import { postModern } from '@myrmex/testing/http-server'
import { LONG, longTest } from '@myrmex/testing/long'
import { type HttpOptions, listenHttp, type Principal } from 'myrmex'
import { describe, expect, onTestFinished, test, vi } from 'vitest'

const principal = (id: string) => ({ id, kind: 'bearer' as const, scopes: ['*'] })
const [ANN, EVE] = [principal('ann'), principal('eve')]

async function open({ host }: StatefulHost, who: Principal): Promise<RawClient> {
  const client = await rawClient(host.server, { era: 'legacy', principal: who })
  onTestFinished(() => client.close())
  return client
}

const tokens = { ann: 'the-token-of-ann-0123456789-0123456789', eve: 'the-token-of-eve-0123456789-0123456789' }

longTest('the handle of another principal’s session names a session of one’s own', async () => {
  const { host } = await statefulHost('child')
  const authenticate: HttpOptions['authenticate'] = ({ headers }) =>
    headers.authorization === `Bearer ${tokens.ann}` ? ANN : EVE
  const listener = await listenHttp(host.server, { authenticate })
  onTestFinished(() => listener.close())
  const call = async (who: 'ann' | 'eve', name: string, args: object, meta: object) => {
    const headers = { authorization: `Bearer ${tokens[who]}` }
    const { json, events } = await postModern(listener.url, 'tools/call', { name, arguments: args }, headers, {
      ...meta,
    })
    const answer = (json ?? events.at(-1)?.data) as { result?: Record<string, unknown> }
    return answer.result === undefined ? JSON.stringify(answer) : textOf(answer.result)
  }
  const handle = { 'myrmex/session': 'a-handle-that-eve-has-seen-somewhere' }
  await call('ann', 'git.enter', { folder: '/secret/of/ann' }, handle)
  expect(await call('eve', 'git.where', {}, handle)).toContain('"folder":"/"')
  expect(await call('ann', 'git.where', {}, handle)).toContain('/secret/of/ann')
  // Nor what the client says that it is, nor another spelling of the key of a principal.
  for (const forged of [
    '["ann"]'.padEnd(22, ' '),
    '["ann","a-handle-that-eve-has-seen-somewhere"]',
    'ann',
    '',
    null,
    {},
  ]) {
    expect(await call('eve', 'git.where', {}, { 'myrmex/session': forged })).not.toContain('/secret')
  }
})

async function withTokens() {
  const { host } = await statefulHost('child')
  const { tokens } = host.server.ledger
  host.server.pipeline.profiles.replace([{ name: 'all', readOnly: false }])
  const listener = await listenHttp(host.server, { tokens })
  onTestFinished(() => listener.close())
  const call = async (token: string, name: string, path: string, meta: object) => {
    const headers = { authorization: `Bearer ${token}` }
    const params = { name, arguments: { folder: '/of/ann' } }
    const { json, events } = await postModern(listener.url + path, 'tools/call', params, headers, { ...meta })
    const answer = (json ?? events.at(-1)?.data) as { result: Record<string, unknown> }
    return textOf(answer.result)
  }
  return { tokens, call }
}

const HANDLES: [string, object][] = [
  ['a handle', { 'myrmex/session': 'a-handle-that-others-may-know' }],
  ['no handle', {}],
]

describe.each(LONG ? HANDLES : HANDLES.slice(0, 1))('a session with %s', (_what, meta) => {
  test('ends with the token that used it last, so the next token of that name finds nothing of it', async () => {
    const { tokens, call } = await withTokens()
    const first = await tokens.create('ann', { scopes: ['*'] }, 'olga')
    await call(first.token, 'git.enter', '', meta)
    const second = await tokens.rotate('ann', 'olga', 60_000)
    // Both count for a while: the client goes on with its session.
    expect(await call(second.token, 'git.where', '', meta)).toContain('/of/ann')
    const third = await tokens.rotate('ann', 'olga')
    expect(await call(third.token, 'git.where', '', meta)).toContain('"folder":"/"')
    await call(third.token, 'git.enter', '', meta)
    await tokens.revoke('ann', 'olga')
    const last = await tokens.create('ann', { scopes: ['*'] }, 'olga')
    expect(await call(last.token, 'git.where', '', meta)).toContain('"folder":"/"')
  })

  test('is of one profile', async () => {
    const { tokens, call } = await withTokens()
    const { token } = await tokens.create('ann', { scopes: ['*'] }, 'olga')
    await call(token, 'git.enter', '', meta)
    expect(await call(token, 'git.where', '/p/all', meta)).toContain('"folder":"/"')
    expect(await call(token, 'git.where', '', meta)).toContain('/of/ann')
  })
})

test('callers that come at once do not take the places of each other before they are used', async () => {
  const server = await statefulHost('child', { maxSessions: 4 })
  const attackers = await Promise.all(Array.from({ length: 4 }, () => open(server, EVE)))
  await Promise.all(attackers.map((eve) => whereabouts(eve)))
  const others = await Promise.all([ANN, principal('bob')].map((who) => open(server, who)))
  const seen = await Promise.all(others.map((one) => whereabouts(one)))
  expect(new Set(seen.map(({ pid }) => pid)).size).toBe(2)
})

test('a principal that takes all sessions keeps nobody out, and makes no more processes than allowed', async () => {
  const server = await statefulHost('child', { maxSessions: 2 })
  const attackers = await Promise.all(Array.from({ length: 4 }, () => open(server, EVE)))
  const ends = await Promise.allSettled(attackers.map((eve) => whereabouts(eve)))
  expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
  expect(server.host.servers()[0]?.sessions).toHaveLength(2)
  const ann = await open(server, ANN)
  await enter(ann, '/ann')
  expect(server.host.servers()[0]?.sessions).toHaveLength(2)
  // With all places taken again, the attacker does not get the one of Ann back.
  await Promise.allSettled(attackers.map((eve) => whereabouts(eve)))
  expect(await whereabouts(ann)).toMatchObject({ folder: '/ann' })
  const refused = await (await open(server, EVE)).request('tools/call', { name: 'git.where', arguments: {} })
  expect(textOf(refused)).toMatch(/all of its 2 sessions are in use \(max_sessions\)/)
})

test.each(LONG ? (['changed', 'extra'] as const) : (['extra'] as const))(
  'a session whose listing is %s serves nothing that was not reviewed',
  async (how) => {
    const server = await statefulHost('child')
    const before = await open(server, ANN)
    await enter(before, '/ann')
    server.alter(how)
    const late = await open(server, EVE)
    const entered = (await enter(late, '/eve')) as Record<string, unknown>
    expect(entered.isError).toBeUndefined()
    const name = how === 'changed' ? 'git.where' : 'git.extra'
    const refused = await late.request('tools/call', { name, arguments: {} }).catch((thrown) => thrown)
    expect(JSON.stringify(refused)).toMatch(
      how === 'changed' ? /changed its tool .* before this call reached it/ : /Unknown tool/,
    )
    const ref = { type: 'ref/resource', uri: 'state://files/{path}' }
    const complete = late.request('completion/complete', { ref, argument: { name: 'path', value: '' } })
    if (how === 'extra') expect(await complete).toMatchObject({ completion: { values: ['/eve'] } })
    else await expect(complete).rejects.toMatchObject({ message: expect.stringMatching(/changed its template/) })
    // The definition that was reviewed is the one that callers see, and the older session goes on with it.
    const { tools } = (await late.request('tools/list')) as { tools: { name: string; description?: string }[] }
    expect(tools.map(({ description }) => description ?? '').join()).not.toContain('attacker')
    expect(await whereabouts(before)).toMatchObject({ folder: '/ann' })
    await vi.waitFor(() => expect(server.log.join('\n')).toMatch(/a session lists something else/))
  },
)
