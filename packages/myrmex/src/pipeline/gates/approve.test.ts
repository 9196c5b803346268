/** The approve gate on a real ledger: one yes lets one exact call through, once, and nothing else is let through by it. */

import {
  approvalOf,
  type CountedTool,
  call,
  countedTool,
  definitionOf,
  destructiveTool,
  grant,
  principalNamed,
  serve,
  serveRefundTool,
  trust,
} from '@myrmex/testing/gated-server'
import { modernPeer } from '@myrmex/testing/mcp-peer'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'

const serveTrusted = async (counted: CountedTool[], options: Parameters<typeof serve>[1] = {}) => {
  const served = await serve(counted, options)
  for (const one of counted) await trust(served.ledger, one)
  return served
}

const REFUSED = { status: 'failure', error: { error_type: 'PermissionError' } }

describe('one call, one approval', () => {
  test('the refusal names the approval, the reason, and how to go on', async () => {
    const { server, file } = await serveRefundTool()
    const refused = await call(server, 'shop.refund', { n: 1 })
    const id = approvalOf(refused)
    expect(refused.error?.error_message).toContain(`myrmex approvals approve ${id}`)
    expect(refused.error?.error_message).toMatch(/changes state.*same arguments, as the same principal/)
    expect(Date.parse(refused.error?.error_details.expires_at)).toBeGreaterThan(Date.now())
    expect(file.rows('SELECT id, tool, args, principal, status FROM approvals')).toEqual([
      { id, tool: 'shop.refund', args: '{"n":1}', principal: 'local', status: 'waiting' },
    ])
    const [line] = file.lines()
    expect(line).toMatchObject({ tool: 'shop.refund', outcome: 'waiting', error: { error_details: { approval: id } } })
    expect(line).not.toHaveProperty('error_type')
  })

  test('nobody is asked about an argument that the tool would not get', async () => {
    const input = z.object({ order: z.string(), address: z.string().optional() })
    const { server, file } = await serveTrusted([destructiveTool('shop.ship', { input })])
    const refused = await call(server, 'shop.ship', { order: 'o_1', adress: '666 Wrong St' })
    expect(refused.error).toMatchObject({
      error_type: 'SchemaError',
      error_message: expect.stringContaining('/adress: is not a known property. Did you mean address?'),
    })
    expect(file.rows('SELECT id FROM approvals')).toEqual([])
  })

  test('an approval lets exactly this call through, once, and the audit names it', async () => {
    const { server, ledger, refund, file } = await serveRefundTool()
    const id = approvalOf(await call(server, 'shop.refund', { n: 1 }))
    await ledger.approvals.approve(id, 'ada')
    expect(await call(server, 'shop.refund', { n: 2 })).toMatchObject(REFUSED)
    const ran = await call(server, 'shop.refund', { n: 1 })
    expect(ran).toMatchObject({ status: 'success' })
    const again = approvalOf(await call(server, 'shop.refund', { n: 1 }))
    expect(again).not.toBe(id)
    expect(refund.ran).toEqual([{ n: 1 }])
    expect(await ledger.approvals.find(id)).toMatchObject({ status: 'used', used_by: ran.call_id, decided_by: 'ada' })
    expect(file.lines().map(({ approval }) => approval)).toEqual([undefined, undefined, id, undefined])
  })

  test('a repeated call with the same key returns the recorded result without a second approval', async () => {
    const { server, ledger, refund, file } = await serveRefundTool()
    const keyed = (n: number, key = 'k') => call(server, 'shop.refund', { n }, { key })
    await ledger.approvals.approve(approvalOf(await keyed(1)), 'ada')
    const ran = await keyed(1)
    expect(await keyed(1)).toMatchObject({ status: 'success', data: ran.data })
    expect(refund.ran).toEqual([{ n: 1 }])
    expect(await keyed(2)).toMatchObject(REFUSED)
    expect(await keyed(1, 'other')).toMatchObject(REFUSED)
    // The result has lapsed: then it is a new call.
    file.rows('UPDATE once SET expires_at = 0')
    expect(await keyed(1)).toMatchObject(REFUSED)
    expect(refund.ran).toEqual([{ n: 1 }])
  })

  test('asking again while it waits makes no second request', async () => {
    const { server, file } = await serveRefundTool()
    const ids = await Promise.all(
      Array.from({ length: 20 }, () => call(server, 'shop.refund', { n: 1 }).then(approvalOf)),
    )
    expect(new Set(ids).size).toBe(1)
    expect(file.rows('SELECT id FROM approvals')).toHaveLength(1)
  })

  test('of twenty identical calls at the same instant one uses it', async () => {
    const { server, ledger, refund } = await serveRefundTool()
    const id = approvalOf(await call(server, 'shop.refund', { n: 1 }))
    await ledger.approvals.approve(id, 'ada')
    const all = await Promise.all(Array.from({ length: 20 }, () => call(server, 'shop.refund', { n: 1 })))
    expect(all.filter(({ status }) => status === 'success')).toHaveLength(1)
    expect(refund.ran).toHaveLength(1)
  })

  test('two servers on one file do not use it twice either', async () => {
    const { server, ledger, refund, file } = await serveRefundTool()
    const other = await serveTrusted([refund], { file })
    const id = approvalOf(await call(server, 'shop.refund', { n: 1 }))
    await ledger.approvals.approve(id, 'ada')
    const all = await Promise.all(
      Array.from({ length: 20 }, (_, i) => call(i % 2 === 0 ? server : other.server, 'shop.refund', { n: 1 })),
    )
    expect(all.filter(({ status }) => status === 'success')).toHaveLength(1)
    expect(refund.ran).toHaveLength(1)
  })

  test('an approval given before a restart is valid after it', async () => {
    const { server, ledger, refund, file } = await serveRefundTool()
    const id = approvalOf(await call(server, 'shop.refund', { n: 1 }))
    await ledger.approvals.approve(id, 'ada')
    await ledger.close()
    const after = await serveTrusted([refund], { file })
    expect(await call(after.server, 'shop.refund', { n: 1 })).toMatchObject({ status: 'success' })
    expect(await call(after.server, 'shop.refund', { n: 1 })).toMatchObject(REFUSED)
  })

  test('one that has expired, waiting or approved, lets nothing through', async () => {
    const { server, ledger, refund, file } = await serveRefundTool()
    const waiting = approvalOf(await call(server, 'shop.refund', { n: 1 }))
    file.exec(`UPDATE approvals SET expires_at = requested_at - 1`)
    await expect(ledger.approvals.approve(waiting, 'ada')).rejects.toThrow(/expired/)
    const approved = approvalOf(await call(server, 'shop.refund', { n: 1 }))
    expect(approved).not.toBe(waiting)
    await ledger.approvals.approve(approved, 'ada')
    file.exec(`UPDATE approvals SET expires_at = requested_at - 1 WHERE id = '${approved}'`)
    expect(approvalOf(await call(server, 'shop.refund', { n: 1 }))).not.toBe(approved)
    expect(refund.ran).toEqual([])
  })

  test('a denial lets nothing through, and cannot become an approval', async () => {
    const { server, ledger, refund } = await serveRefundTool()
    const id = approvalOf(await call(server, 'shop.refund', { n: 1 }))
    await ledger.approvals.deny(id, 'ada', 'too much')
    await expect(ledger.approvals.approve(id, 'ada')).rejects.toThrow(/denied/)
    server.pipeline.approvalSettings = { ...server.pipeline.approvalSettings, afterDenialMs: 0 }
    expect(approvalOf(await call(server, 'shop.refund', { n: 1 }))).not.toBe(id)
    expect(refund.ran).toEqual([])
    const again = await call(server, 'shop.refund', { n: 1 })
    expect(again.error?.error_message).toContain(
      `The same call was denied by ada (“too much”) before, as approval ${id}.`,
    )
    expect(again.error?.error_details.denied).toEqual({ approval: id, note: 'too much' })
    expect((await call(server, 'shop.refund', { n: 2 })).error?.error_message).not.toContain('denied')
  })

  test('it is for one principal', async () => {
    const { server, ledger, refund } = await serveRefundTool()
    const id = approvalOf(await call(server, 'shop.refund', { n: 1 }, { principal: principalNamed('bob') }))
    await ledger.approvals.approve(id, 'ada')
    expect(await call(server, 'shop.refund', { n: 1 }, { principal: principalNamed('eve') })).toMatchObject(REFUSED)
    expect(await call(server, 'shop.refund', { n: 1 })).toMatchObject(REFUSED)
    expect(refund.ran).toEqual([])
    expect(await call(server, 'shop.refund', { n: 1 }, { principal: principalNamed('bob') })).toMatchObject({
      status: 'success',
    })
  })

  test('it is for one version', async () => {
    const one = destructiveTool('shop.refund')
    const two = destructiveTool('shop.refund', { version: '1.1.0' })
    const { server, ledger } = await serveTrusted([one, two])
    const id = approvalOf(await call(server, 'shop.refund', { n: 1 }))
    await ledger.approvals.approve(id, 'ada')
    const old = { meta: { 'myrmex/version': '1.0.0' } }
    expect(await call(server, 'shop.refund', { n: 1 }, old)).toMatchObject(REFUSED)
    expect([one.ran, two.ran]).toEqual([[], []])
  })

  test('it is for one definition', async () => {
    const { server, ledger, file } = await serveRefundTool()
    const id = approvalOf(await call(server, 'shop.refund', { n: 1 }))
    await ledger.approvals.approve(id, 'ada')
    const changed = destructiveTool('shop.refund', { input: z.looseObject({}), description: 'Pays twice.' })
    const after = await serveTrusted([changed], { file })
    expect(await call(after.server, 'shop.refund', { n: 1 })).toMatchObject(REFUSED)
    expect(changed.ran).toEqual([])
  })

  test('a call that is turned away by a limit has not used it', async () => {
    // Also a call that only waits counts.
    const { server, ledger, refund, file } = await serveRefundTool({ limit: { calls: 2, per_ms: 3_600_000 } })
    await grant(ledger, refund)
    expect(await call(server, 'shop.refund', { n: 0 })).toMatchObject({ status: 'success' })
    await ledger.grants.revoke('shop.refund', 'ada')
    const id = approvalOf(await call(server, 'shop.refund', { n: 1 }))
    await ledger.approvals.approve(id, 'ada')
    const limited = await call(server, 'shop.refund', { n: 1 })
    expect(limited).toMatchObject({ error: { error_type: 'ApiLimitExceeded' } })
    file.exec('DELETE FROM buckets')
    expect(await call(server, 'shop.refund', { n: 1 })).toMatchObject({ status: 'success' })
    expect(refund.ran).toEqual([{ n: 0 }, { n: 1 }])
    expect(await ledger.approvals.find(id)).toMatchObject({ status: 'used' })
    expect(file.lines().filter(({ approval }) => approval === id)).toMatchObject([{ outcome: 'success' }])
  })

  test('a call that ran and failed has used it', async () => {
    const { server, ledger } = await serveRefundTool({
      run: () => {
        throw new Error('half done')
      },
    })
    const id = approvalOf(await call(server, 'shop.refund', { n: 1 }))
    await ledger.approvals.approve(id, 'ada')
    expect(await call(server, 'shop.refund', { n: 1 })).toMatchObject({ error: { error_type: 'ToolExecutionError' } })
    expect(await call(server, 'shop.refund', { n: 1 })).toMatchObject(REFUSED)
  })
})

