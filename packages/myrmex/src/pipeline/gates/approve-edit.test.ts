/** A person changes the arguments and approves: the changed call runs once in the place of the one that was sent, and everybody learns of it. */
import {
  approvalOf,
  type CallOutcome,
  call,
  destructiveTool,
  eventually,
  type GatedServer,
  principalNamed,
  serve,
  serveRefundTool,
  trust,
} from '@myrmex/testing/gated-server'
import { legacyPeer, modernPeer } from '@myrmex/testing/mcp-peer'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { editArguments } from '../../ledger/decisions/edited-arguments.ts'

const INPUT = z.object({ order: z.string(), amount: z.number().max(100) })
const SENT = { order: 'o_1', amount: 90 }
const CHANGED = { order: 'o_1', amount: 20 }

const served = (more: object = {}, policy: object = {}) => serveRefundTool({ input: INPUT, ...more }, policy)

/** As the CLI and the API do. */
async function approveChanged({ ledger }: Pick<GatedServer, 'ledger'>, id: string, args: unknown): Promise<void> {
  const approval = await ledger.approvals.find(id)
  if (approval === undefined) throw new Error(`no approval ${id}`)
  await ledger.approvals.approve(id, 'ada', undefined, approval, { edit: await editArguments(ledger, approval, args) })
}

const refusedAs = async (work: Promise<CallOutcome>) => approvalOf(await work)

