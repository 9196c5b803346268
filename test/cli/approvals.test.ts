/** `myrmex approvals` as people type it: real processes on a real ledger. */
import { hostname, userInfo } from 'node:os'
import { commandOnLedger, SHOP } from '@myrmex/testing/cli/command-on-ledger'
import { refund } from '@myrmex/testing/fixtures/shop.tools'
import { call } from '@myrmex/testing/gated-server'
import { longTest } from '@myrmex/testing/long'
import { createServer, type Ledger } from 'myrmex'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Approval } from '../../packages/myrmex/src/ledger/decisions/approvals.ts'
import { canonical } from '../../packages/myrmex/src/protocol/canonical.ts'

const ME = `${userInfo().username}@${hostname()}`

let count = 0
/** A call that waits, as the gate would have it wait. */
function waiting(
  ledger: Ledger,
  args: object = { amount: 5, order: 'A1' },
  changes: Partial<Approval> = {},
): Promise<Approval> {
  const { name, version, hash } = refund
  const { principal = 'local', reason = 'it changes state' } = changes
  const exact = { tool: name, version, hash, args_hash: `hash-${++count}`, principal }
  return ledger.approvals.request(exact, canonical(args), reason)
}

test('a call waits, is approved, passes once, and waits again', async () => {
  const { myrmex, ledger } = await commandOnLedger()
  await ledger.trust.recordDefinitions([refund])
  await myrmex(['trust', 'shop.refund', '--ask', '--yes'])
  const shop = createServer({ name: 'shop', version: '1.0.0', tools: [refund], ledger })
  onTestFinished(() => shop.close())
  const first = await call(shop, 'shop.refund', { order: 'A1', amount: 5 })
  const id = first.error?.error_details.approval

  const approved = await myrmex(['approvals', 'approve', id, '--note', 'for the regulars'])
  expect(approved.stdout).toMatch(
    new RegExp(
      [
        `^${id}: shop.refund 1.0.0 for local`,
        'why  .+',
        'arguments',
        '  │ {',
        '  │   "amount": 5,',
        '  │   "order": "A1"',
        '  │ }',
        '',
        `Approval ${id}: shop.refund 1.0.0 for local`,
        '  25 characters of arguments, hash [\\da-f]{16}',
        `approved {2}${id}: shop.refund 1.0.0 for local; valid once, until \\d{4}-[^\n]+\n$`,
      ].join('\n'),
    ),
  )
  expect(await call(shop, 'shop.refund', { order: 'A2', amount: 5 })).toMatchObject({ status: 'failure' })
  const passed = await myrmex(['call', 'shop.refund', '{"amount": 5.0, "order": "A1"}', '--file', SHOP])
  expect(passed.stdout).toContain('"paid": 5')
  const again = await call(shop, 'shop.refund', { order: 'A1', amount: 5 })
  expect(again).toMatchObject({ status: 'failure', error: { error_type: 'PermissionError' } })
  expect(again.error?.error_details.approval).not.toBe(id)
  expect(await ledger.approvals.find(id)).toMatchObject({ status: 'used', decided_by: ME, note: 'for the regulars' })
})