describe('standing grants', () => {
  test('one covers calls of everybody until it is taken back, and the audit names it', async () => {
    const { server, ledger, refund, file } = await serveRefundTool()
    const { id } = await ledger.grants.give(definitionOf(refund.tool), 'ada')
    expect(await call(server, 'shop.refund', { n: 1 })).toMatchObject({ status: 'success' })
    expect(await call(server, 'shop.refund', { n: 2 }, { principal: principalNamed('bob') })).toMatchObject({
      status: 'success',
    })
    expect(file.lines().map(({ approval }) => approval)).toEqual([id, id])
    expect(await ledger.grants.revoke('shop.refund', 'ada')).toBe(1)
    expect(await call(server, 'shop.refund', { n: 1 })).toMatchObject(REFUSED)
    expect(refund.ran).toHaveLength(2)
  })

  test('one taken back in another process covers nothing from the next call on', async () => {
    const { server, ledger, refund, file } = await serveRefundTool()
    await ledger.grants.give(definitionOf(refund.tool), 'ada')
    expect(await call(server, 'shop.refund', { n: 1 })).toMatchObject({ status: 'success' })
    await (await file.open()).grants.revoke('shop.refund', 'ada')
    expect(await call(server, 'shop.refund', { n: 1 })).toMatchObject(REFUSED)
  })

  test('one with an end covers nothing after it', async () => {
    const { server, ledger, refund, file } = await serveRefundTool()
    const { id } = await ledger.grants.give(definitionOf(refund.tool), 'ada', { until: Date.now() + 60_000 })
    expect(await call(server, 'shop.refund', { n: 1 })).toMatchObject({ status: 'success' })
    file.exec(`UPDATE grants SET expires_at = ${Date.now() - 1} WHERE id = '${id}'`)
    expect(await call(server, 'shop.refund', { n: 1 })).toMatchObject(REFUSED)
  })

  test('one for a principal covers nobody else', async () => {
    const { server, ledger, refund } = await serveRefundTool()
    await ledger.grants.give(definitionOf(refund.tool), 'ada', { principal: 'bob' })
    expect(await call(server, 'shop.refund', {}, { principal: principalNamed('bob') })).toMatchObject({
      status: 'success',
    })
    for (const principal of [principalNamed('Bob'), principalNamed('bob '), principalNamed('eve'), undefined]) {
      expect(await call(server, 'shop.refund', {}, { ...(principal && { principal }) })).toMatchObject(REFUSED)
    }
    expect(refund.ran).toHaveLength(1)
  })

  test('one for a version or a definition covers no other', async () => {
    const one = destructiveTool('shop.refund')
    const two = destructiveTool('shop.refund', { version: '1.0.1' })
    const { server, ledger } = await serveTrusted([one, two])
    await ledger.grants.give({ ...definitionOf(two.tool), hash: one.tool.hash }, 'ada')
    await ledger.grants.give({ ...definitionOf(two.tool), version: '1.0.0' }, 'ada')
    expect(await call(server, 'shop.refund')).toMatchObject(REFUSED)
    expect(two.ran).toEqual([])
  })

  test('a grant does not stand in for trust', async () => {
    const { server, ledger, refund } = await serveRefundTool()
    await ledger.grants.give(definitionOf(refund.tool), 'ada')
    await ledger.trust.set(definitionOf(refund.tool), 'verified', 'ada')
    expect(await call(server, 'shop.refund')).toMatchObject({ error: { error_details: { needs: 'trusted' } } })
    expect(refund.ran).toEqual([])
  })
})

