/** The operator's switches, through the clients of a running host: from CLI, API and another process, while calls are under way. */
import { eventually, serveRefundTool } from '@myrmex/testing/gated-server'
import { rawClient } from '@myrmex/testing/host/raw-client'
import { post } from '@myrmex/testing/http-server'
import { serveOperatorApi } from '@myrmex/testing/operator-api'
import { twoServers } from '@myrmex/testing/profiles/two-servers'
import { describe, expect, test, vi } from 'vitest'

const call = (origin: string, tool_name: string, path = '/call') =>
  post(`${origin}${path}`, { tool_name, arguments: {} })
const STOPPED = {
  status: 'failure',
  error: {
    error_type: 'PermissionError',
    error_message: expect.stringContaining('The operator has stopped all calls (incident 7). Nothing was run.'),
    error_details: { switch: 'stop' },
  },
}

describe('stop everything', () => {
  test('aborts the calls in flight, and their servers hear of it', async () => {
    const { ledger, origin, log } = await twoServers()
    const waiting = call(origin, 'ants.wait_ants')
    await eventually(() => expect(log.join()).toContain('waiting ants'))
    await ledger.switches.set('stop', '', 'on', 'ada', 'incident 7')
    expect((await waiting).json).toMatchObject({
      status: 'failure',
      error: { error_message: expect.stringContaining('incident 7') },
    })
    await eventually(() => expect(log.join()).toContain('cancelled ants'))
    expect((await call(origin, 'ants.read_ants')).json).toMatchObject(STOPPED)
    await ledger.switches.set('stop', '', 'off', 'ada')
    expect((await call(origin, 'ants.read_ants')).json).toMatchObject({ status: 'success' })
  })

  test('rejects every kind of request that reaches a server, in both eras; lists, search and health still answer', async () => {
    const { host, ledger, origin, log } = await twoServers()
    await ledger.switches.set('stop', '', 'on', 'ada', 'incident 7')
    const before = log.length
    const requests: [method: string, params: Record<string, unknown>][] = [
      ['tools/call', { name: 'ants_read_ants', arguments: {} }],
      ['tools/call', { name: 'call_tool', arguments: { name: 'ants.read_ants' } }],
      ['resources/read', { uri: 'ants://note' }],
      ['resources/read', { uri: 'ants://item/1' }],
      ['prompts/get', { name: 'greet_ants' }],
      [
        'completion/complete',
        { ref: { type: 'ref/resource', uri: 'ants://item/{id}' }, argument: { name: 'id', value: '' } },
      ],
      ['myrmex/batch', { calls: [{ tool_name: 'ants.read_ants', arguments: {} }] }],
    ]
    for (const era of ['legacy', 'modern'] as const) {
      const client = await rawClient(host.server, { era })
      for (const [method, params] of requests) {
        const answer = JSON.stringify(await client.once(method, params).catch((error: unknown) => error))
        expect(answer, `${era} ${method}`).toContain('The operator has stopped all calls (incident 7)')
        expect(answer, `${era} ${method}`).not.toMatch(/words of|value of/)
      }
      expect((await client.once('tools/list', {})).tools).toHaveLength(8)
      const found = await client.once('tools/call', { name: 'search_tools', arguments: { query: 'read ants' } })
      expect(JSON.stringify(found.structuredContent)).toContain('ants_read_ants')
    }
    expect(log.length).toBe(before)
    expect((await fetch(`${origin}/healthz`)).status).toBe(200)
  })

  test('a call that is held for approval ends at once, and its approval stays to be used', async () => {
    const served = await serveRefundTool({}, { waiting: { hold: '60 s' } })
    const api = await serveOperatorApi(served)
    const held = call(api.origin, 'shop.refund')
    const [approval] = await eventually(async () => {
      const { approvals } = (await api.get('/api/approvals')).json
      expect(approvals).toHaveLength(1)
      return approvals
    })
    await served.ledger.switches.set('stop', '', 'on', 'ada', 'incident 7')
    expect((await held).json).toMatchObject({
      error: {
        error_type: 'CancelledError',
        error_message:
          'The operator has stopped all calls (incident 7). The call was still waiting for approval. Nothing was run.',
      },
    })
    expect(served.server.pipeline.heldCalls.size).toBe(0)
    await api.post(`/api/approvals/${approval.id}/approve`)
    await served.ledger.switches.set('stop', '', 'off', 'ada')
    expect((await call(api.origin, 'shop.refund')).json).toMatchObject({ status: 'success' })
    expect(served.refund.ran).toHaveLength(1)
  })

  test('a call that was approved before does not run after', async () => {
    const served = await serveRefundTool()
    const api = await serveOperatorApi(served)
    const waits = (await call(api.origin, 'shop.refund')).json
    const [approval] = (await api.get('/api/approvals')).json.approvals
    expect(waits.status).toBe('failure')
    await api.post('/api/switches/stop-everything', { reason: 'incident 7' })
    await api.post(`/api/approvals/${approval.id}/approve`)
    expect((await call(api.origin, 'shop.refund')).json).toMatchObject(STOPPED)
    expect(served.refund.ran).toEqual([])
    await api.post('/api/switches/resume-everything')
    // The approval was not used up by the call that was rejected.
    expect((await call(api.origin, 'shop.refund')).json).toMatchObject({ status: 'success' })
  })
})

