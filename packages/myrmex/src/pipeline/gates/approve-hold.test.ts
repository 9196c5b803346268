/** Calls that are held open until a person decides: answered at once, with today's error after the hold, and so many at most. */
import {
  approvalOf,
  call,
  definitionOf,
  eventually,
  type GatedServer,
  latch,
  principalNamed,
  serve,
  serveRefundTool,
  trust,
} from '@myrmex/testing/gated-server'
import { legacyPeer, modernPeer, TASKS_CAPABILITY } from '@myrmex/testing/mcp-peer'
import { describe, expect, test } from 'vitest'
import { parseConstitution } from '../rules/constitution.ts'

const HOLD = { waiting: { hold: '60 s' } }

/** The approval that a held call waits for. */
const waiting = ({ file }: Pick<GatedServer, 'file'>): Promise<string> =>
  eventually(() => {
    const [row] = file.rows<{ id: string }>("SELECT id FROM approvals WHERE status = 'waiting'")
    if (row === undefined) throw new Error('nothing waits')
    return row.id
  })

describe('a held call', () => {
  test('runs when another process approves, and its client hears meanwhile that it waits', async () => {
    const served = await serveRefundTool({}, HOLD)
    const peer = await legacyPeer(served.server)
    const params = { name: 'shop.refund', arguments: { n: 1 }, _meta: { progressToken: 'p' } }
    const held = peer.request('tools/call', params)
    const id = await waiting(served)
    expect(peer.received).toMatchObject([
      {
        method: 'notifications/progress',
        params: { progressToken: 'p', progress: 0, message: `Waiting for a human: approval ${id} (it changes state).` },
      },
    ])
    expect(served.refund.ran).toEqual([])
    await (await served.file.open()).approvals.approve(id, 'ada')
    expect((await held).result).toMatchObject({
      structuredContent: {},
      _meta: { 'myrmex/result': { status: 'success' } },
    })
    expect(served.refund.ran).toEqual([{ n: 1 }])
    expect(served.server.pipeline.heldCalls.size).toBe(0)
    expect(served.file.lines()).toMatchObject([{ outcome: 'success', approval: id }])
  })

  test('ends at once with the note when it is denied', async () => {
    const served = await serveRefundTool({}, HOLD)
    const held = call(served.server, 'shop.refund', { n: 1 })
    const id = await waiting(served)
    await served.ledger.approvals.deny(id, 'ada', 'ask finance')
    expect((await held).error).toMatchObject({
      error_type: 'PermissionError',
      error_message: `shop.refund was not run: approval ${id} was denied by ada: ask finance.`,
      error_details: { approval: id, status: 'denied', denied: { approval: id, note: 'ask finance' } },
    })
    expect(served.refund.ran).toEqual([])
  })

  test('fails as it does without a hold once that is over, and the request stays', async () => {
    const served = await serveRefundTool({}, { waiting: { hold: 50 } })
    const id = approvalOf(await call(served.server, 'shop.refund', { n: 1 }))
    await served.ledger.approvals.approve(id, 'ada')
    expect(await call(served.server, 'shop.refund', { n: 1 })).toMatchObject({ status: 'success' })
    expect(served.file.lines().map(({ outcome }) => outcome)).toEqual(['waiting', 'success'])
  })

  test('ends as it does without a hold when its server closes, which waits for it no longer', async () => {
    const served = await serveRefundTool({}, HOLD)
    const held = call(served.server, 'shop.refund', { n: 1 })
    const id = await waiting(served)
    served.server.close()
    expect((await held).error?.error_details).toMatchObject({ approval: id, status: 'waiting' })
  })

  test('has the whole deadline of its tool after the approval', async () => {
    const served = await serveRefundTool(
      { timeout: 400, run: () => new Promise((done) => setTimeout(() => done({}), 200)) },
      HOLD,
    )
    const held = call(served.server, 'shop.refund', { n: 1 })
    const id = await waiting(served)
    await new Promise((resolve) => setTimeout(resolve, 450))
    await served.ledger.approvals.approve(id, 'ada')
    expect(await held).toMatchObject({ status: 'success' })
  })

  test.each(['cancels it', 'leaves'])(
    'whose client %s has ended, runs nothing, and can be approved still',
    async (how) => {
      const served = await serveRefundTool({}, HOLD)
      const peer = modernPeer(served.server)
      const held = peer.request('tools/call', { name: 'shop.refund', arguments: { n: 1 } }, 'held')
      const id = await waiting(served)
      if (how === 'leaves') peer.close()
      else peer.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'held' } })
      await eventually(() => expect(served.server.pipeline.heldCalls.size).toBe(0))
      expect(await served.ledger.approvals.find(id)).toMatchObject({ status: 'waiting' })
      await served.ledger.approvals.approve(id, 'ada')
      expect(await held).toBeUndefined()
      expect(served.refund.ran).toEqual([])
      expect(await call(served.server, 'shop.refund', { n: 1 })).toMatchObject({ status: 'success' })
    },
  )

  test('of a batch that has ended is held no longer, also if it has to wait only then', async () => {
    const rehearsal = latch()
    let isRehearsing = false
    const dryRun = async () => {
      isRehearsing = true
      await rehearsal.opened
      return {}
    }
    const served = await serveRefundTool({ dryRun }, HOLD)
    const peer = modernPeer(served.server)
    void peer.request('myrmex/batch', { calls: [{ name: 'shop.refund', arguments: { n: 1 } }] }, 'batch')
    await eventually(() => expect(isRehearsing).toBe(true))
    peer.close()
    rehearsal.open()
    const id = await waiting(served)
    await eventually(() => expect(served.server.pipeline.heldCalls.size).toBe(0))
    await served.ledger.approvals.approve(id, 'ada')
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(served.refund.ran).toEqual([])
  })

  test('is not run if the constitution was changed meanwhile and forbids it', async () => {
    const served = await serveRefundTool({}, HOLD)
    const { pipeline } = served.server
    const held = call(served.server, 'shop.refund', { n: 1 })
    const id = await waiting(served)
    const article = {
      name: 'none',
      text: 'No refunds.',
      tools: ['shop.refund'],
      forbid: [{ argument: '/n', above: 0 }],
    }
    pipeline.setRules(pipeline.policy, parseConstitution({ articles: [article] }))
    await served.ledger.approvals.approve(id, 'ada')
    expect((await held).error?.error_message).toContain('No refunds.')
    expect(served.refund.ran).toEqual([])
    expect(await served.ledger.approvals.find(id)).toMatchObject({ status: 'approved' })
  })

  test('is not run if the profile of its caller no longer has its tool', async () => {
    const served = await serveRefundTool({}, HOLD)
    const { profiles } = served.server.pipeline
    profiles.replace([{ name: 'desk', readOnly: false }])
    const principal = { ...principalNamed('ann'), profile: 'desk' }
    const held = call(served.server, 'shop.refund', { n: 1 }, { principal })
    const id = await waiting(served)
    profiles.replace([{ name: 'desk', readOnly: true }])
    await served.ledger.approvals.approve(id, 'ada')
    expect((await held).error?.error_message).toContain('no longer in the profile desk')
    expect(served.refund.ran).toEqual([])
  })

  test('is not run if its tool lost its trust by then', async () => {
    const served = await serveRefundTool({}, HOLD)
    const held = call(served.server, 'shop.refund', { n: 1 })
    const id = await waiting(served)
    await (await served.file.open()).trust.set(definitionOf(served.refund.tool), 'untrusted', 'ada')
    await served.ledger.approvals.approve(id, 'ada')
    expect((await held).error?.error_details).toMatchObject({ level: 'untrusted' })
    expect(served.refund.ran).toEqual([])
  })

  test('is one of so many: of one caller, and of all', async () => {
    const served = await serveRefundTool({}, { waiting: { hold: '60 s', max_held: 3, max_held_each: 2 } })
    const [bob, eve] = [principalNamed('bob'), principalNamed('eve')]
    const hold = (n: number, principal = bob) => call(served.server, 'shop.refund', { n }, { principal })
    const held = [hold(1), hold(2)]
    await eventually(() => expect(served.server.pipeline.heldCalls.size).toBe(2))
    approvalOf(await hold(3))
    held.push(hold(4, eve))
    await eventually(() => expect(served.server.pipeline.heldCalls.size).toBe(3))
    approvalOf(await hold(5, eve))
    for (const { id } of await served.ledger.approvals.list('waiting')) await served.ledger.approvals.deny(id, 'ada')
    for (const ended of await Promise.all(held)) expect(ended.error?.error_details.status).toBe('denied')
    expect(served.server.pipeline.heldCalls.size).toBe(0)
  })

  test('is one of two alike: one approval runs one of them', async () => {
    const served = await serveRefundTool({}, HOLD)
    const held = [call(served.server, 'shop.refund', { n: 1 }), call(served.server, 'shop.refund', { n: 1 })]
    const id = await waiting(served)
    await eventually(() => expect(served.server.pipeline.heldCalls.size).toBe(2))
    await (await served.file.open()).approvals.approve(id, 'ada')
    const ended = await Promise.all(held)
    expect(ended.map(({ status }) => status).sort()).toEqual(['failure', 'success'])
    expect(served.refund.ran).toEqual([{ n: 1 }])
  })

  test('is no call that a tool makes, whose own time goes on, and no task', async () => {
    const outer = await serveRefundTool({}, HOLD)
    const peer = modernPeer(outer.server, TASKS_CAPABILITY)
    const { result } = await peer.request('tools/call', { name: 'shop.refund', arguments: { n: 1 } })
    expect(result).toMatchObject({ resultType: 'task', status: 'working' })
    expect(outer.server.pipeline.heldCalls.size).toBe(0)
    peer.close()
  })
})