describe('rules of the policy', () => {
  const above = (otherwise = 'default') => ({
    approvals: [{ name: 'large sums', tools: ['shop.*'], when: [{ argument: '/n', above: 100 }], otherwise }],
  })

  test('a rule asks in spite of a standing grant, and says its name', async () => {
    const { server, ledger, refund } = await serveRefundTool({}, above())
    await ledger.grants.give(definitionOf(refund.tool), 'ada')
    expect(await call(server, 'shop.refund', { n: 100 })).toMatchObject({ status: 'success' })
    const asked = await call(server, 'shop.refund', { n: 101 })
    expect(asked.error?.error_message).toContain('the policy asks: large sums')
    await ledger.approvals.approve(approvalOf(asked), 'ada')
    expect(await call(server, 'shop.refund', { n: 101 })).toMatchObject({ status: 'success' })
    expect(await call(server, 'shop.refund', { n: 101 })).toMatchObject(REFUSED)
    expect(refund.ran).toHaveLength(2)
  })

  test('a rule asks for a tool that changes nothing too', async () => {
    const look = countedTool('shop.look')
    const { server, ledger } = await serveTrusted([look], { policy: above() })
    expect(await call(server, 'shop.look', { n: 1 })).toMatchObject({ status: 'success' })
    const id = approvalOf(await call(server, 'shop.look', { n: 101 }))
    expect(look.ran).toHaveLength(1)
    await ledger.approvals.approve(id, 'ada')
    expect(await call(server, 'shop.look', { n: 101 })).toMatchObject({ status: 'success' })
  })

  test('a rule that allows otherwise lets small calls through without a grant, but never without trust', async () => {
    const { server, ledger, refund } = await serveRefundTool({}, above('allow'))
    expect(await call(server, 'shop.refund', { n: 100 })).toMatchObject({ status: 'success' })
    expect(await call(server, 'shop.refund', { n: 101 })).toMatchObject(REFUSED)
    // If the rule cannot be evaluated, a person is asked.
    for (const args of [{}, { n: '5' }, { n: null }, { n: [1] }, { N: 1 }]) {
      expect(await call(server, 'shop.refund', args), JSON.stringify(args)).toMatchObject(REFUSED)
    }
    await ledger.trust.set(definitionOf(refund.tool), 'untrusted', 'ada')
    expect(await call(server, 'shop.refund', { n: 1 })).toMatchObject(REFUSED)
    expect(refund.ran).toHaveLength(1)
  })

  test('a rule is judged by what the tool will get, too: the schema may make one value of another', async () => {
    const input = z.object({ to: z.string().trim().toLowerCase(), n: z.coerce.number().catch(1_000_000) })
    const { server, refund } = await serveRefundTool(
      { input },
      {
        approvals: [
          {
            name: 'production',
            tools: ['shop.refund'],
            when: [{ argument: '/to', equals: 'production' }],
            otherwise: 'allow',
          },
        ],
      },
    )
    expect(await call(server, 'shop.refund', { to: 'test', n: 1 })).toMatchObject({ status: 'success' })
    for (const to of ['production', ' production', 'PRODUCTION']) {
      expect(await call(server, 'shop.refund', { to, n: 1 }), to).toMatchObject(REFUSED)
    }
    expect(refund.ran).toHaveLength(1)
  })
})

