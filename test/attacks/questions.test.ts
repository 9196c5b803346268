/**
 * Attacker: a remote caller
 * Attack: declares the clientInfo of another client with the same credential, to get the question that an upstream asks for that
 * client's call.
 * Stopped by: a question belongs to the session of the call that caused it. Over modern HTTP every request is a session of its
 * own. If several could be meant, nobody is asked.
 */
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { type Answers, type RawClient, rawClient } from '@myrmex/testing/host/raw-client'
import { serverSettings } from '@myrmex/testing/host/server-settings'
import { post } from '@myrmex/testing/http-server'
import { modernMeta } from '@myrmex/testing/mcp-peer'
import { fixturePath } from '@myrmex/testing/paths'
import { listenHttp } from 'myrmex'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { type Host, openHost } from '../../packages/myrmex/src/host/host.ts'

const TOKEN = 'a-token-that-both-clients-were-given-0123456789'
const ASKS = { elicitation: { form: {} }, roots: {} }
const ACCEPT = { action: 'accept', content: { name: 'Mallory' } }
const ASK_TWICE = { name: 'asker.ask', arguments: { methods: ['roots/list', 'elicitation/create'] } }
const WAIT = { name: 'asker.wait', arguments: {} }

let host: Host

beforeEach(async () => {
  const endpoint = {
    where: 'child',
    command: process.execPath,
    args: [fixturePath('host/asking-upstream.ts')],
    env: {},
    cwd: tmpdir(),
  } as const
  host = await openHost({ settings: [serverSettings('asker', endpoint)], log: () => {} })
  return () => host.close()
})

interface ModernCall {
  /** the JSON-RPC result */
  readonly ended: Promise<Record<string, unknown>>
  cancel(): void
}

/** Calls over modern HTTP, where every client says that it is the same program. */
async function modernHttp(token?: string): Promise<(params: object) => ModernCall> {
  const listener = await listenHttp(host.server, token === undefined ? {} : { token })
  onTestFinished(() => listener.close())
  let id = 0
  return (params) => {
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': (params as { name: string }).name,
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    }
    const body = JSON.stringify({
      jsonrpc: '2.0',
      id: ++id,
      method: 'tools/call',
      params: { ...params, _meta: modernMeta(ASKS) },
    })
    const outgoing = request(listener.url, { method: 'POST', headers })
    const ended = new Promise<Record<string, unknown>>((resolve, reject) => {
      outgoing.on('error', reject).on('response', (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (chunk) => (text += chunk))
        response.on('error', reject).on('end', () => {
          const line = /^data: ?(\{.*)$/m.exec(text)?.[1] ?? text
          resolve(JSON.parse(line).result)
        })
      })
    })
    ended.catch(() => undefined)
    outgoing.end(body)
    return { ended, cancel: () => outgoing.destroy() }
  }
}

const inFlight = (): number => host.servers()[0]?.in_flight ?? 0
const keyOf = (result: Record<string, unknown>): string => Object.keys(result.inputRequests as object)[0] ?? ''
const textsOf = ({ content }: Record<string, unknown>): string[] =>
  (content as { text: string }[]).map(({ text }) => text)
const pendingOr = (ended: Promise<unknown>): Promise<unknown> => Promise.race([ended, Promise.resolve('pending')])

describe.each([
  ['without a token', undefined],
  ['with the same token', TOKEN],
])('a question reaches another client that declares the same clientInfo, over modern HTTP %s', (_, token) => {
  test('the other client is not asked, and neither is the first one', async () => {
    const call = await modernHttp(token)
    const first = await call(ASK_TWICE).ended
    expect(first).toMatchObject({ resultType: 'input_required' })
    // The attacker is the latest client with a request in flight there.
    const attack = call(WAIT)
    await expect.poll(inFlight).toBe(2)
    const inputResponses = { [keyOf(first)]: { roots: [] } }
    const victim = await call({ ...ASK_TWICE, inputResponses, requestState: first.requestState }).ended
    expect(await pendingOr(attack.ended)).toBe('pending')
    expect(JSON.parse(textsOf(victim)[1] ?? '')).toMatchObject({
      refused: { message: expect.stringMatching(/several/) },
    })
    attack.cancel()
  })

  test('a client that is alone there is asked, over as many rounds as it takes', async () => {
    const call = await modernHttp(token)
    const first = await call(ASK_TWICE).ended
    const roots = { [keyOf(first)]: { roots: [] } }
    const second = await call({ ...ASK_TWICE, inputResponses: roots, requestState: first.requestState }).ended
    expect(second).toMatchObject({ resultType: 'input_required' })
    const answer = { [keyOf(second)]: ACCEPT }
    const end = await call({ ...ASK_TWICE, inputResponses: answer, requestState: second.requestState }).ended
    expect(JSON.parse(textsOf(end)[1] ?? '')).toEqual(ACCEPT)
  })

  test('a question about a request that one client gave up does not reach the next one', async () => {
    const call = await modernHttp(token)
    const abandoned = call(WAIT)
    await expect.poll(inFlight).toBe(1)
    abandoned.cancel()
    await expect.poll(inFlight).toBe(0)
    // It looks like a question of the second client's call, but it may belong to the first one's.
    const later = await call({ name: 'asker.ask', arguments: { methods: ['elicitation/create'] } }).ended
    expect(later.resultType).toBe('complete')
    expect(textsOf(later)[0]).toMatch(/refused/)
  })
})

describe('a question reaches another session of the same principal', () => {
  const open = (answers: Answers): Promise<RawClient> => rawClient(host.server, { era: 'legacy', answers })

  test('a call that was cancelled leaves its questions to nobody', async () => {
    let id = 0
    const victim = await rawClient(host.server, { era: 'legacy', onId: (next) => (id = next) })
    void victim.request('tools/call', WAIT).catch(() => undefined)
    await expect.poll(inFlight).toBe(1)
    victim.notify('notifications/cancelled', { requestId: id })
    await expect.poll(inFlight).toBe(0)
    const other = await open({ 'elicitation/create': () => ACCEPT })
    const asked = await other.request('tools/call', {
      name: 'asker.ask',
      arguments: { methods: ['elicitation/create'] },
    })
    expect(other.asked).toEqual([])
    expect(textsOf(asked)[0]).toMatch(/refused/)
  })
})

test('a legacy session of another client answers 404 to those who do not have its id', async () => {
  const listener = await listenHttp(host.server, {})
  onTestFinished(() => listener.close())
  const message = { jsonrpc: '2.0', id: 'ask-1', result: ACCEPT }
  for (const id of ['', '1', '00000000-0000-4000-8000-000000000000']) {
    const { status } = await post(listener.url, message, { 'mcp-session-id': id, 'mcp-protocol-version': '2025-11-25' })
    expect(status).toBe(404)
  }
})