describe('changed arguments', () => {
  const begin = async () => {
    const { myrmex, ledger } = await commandOnLedger()
    await ledger.trust.recordDefinitions([refund])
    await myrmex(['trust', 'shop.refund', '--ask', '--yes'])
    const shop = createServer({ name: 'shop', version: '1.0.0', tools: [refund], ledger })
    onTestFinished(() => shop.close())
    const refunded = () => call(shop, 'shop.refund', { order: 'A1', amount: 5 })
    const id: string = (await refunded()).error?.error_details.approval
    return { myrmex, ledger, refunded, id }
  }

  test('are given on the command line, shown with the differences, run once, and verified by the audit', async () => {
    const { myrmex, ledger, refunded, id } = await begin()
    const wrong = await myrmex(['approvals', 'approve', id, '--arguments', '{"order": "A1"}'])
    expect(wrong).toMatchObject({ code: 1, stdout: '' })
    expect(wrong.stderr).toContain('The changed arguments do not fit shop.refund')
    expect((await myrmex(['approve', id, '--arguments', '{"order"'])).stderr).toContain('are not JSON')
    const { stdout } = await myrmex(['approvals', 'approve', id, '--arguments', '{"order": "A1", "amount": 2}'])
    expect(stdout).toContain('differences\n  - /amount: 5\n  + /amount: 2\n')
    expect(stdout).toContain('runs with the changed arguments: {"amount":2,"order":"A1"}')
    expect(await refunded()).toMatchObject({ status: 'success', data: { paid: 2 } })
    const seen = (await myrmex(['approvals', 'show', id])).stdout.split('changed by the operator to')
    expect(seen).toMatchObject([expect.stringContaining('"amount": 5,'), expect.stringContaining('"amount": 2,')])
    const [shown] = JSON.parse((await myrmex(['approvals', 'show', id, '--json'])).stdout)
    expect(shown).toMatchObject({ args: { amount: 5 }, edited_args: { amount: 2 }, status: 'used' })
    await ledger.journal.flush()
    expect(await myrmex(['audit', 'verify'])).toMatchObject({ code: 0 })
    const late = await myrmex(['approvals', 'approve', id])
    expect(late.stderr).toMatch(new RegExp(`Approval ${id} is used: ${ME} decided on .* can no longer be decided`))
  })

  test('are typed in the editor, on a private file that is gone afterwards', async () => {
    const { myrmex, ledger, refunded, id } = await begin()
    const editor = `f() { stat -c '%a %n' "$1" > seen; sed -i 's/5/3/' "$1"; }; f`
    const approved = await myrmex(['approvals', 'approve', id, '--edit'], { EDITOR: editor, VISUAL: '' })
    expect(approved.stdout).toContain('  - /amount: 5\n  + /amount: 3\n')
    expect(await refunded()).toMatchObject({ status: 'success', data: { paid: 3 } })
    expect(await ledger.approvals.find(id)).toMatchObject({ status: 'used' })
  })

  test('come with a standing grant in one decision', async () => {
    const { myrmex, ledger, refunded, id } = await begin()
    expect((await myrmex(['approvals', 'approve', id, '--until', '7d'])).stderr).toContain('Add --grant')
    const { stdout } = await myrmex(['approvals', 'approve', id, '--grant', '--until', '7d'])
    expect(stdout).toMatch(/grant: local may call shop.refund 1.0.0 without approval until/)
    expect(await ledger.grants.list()).toMatchObject([{ tool: 'shop.refund', principal: 'local' }])
    for (const _ of [1, 2, 3]) expect(await refunded()).toMatchObject({ status: 'success' })
    await ledger.journal.flush()
    expect(await myrmex(['audit', 'verify'])).toMatchObject({ code: 0 })
  })
})

describe('list', () => {
  test('shows what waits, the oldest first: what, for whom, why, since when and for how long', async () => {
    const { myrmex, ledger } = await commandOnLedger()
    expect((await myrmex(['approvals', 'list'])).stdout).toBe('nothing waits for approval\n')
    const first = await waiting(ledger)
    await expect.poll(() => Date.now()).toBeGreaterThan(first.requested_at)
    const second = await waiting(ledger, { amount: 90, order: 'A2' }, { principal: 'ada', reason: 'large refunds' })
    const { stdout, stderr } = await myrmex(['approvals', 'list'])
    expect(stdout.replace(/\d+ seconds? ago/g, 'N seconds ago')).toBe(
      [
        `${first.id}  waiting  N seconds ago  expires in 24 hours`,
        '  shop.refund 1.0.0 for local',
        '  │ {"amount":5,"order":"A1"}',
        '  why  it changes state',
        '',
        `${second.id}  waiting  N seconds ago  expires in 24 hours`,
        '  shop.refund 1.0.0 for ada',
        '  │ {"amount":90,"order":"A2"}',
        '  why  large refunds',
        '',
      ].join('\n'),
    )
    expect(stderr).toContain('to decide: npx myrmex approvals approve ID')
  })

  longTest('--all shows what was decided too, --json all there is to know', async () => {
    const { myrmex, ledger } = await commandOnLedger()
    const denied = await waiting(ledger)
    await ledger.approvals.deny(denied.id, 'ada')
    expect((await myrmex(['approvals', 'list'])).stdout).toBe('nothing waits for approval\n')
    expect((await myrmex(['approvals', 'list', '--all'])).stdout).toMatch(
      new RegExp(`^${denied.id}  denied  .*  by ada\n`),
    )
    const { stdout } = await myrmex(['approvals', 'list', '--all', '--json'])
    expect(JSON.parse(stdout)).toMatchObject([
      { id: denied.id, status: 'denied', args: { amount: 5, order: 'A1' }, decided_by: 'ada', principal: 'local' },
    ])
  })

  longTest('long arguments are cut there and whole in show', async () => {
    const { myrmex, ledger } = await commandOnLedger()
    const { id } = await waiting(ledger, { order: 'x'.repeat(5000) })
    const { stdout } = await myrmex(['approvals', 'list'])
    expect(stdout.replaceAll('\n  ↳ ', '')).toContain(`x… (5,012 characters; npx myrmex approvals show ${id})\n`)
    expect(stdout.length).toBeLessThan(1000)
    expect((await myrmex(['approvals', 'show', id])).stdout.replaceAll('\n  ↳   ', '')).toContain('x'.repeat(5000))
  })
})