describe('read-only', () => {
  test('rejects what changes state; what reads goes on, and so does a call in flight', async () => {
    const { ledger, origin, log } = await twoServers()
    const waiting = call(origin, 'ants.wait_ants')
    await eventually(() => expect(log.join()).toContain('waiting ants'))
    expect((await call(origin, 'ants.write_ants')).json).toMatchObject({ status: 'success' })
    await ledger.switches.set('read_only', '', 'on', 'ada')
    expect((await call(origin, 'ants.write_ants')).json).toMatchObject({
      error: {
        error_message: expect.stringContaining(
          'The operator has switched this host to read-only. ants.write_ants changes state.',
        ),
        error_details: { switch: 'read_only' },
      },
    })
    expect((await call(origin, 'ants.read_ants')).json).toMatchObject({ status: 'success' })
    expect(log.join()).not.toContain('cancelled ants')
    await ledger.switches.set('stop', '', 'on', 'ada')
    await waiting
  })

  test('of a profile holds for its callers only', async () => {
    const { ledger, origin } = await twoServers()
    await ledger.switches.set('read_only', 'ants', 'on', 'ada', 'audit')
    expect((await call(origin, 'ants.write_ants', '/p/ants/call')).json.error.error_message).toContain(
      'The operator has switched the profile ants to read-only (audit).',
    )
    expect((await call(origin, 'ants.read_ants', '/p/ants/call')).json).toMatchObject({ status: 'success' })
    expect((await call(origin, 'ants.write_ants')).json).toMatchObject({ status: 'success' })
  })
})

test('another process switches, a host that starts later has it, and the journal says who and why', async () => {
  const { ledger, file, origin } = await twoServers()
  const other = await file.open()
  await other.switches.set('stop', '', 'on', { name: 'ada', from: 'cli' }, 'incident 7')
  await vi.waitFor(() => expect(ledger.switches.state.stop).toBeDefined(), { timeout: 10_000 })
  expect((await call(origin, 'ants.read_ants')).json).toMatchObject(STOPPED)
  const late = await file.open()
  expect(late.switches.state.stop?.reason).toBe('incident 7')
  await ledger.journal.flush()
  const decision = /^.*"switch on".*$/m.exec(file.bytes().toString('latin1'))?.[0]
  for (const part of ['incident 7', '"ada', 'cli']) expect(decision).toContain(part)
})

describe('the API', () => {
  test('switches, shows what is on, and knows no profile that is not there', async () => {
    const { host, ledger } = await twoServers()
    const api = await serveOperatorApi({ server: host.server, ledger })
    expect((await api.get('/api/switches')).json).toEqual({ stop: null, read_only: null, read_only_profiles: [] })
    expect(await api.post('/api/switches/read-only-on', { profile: 'antz' })).toMatchObject({
      status: 400,
      json: { error_message: 'Unknown profile "antz". Did you mean ants? Profiles: ants, bees.' },
    })
    const on = await api.post('/api/switches/read-only-on', { profile: 'ants', reason: 'audit' })
    expect(on.json).toMatchObject({ read_only_profiles: [{ profile: 'ants', reason: 'audit', set_by: 'ada' }] })
    expect((await api.get('/api/host')).json.switches).toEqual((await api.get('/api/switches')).json)
    await api.post('/api/switches/read-only-on', { reason: 'we count' })
    expect((await call(api.origin, 'ants.write_ants')).json.error.error_message).toContain('read-only (we count)')
    expect((await call(api.origin, 'ants.read_ants')).json).toMatchObject({ status: 'success' })
    expect((await api.post('/api/switches/read-only-off')).json).toMatchObject({
      read_only: null,
      read_only_profiles: [{ profile: 'ants' }],
    })
    expect((await call(api.origin, 'ants.write_ants')).json).toMatchObject({ status: 'success' })
    await api.post('/api/switches/stop-everything', { reason: 'incident 7' })
    expect((await call(api.origin, 'ants.read_ants')).json).toMatchObject(STOPPED)
    await api.post('/api/switches/resume-everything')
    const off = await api.post('/api/switches/read-only-off', { profile: 'ants' })
    expect(off.json).toEqual({ stop: null, read_only: null, read_only_profiles: [] })
  })
})