describe('a call that was denied', () => {
  test('is refused for a while without another request, however it is written, and then asks again', async () => {
    const served = await serveRefundTool({}, { waiting: { after_denial: '2 h' } })
    const id = approvalOf(await call(served.server, 'shop.refund', { n: 1, text: 'x' }))
    await served.ledger.approvals.deny(id, 'ada', 'too much')
    for (const args of [
      { n: 1, text: 'x' },
      { text: 'x', n: 1.0 },
    ]) {
      const refused = await call(served.server, 'shop.refund', args)
      expect(refused.error).toMatchObject({
        error_type: 'PermissionError',
        error_message: expect.stringMatching(
          /the same call was denied by ada \(“too much”\).*not asked for again before/,
        ),
        error_details: {
          approval: id,
          status: 'denied',
          denied: { approval: id, note: 'too much', decided_by: 'ada' },
        },
      })
    }
    expect(await served.ledger.approvals.list()).toHaveLength(1)
    // Another call is asked for.
    approvalOf(await call(served.server, 'shop.refund', { n: 2 }))
    served.file.exec(`UPDATE approvals SET decided_at = decided_at - ${2 * 3_600_000} WHERE id = '${id}'`)
    expect(approvalOf(await call(served.server, 'shop.refund', { n: 1, text: 'x' }))).not.toBe(id)
  })

  test('with other arguments is asked for, and the person reads how many were denied before', async () => {
    const served = await serveRefundTool({}, { waiting: { after_denial: '2 h' } })
    const { server, ledger } = served
    const ask = async (n: number, id = 'mallory') =>
      ledger.approvals.find(approvalOf(await call(server, 'shop.refund', { n }, { principal: principalNamed(id) })))
    for (const [n, before] of [
      'it changes state',
      'it changes state; 1 call of this tool by this caller was denied a short time ago',
      'it changes state; 2 calls of this tool by this caller were denied a short time ago',
    ].entries()) {
      const waits = await ask(n)
      expect(waits?.reason).toBe(before)
      await ledger.approvals.deny(waits?.id ?? '', 'ada')
    }
    expect(await ask(9, 'bob')).toMatchObject({ reason: 'it changes state' })
    served.file.exec(`UPDATE approvals SET decided_at = decided_at - ${2 * 3_600_000} WHERE status = 'denied'`)
    expect(await ask(10)).toMatchObject({ reason: 'it changes state' })
  })

  test('is refused at once, also as a task and by another process', async () => {
    const served = await serveRefundTool()
    const id = approvalOf(await call(served.server, 'shop.refund', { n: 1 }))
    await served.ledger.approvals.deny(id, 'ada')
    const other = await serve([served.refund], { file: served.file })
    await trust(other.ledger, served.refund)
    const peer = modernPeer(other.server, TASKS_CAPABILITY)
    const { result } = await peer.request('tools/call', { name: 'shop.refund', arguments: { n: 1 } })
    expect(result).toMatchObject({
      resultType: 'complete',
      isError: true,
      structuredContent: { error_details: { status: 'denied' } },
    })
  })
})