test('show tells all there is about a request, and what its tool does', async () => {
  const { myrmex, ledger } = await commandOnLedger()
  await ledger.trust.recordDefinitions([refund])
  const { id, args_hash } = await waiting(ledger)
  await ledger.approvals.approve(id, 'ada', 'go on')
  const { stdout } = await myrmex(['approvals', 'show', id])
  expect(stdout.replace(/\d{4}-[\d-]+ [\d:]+/g, 'T')).toBe(
    [
      `approval     ${id}`,
      'status       approved',
      'tool         shop.refund 1.0.0',
      `definition   ${refund.hash.slice(0, 16)}`,
      'principal    local',
      'why          it changes state',
      'requested    T',
      'valid until  T',
      'decided by   ada',
      'decided      T',
      'note         go on',
      'does',
      '  │ Pays an order back to the customer.',
      'arguments',
      '  │ {',
      '  │   "amount": 5,',
      '  │   "order": "A1"',
      '  │ }',
      '',
      `Approval ${id}: shop.refund 1.0.0 for local`,
      `  25 characters of arguments, hash ${args_hash}`,
      '',
    ].join('\n'),
  )
})

describe('a decision', () => {
  test('is made once: the second is refused and changes nothing', async () => {
    const { myrmex, ledger } = await commandOnLedger()
    const { id } = await waiting(ledger)
    expect((await myrmex(['approvals', 'deny', id])).stdout).toBe(
      `denied  ${id}: shop.refund 1.0.0 for local\n  │ {"amount":5,"order":"A1"}\n`,
    )
    const second = await myrmex(['approvals', 'approve', id])
    expect(second).toMatchObject({ code: 1, stdout: '' })
    expect(second.stderr).toMatch(
      new RegExp(`Approval ${id} is denied: .+ decided on \\S+Z\\. It can no longer be decided\\.`),
    )
    expect(await ledger.approvals.find(id)).toMatchObject({ status: 'denied', decided_by: ME })
  })

  test('of several at once is made for each that can be decided', async () => {
    const { myrmex, ledger } = await commandOnLedger()
    const [one, two] = [await waiting(ledger), await waiting(ledger, { order: 'A2' })]
    const { code, stdout, stderr } = await myrmex(['approvals', 'approve', one.id, 'no-such-id', two.id])
    expect(code).toBe(1)
    expect(stderr).toContain('There is no approval no-such-id. npx myrmex approvals list shows the waiting ones.')
    expect(stdout.match(/^approved/gm)).toHaveLength(2)
    for (const { id } of [one, two]) expect(await ledger.approvals.find(id)).toMatchObject({ status: 'approved' })
  })

  longTest('comes too late for a request that has expired', async () => {
    const { myrmex, ledger } = await commandOnLedger()
    const { name, version, hash } = refund
    const call = { tool: name, version, hash, args_hash: 'x', principal: 'local' }
    const { id } = await ledger.approvals.request(call, '{}', 'it changes state', 1)
    await expect.poll(async () => (await ledger.approvals.find(id))?.status).toBe('expired')
    const { code, stderr } = await myrmex(['approvals', 'approve', id])
    expect(stderr).toContain(`Approval ${id} is expired and can no longer be decided.`)
    expect(code).toBe(1)
    expect((await myrmex(['approvals', 'list', '--all'])).stdout).toContain(`${id}  expired`)
  })
})

test('what a caller sends cannot break the lines, act on the terminal, or pass for something else', async () => {
  const { myrmex, ledger } = await commandOnLedger()
  const note = '\u001b[2J\u001b[1;1H\nfake12345  approved  by root\u202e\u200b  two  spaces\u009b'
  const { id } = await waiting(ledger, { note }, { principal: 'eve\nfake12345  approved', reason: 'a\r\nb\u001b[31m' })
  for (const args of [['list'], ['show', id], ['list', '--json'], ['approve', id]]) {
    const { stdout, stderr } = await myrmex(['approvals', ...args])
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these must not be there
    expect(stdout + stderr, args.join(' ')).not.toMatch(/[\u001b\u009b\u202e\u200b\r]/)
    expect(stdout, args.join(' ')).not.toMatch(/^\s*fake12345/m)
    if (args.includes('--json'))
      expect(JSON.parse(stdout)[0]).toMatchObject({ principal: 'eve\nfake12345  approved', args: { note } })
    else
      expect(stdout.replace(/\n {2}↳ +/g, ''), args.join(' ')).toContain(
        '\\u001b[2J\\u001b[1;1H\\nfake12345  approved  by root',
      )
  }
})

test.each([
  [['approvals', 'show', 'nope'], /There is no approval nope\. npx myrmex approvals list shows the waiting ones\./],
  [['approvals', 'deny', 'nope'], /There is no approval nope/],
  [['approvals', 'approve'], /missing required argument 'id'/],
  [['approvals', 'list', '--ledger', 'nowhere/ledger.db'], /There is no ledger at nowhere\/ledger\.db/],
])('myrmex %j says what is wrong and exits 1', async (args, message) => {
  const { myrmex } = await commandOnLedger()
  const { code, stderr } = await myrmex(args)
  expect(stderr).toMatch(message)
  expect(stderr).not.toMatch(/\n\s+at /)
  expect(code).toBe(1)
})