test('a tool that asks its client keeps its approval for the next round, which is approved with the answers', async () => {
  const question = {
    method: 'elicitation/create',
    params: { message: '?', requestedSchema: { type: 'object', properties: {} } },
  }
  const { server, ledger, refund } = await serveRefundTool({
    run: async (_input, ctx) => {
      const { sure } = await ctx.ask({ sure: question as never })
      return { sure: sure.action }
    },
  })
  const peer = modernPeer(server, { elicitation: { form: {} } })
  const request = { name: 'shop.refund', arguments: { n: 1 } }
  const asked = (await peer.request('tools/call', request)).result
  const id = asked.structuredContent.error_details.approval
  await ledger.approvals.approve(id, 'ada')
  const first = (await peer.request('tools/call', request)).result
  expect(first.resultType).toBe('input_required')
  expect(await ledger.approvals.find(id)).toMatchObject({ status: 'approved', used_by: null })
  const answers = { requestState: first.requestState, inputResponses: { sure: { action: 'accept', content: {} } } }
  const unseen = (await peer.request('tools/call', { ...request, ...answers })).result
  const withAnswers = unseen.structuredContent.error_details.approval
  expect(withAnswers).not.toBe(id)
  expect(unseen.structuredContent.error_message).toContain('the same arguments, the same answers')
  await ledger.approvals.approve(withAnswers, 'ada')
  const second = (await peer.request('tools/call', { ...request, ...answers })).result
  expect(second).toMatchObject({ resultType: 'complete', structuredContent: { sure: 'accept' } })
  // One effect has used both.
  for (const used of [id, withAnswers]) expect(await ledger.approvals.find(used)).toMatchObject({ status: 'used' })
  expect((await peer.request('tools/call', { ...request, ...answers })).result).toMatchObject({ isError: true })
  expect(refund.ran).toHaveLength(2)
})