describe('changed arguments', () => {
  test('run once, the caller learns of it, and both versions are recorded', async () => {
    const gated = await served()
    const id = await refusedAs(call(gated.server, 'shop.refund', SENT))
    await approveChanged(gated, id, CHANGED)
    const peer = await legacyPeer(gated.server)
    const { result } = await peer.request('tools/call', { name: 'shop.refund', arguments: SENT })
    expect(gated.refund.ran).toEqual([CHANGED])
    const said = `The operator changed the arguments before approving this call (approval ${id}). It was called with {"amount":20,"order":"o_1"}, not with the arguments that you sent.`
    expect(result).toMatchObject({
      content: [{ type: 'text' }, { type: 'text', text: said }],
      _meta: {
        'myrmex/result': { status: 'success', explanation: said, edited: { approval: id, arguments: CHANGED } },
      },
    })
    expect(await gated.ledger.approvals.find(id)).toMatchObject({
      status: 'used',
      args: '{"amount":90,"order":"o_1"}',
      edited_args: '{"amount":20,"order":"o_1"}',
    })
    const line = gated.file.lines().at(-1)
    expect(line).toMatchObject({ approval: id, args: CHANGED, sent: { args: SENT, args_hash: expect.any(String) } })
    await gated.ledger.journal.flush()
    // Once: the same call is asked for again, and so is the changed one.
    expect(await refusedAs(call(gated.server, 'shop.refund', SENT))).not.toBe(id)
    expect(await refusedAs(call(gated.server, 'shop.refund', CHANGED))).not.toBe(id)
    expect(gated.refund.ran).toHaveLength(1)
  })

  test('are what a held call runs with, in the modern era too', async () => {
    const gated = await served({}, { waiting: { hold: '60 s' } })
    const held = modernPeer(gated.server).request('tools/call', { name: 'shop.refund', arguments: SENT })
    const id = await eventually(async () => {
      const [row] = await gated.ledger.approvals.list('waiting')
      return row?.id ?? expect.fail('nothing waits')
    })
    await approveChanged({ ledger: await gated.file.open() }, id, CHANGED)
    expect((await held).result._meta['myrmex/result'].edited).toEqual({ approval: id, arguments: CHANGED })
    expect(gated.refund.ran).toEqual([CHANGED])
  })

  test.each(['before', 'with'])('come before a grant that was given %s them, which the next call has', async (when) => {
    const gated = await served()
    const id = await refusedAs(call(gated.server, 'shop.refund', SENT))
    // By another process, as the CLI does.
    const other = { ledger: await gated.file.open() }
    const { tool, version, hash } = (await other.ledger.approvals.find(id)) ?? expect.fail('no approval')
    const grant = () => other.ledger.grants.give({ tool, version, hash }, 'ada')
    if (when === 'before') await grant()
    await approveChanged(other, id, CHANGED)
    if (when === 'with') await grant()
    const ended = await call(gated.server, 'shop.refund', SENT)
    expect(ended).toMatchObject({ status: 'success', explanation: expect.stringContaining('The operator changed') })
    expect(await call(gated.server, 'shop.refund', SENT)).toMatchObject({ status: 'success', explanation: null })
    expect(gated.refund.ran).toEqual([CHANGED, SENT])
  })

  test('take no grant from the other calls that come at the same moment', async () => {
    const gated = await served()
    const id = await refusedAs(call(gated.server, 'shop.refund', SENT))
    const { tool, version, hash } = (await gated.ledger.approvals.find(id)) ?? expect.fail('no approval')
    await gated.ledger.grants.give({ tool, version, hash }, 'ada')
    await approveChanged(gated, id, CHANGED)
    const ended = await Promise.all(Array.from({ length: 5 }, () => call(gated.server, 'shop.refund', SENT)))
    expect(ended.map(({ status }) => status)).toEqual(Array(5).fill('success'))
    expect(gated.refund.ran.filter((args) => JSON.stringify(args) === JSON.stringify(CHANGED))).toHaveLength(1)
    expect(await gated.ledger.approvals.list('waiting')).toEqual([])
  })

  test('run once, though the same call comes many times at the same moment', async () => {
    const gated = await served()
    const id = await refusedAs(call(gated.server, 'shop.refund', SENT))
    await approveChanged(gated, id, CHANGED)
    const other = await serve([gated.refund], { file: gated.file })
    const ended = await Promise.all(
      Array.from({ length: 10 }, (_, n) => call(n % 2 === 0 ? gated.server : other.server, 'shop.refund', SENT)),
    )
    expect(ended.filter(({ status }) => status === 'success')).toHaveLength(1)
    expect(gated.refund.ran).toEqual([CHANGED])
  })

  test('belong to the idempotency key of the call as it was sent', async () => {
    const gated = await served()
    const id = await refusedAs(call(gated.server, 'shop.refund', SENT, { key: 'k' }))
    await approveChanged(gated, id, CHANGED)
    const ran = await call(gated.server, 'shop.refund', SENT, { key: 'k' })
    const again = await call(gated.server, 'shop.refund', SENT, { key: 'k' })
    expect(again).toMatchObject({ status: 'success', repeat_of: ran.call_id, explanation: ran.explanation })
    expect(ran.explanation).toContain('"amount":20')
    expect(gated.refund.ran).toEqual([CHANGED])
  })

  test('must fit the schema, and be another call than a plan, an undo or an answer', async () => {
    const gated = await served()
    const id = await refusedAs(call(gated.server, 'shop.refund', SENT))
    await expect(approveChanged(gated, id, { order: 'o_1', amount: 200 })).rejects.toThrow(
      /do not fit shop.refund: \/amount/,
    )
    await expect(approveChanged(gated, id, { order: 'o_1' })).rejects.toThrow(/do not fit shop.refund/)
    await expect(approveChanged(gated, id, [])).rejects.toThrow(/must be a JSON object/)
    gated.file.exec('UPDATE approvals SET editable = NULL')
    await expect(approveChanged(gated, id, CHANGED)).rejects.toThrow(/cannot be changed/)
    expect(await gated.ledger.approvals.find(id)).toMatchObject({ status: 'waiting' })
  })

  test('are judged by the constitution and the dry run, and keep their approval if these refuse them', async () => {
    const refund = destructiveTool('shop.refund', {
      input: z.object({ order: z.string(), amount: z.number() }),
      dryRun: ({ order }: { order: string }) => {
        if (order === 'gone') throw new Error('no such order')
        return {}
      },
    } as never)
    const rules = {
      articles: [
        { name: 'limit', text: 'At most 50.', tools: ['shop.refund'], forbid: [{ argument: '/amount', above: 95 }] },
      ],
    }
    const gated = await serve([refund], { constitution: rules })
    await trust(gated.ledger, refund)
    for (const changed of [
      { order: 'o_1', amount: 99 },
      { order: 'gone', amount: 1 },
    ]) {
      const sent = { order: 'o_1', amount: changed.amount - 20 }
      const id = await refusedAs(call(gated.server, 'shop.refund', sent))
      await approveChanged(gated, id, changed)
      expect((await call(gated.server, 'shop.refund', sent)).status).toBe('failure')
      expect(await gated.ledger.approvals.find(id)).toMatchObject({ status: 'approved' })
    }
    expect(refund.ran).toEqual([])
  })

  test('keep a secret that nobody saw, and cannot add, change or move one', async () => {
    const login = z.object({ user: z.string(), password: z.string().min(12).meta({ 'x-secret': true }) })
    const gated = await served({
      input: z.object({ login, note: z.string().optional(), all: z.array(login).optional() }),
    })
    const sent = {
      login: { user: 'ann', password: 'correct horse' },
      note: 'x',
      all: [{ user: 'bob', password: 'battery staple' }],
    }
    const id = await refusedAs(call(gated.server, 'shop.refund', sent))
    const shown = JSON.parse((await gated.ledger.approvals.find(id))?.args ?? '')
    for (const wrong of [
      { ...shown, login: { user: 'ann', password: 'a new password' } },
      { ...shown, note: '[secret]' },
      { ...shown, all: [...shown.all, { user: 'eve', password: '[secret]' }] },
    ])
      await expect(approveChanged(gated, id, wrong)).rejects.toThrow(/secret/)
    await approveChanged(gated, id, { ...shown, login: { user: 'anna', password: '[secret]' } })
    expect(gated.file.bytes().includes('correct horse')).toBe(false)
    const ran = await call(gated.server, 'shop.refund', sent)
    expect(ran).toMatchObject({ status: 'success', explanation: expect.stringContaining('"password":"[secret]"') })
    expect(gated.refund.ran).toEqual([{ ...sent, login: { user: 'anna', password: 'correct horse' } }])
    expect(gated.file.bytes().includes('correct horse')).toBe(false)
  })

  test('are for the principal that was shown', async () => {
    const gated = await served()
    const id = await refusedAs(call(gated.server, 'shop.refund', SENT, { principal: principalNamed('bob') }))
    await approveChanged(gated, id, CHANGED)
    await refusedAs(call(gated.server, 'shop.refund', SENT, { principal: principalNamed('eve') }))
    expect(gated.refund.ran).toEqual([])
  })
})
