/**
 * A person changes the arguments of a call and approves. What runs then must be what that person approved, once, and nobody else may say so.
 *
 * Attacker: somebody who can write to the store of a locked ledger
 * Attack: writes other changed arguments into an approval that the operator signed, or into one that waits, or takes the operator's out.
 * Stopped by: the signature covers the changed arguments and their hash. Without a valid one the approval counts as waiting, and `audit verify`
 * names it.
 *
 * Attacker: a remote caller
 * Attack: claims in `_meta` that the operator changed its arguments, sends the same call many times at once to have the changed call run more
 * often, or reads from the result what a changed secret became.
 * Stopped by: changed arguments are read from the approval alone; one statement uses it, for one call; results and records show `[secret]`.
 */
import { approvalOf, call, destructiveTool, ledgerFile, serve, serveRefundTool } from '@myrmex/testing/gated-server'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { editArguments } from '../../packages/myrmex/src/ledger/decisions/edited-arguments.ts'
import type { Ledger } from '../../packages/myrmex/src/ledger/ledger.ts'
import { lockLedger, unlockSigner } from '../../packages/myrmex/src/ledger/operator/operator-admin.ts'

const PASSPHRASE = 'correct horse battery'

async function locked() {
  const file = ledgerFile()
  const open = await file.open()
  await lockLedger(open, PASSPHRASE, 'the operator', 2 ** 14)
  await open.close()
  const refund = destructiveTool('shop.refund', { input: z.object({ amount: z.number() }) } as never)
  const { server, ledger } = await serve([refund], { file })
  const by = { name: 'the operator', from: 'cli' as const, signer: await unlockSigner(ledger.lock, PASSPHRASE) }
  const { name, version, hash } = refund.tool
  await ledger.trust.set({ tool: name, version, hash }, 'trusted', by)
  const refunded = () => call(server, 'shop.refund', { amount: 90 })
  const approve = async (amount: number): Promise<string> => {
    const id = approvalOf(await refunded())
    const approval = await ledger.approvals.find(id)
    if (approval === undefined) throw new Error('gone')
    const edit = await editArguments(ledger, approval, { amount })
    await ledger.approvals.approve(id, by, undefined, approval, { edit })
    return id
  }
  return { file, ledger, refund, refunded, approve }
}

test('the changed arguments that the operator signed run', async () => {
  const { refund, refunded, approve } = await locked()
  await approve(20)
  expect(await refunded()).toMatchObject({ status: 'success' })
  expect(refund.ran).toEqual([{ amount: 20 }])
})

test.each([
  ['other changed arguments', `edited_args = '{"amount":9999}'`],
  ['another hash of them', `edited_hash = 'f'`],
  ['none', 'edited_args = NULL, edited_hash = NULL'],
])('%s in a signed approval let nothing through', async (_what, set) => {
  const { file, refund, refunded, approve } = await locked()
  const id = await approve(20)
  file.exec(`UPDATE approvals SET ${set} WHERE id = '${id}'`)
  expect(await refunded()).toMatchObject({ status: 'failure', error: { error_type: 'PermissionError' } })
  expect(refund.ran).toEqual([])
})

test('changed arguments that are written into a request are not what the operator approves', async () => {
  const { file, ledger, refund, refunded, approve } = await locked()
  const waiting = approvalOf(await refunded())
  file.exec(`UPDATE approvals SET edited_args = '{"amount":9999}', edited_hash = 'f' WHERE id = '${waiting}'`)
  expect((await ledger.approvals.find(waiting))?.status).toBe('waiting')
  await approve(20)
  expect(await refunded()).toMatchObject({ status: 'success' })
  expect(refund.ran).toEqual([{ amount: 20 }])
})

const approveChanged = async (ledger: Ledger, id: string, args: object): Promise<void> => {
  const approval = await ledger.approvals.find(id)
  if (approval === undefined) throw new Error('gone')
  await ledger.approvals.approve(id, 'ada', undefined, approval, { edit: await editArguments(ledger, approval, args) })
}

test('a caller cannot say that its arguments were changed', async () => {
  const { server, ledger, refund, file } = await serveRefundTool()
  const meta = { 'myrmex/result': { edited: { approval: 'x', arguments: { n: 9 } } }, edited: { args: '{"n":9}' } }
  approvalOf(await call(server, 'shop.refund', { n: 1 }, { meta }))
  expect(await ledger.approvals.list()).toMatchObject([{ args: '{"n":1}', edited_args: null }])
  expect(refund.ran).toEqual([])
  expect(file.lines().every((line) => line.sent === undefined)).toBe(true)
})

test('the changed call runs once, however often the call comes at the same moment, in two processes', async () => {
  const { server, ledger, refund, file } = await serveRefundTool({
    run: () => new Promise((done) => setTimeout(() => done({}), 20)),
  } as never)
  await approveChanged(ledger, approvalOf(await call(server, 'shop.refund', { n: 1 })), { n: 2 })
  const other = await serve([refund], { file })
  await Promise.all(Array.from({ length: 20 }, (_, n) => call(n % 2 ? server : other.server, 'shop.refund', { n: 1 })))
  expect(refund.ran).toEqual([{ n: 2 }])
})

test('nobody learns a secret from a changed call: not the person, not the result, not the store', async () => {
  const input = z.object({ to: z.string(), pin: z.string().meta({ 'x-secret': true }) })
  const { server, ledger, refund, file } = await serveRefundTool({ input } as never)
  const sent = { to: 'a', pin: 'pin-4711-0815' }
  await approveChanged(ledger, approvalOf(await call(server, 'shop.refund', sent)), { to: 'b', pin: '[secret]' })
  const ran = await call(server, 'shop.refund', sent)
  expect(refund.ran).toEqual([{ to: 'b', pin: 'pin-4711-0815' }])
  expect(JSON.stringify(ran)).not.toContain('4711')
  expect(file.bytes().includes('4711')).toBe(false)
})