test('secrets in the arguments never reach the table of approvals', async () => {
  const input = z.looseObject({
    user: z.string(),
    password: z.string().meta({ 'x-secret': true }),
    card: z.object({ pin: z.number().meta({ 'x-secret': true }) }),
  })
  const { server, ledger, refund, file } = await serveRefundTool({ input })
  const args = {
    user: 'bob',
    password: 'hunter2-secret',
    card: { pin: 48_291_377 },
  }
  const repeats = { url: 'https://bob:hunter2-secret@shop.example/', note: ['my pin is 48291377'] }
  expect(await call(server, 'shop.refund', { ...args, ...repeats })).toMatchObject({
    error: { error_type: 'ValidationError', error_message: expect.stringContaining('repeat a secret') },
  })
  const id = approvalOf(await call(server, 'shop.refund', args))
  expect(file.rows<{ args: string }>('SELECT args FROM approvals')[0]?.args).toContain('"user":"bob"')
  await ledger.approvals.approve(id, 'ada', 'fine')
  const other = { ...args, password: 'hunter3-secret' }
  expect(await call(server, 'shop.refund', other)).toMatchObject(REFUSED)
  expect(await call(server, 'shop.refund', args)).toMatchObject({ status: 'success' })
  expect(refund.ran).toHaveLength(1)
  await ledger.close()
  for (const secret of ['hunter2-secret', 'hunter3-secret', '48291377']) {
    expect(file.bytes().includes(secret), secret).toBe(false)
  }
})

test('where the ledger cannot say who was approved nothing runs', async () => {
  const { server, ledger, refund, file } = await serveRefundTool()
  await ledger.grants.give(definitionOf(refund.tool), 'ada')
  file.exec('ALTER TABLE grants RENAME TO gone')
  expect(await call(server, 'shop.refund')).toMatchObject({ error: { error_type: 'UnavailableError' } })
  file.exec('ALTER TABLE gone RENAME TO grants; ALTER TABLE approvals RENAME TO gone')
  await ledger.grants.revoke('shop.refund', 'ada')
  expect(await call(server, 'shop.refund')).toMatchObject({ error: { error_type: 'UnavailableError' } })
  expect(refund.ran).toEqual([])
})
