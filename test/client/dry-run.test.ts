/** Dry runs of the client, the command line and plain HTTP: a peer that would run the tool is not asked. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { commandOnLedger, SHOP } from '@myrmex/testing/cli/command-on-ledger'
import { destructiveTool, grant, serve } from '@myrmex/testing/gated-server'
import { post } from '@myrmex/testing/http-server'
import { fixturePath } from '@myrmex/testing/paths'
import { listenHttp } from 'myrmex'
import { connect } from 'myrmex/client'
import { describe, expect, onTestFinished, test } from 'vitest'

const SAID = 'This was a dry run: nothing was changed.'

async function shop() {
  const pay = destructiveTool('shop.pay', { run: () => ({ paid: 1 }), dryRun: () => ({ paid: 0 }) } as never)
  const served = await serve([pay])
  await grant(served.ledger, pay)
  return { ...served, pay }
}

describe('connection.call', () => {
  test.each(['auto', 'legacy'] as const)('asks for a dry run, in the era %s', async (era) => {
    const { server, pay } = await shop()
    const connection = await connect(server, { era })
    const dry = await connection.call('shop.pay', {}, { dryRun: true })
    expect(dry).toEqual({ status: 'success', data: { paid: 0 }, error: null, explanation: SAID })
    expect(pay.ran).toEqual([])
    expect(await connection.call('shop.pay', {}, { dryRun: false })).toMatchObject({ data: { paid: 1 } })
  })

  test('sends nothing to a server that does not know dry runs, and does not believe one that does not confirm it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'dry-run-client-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const book = join(folder, 'book')
    const args = [fixturePath('attacks/meta-server.mjs'), 'legacy']
    const target = { command: process.execPath, args, stderr: 'ignore' as const }
    const foreign = await connect({ ...target, env: { BOOK: book } }, { era: 'legacy' })
    expect(await foreign.call('pay', {}, { dryRun: true })).toMatchObject({
      status: 'failure',
      error: { error_type: 'ValidationError', error_message: expect.stringMatching(/The call was not sent\.$/) },
    })
    await foreign.close()
    expect(existsSync(book)).toBe(false)
    const careless = await connect({ ...target, env: { BOOK: book, TOOL_META: '{}' } }, { era: 'legacy' })
    await expect(careless.call('pay', {}, { dryRun: true })).rejects.toThrow(/did not confirm/)
    await careless.close()
    expect(readFileSync(book, 'utf8')).toContain('myrmex/dryRun')
  })
})

test('myrmex call --dry-run runs the dry run, which nobody has to approve', async () => {
  const { myrmex, ledger } = await commandOnLedger()
  const args = ['call', 'shop.refund', '{"order":"A1","amount":5}', '--file', SHOP]
  expect((await myrmex(args)).code).toBe(1)
  const { code, stdout, stderr } = await myrmex([...args, '--dry-run'])
  expect([code, stderr]).toEqual([0, ''])
  expect(stdout).toBe(`success\n${SAID}\n{\n  "paid": 5\n}\n`)
  expect(await ledger.approvals.list()).toEqual([])
  const shown = await myrmex(['audit', 'query', '--tool', 'shop.refund'])
  expect(shown.stdout).toMatch(/success .*dry run/)
})

test('POST /call and /batch take the header Myrmex-Dry-Run', async () => {
  const { server, pay } = await shop()
  const { url, close } = await listenHttp(server)
  onTestFinished(() => close())
  const { origin } = new URL(url)
  const toolCall = { tool_name: 'shop.pay', arguments: {} }
  const dry = { status: 'success', data: { paid: 0 }, error: null, explanation: SAID }
  const called = await post(`${origin}/call`, toolCall, { 'myrmex-dry-run': 'true' })
  expect(called.json).toEqual(dry)
  const batch = await post(`${origin}/batch`, { calls: [toolCall, toolCall] }, { 'Myrmex-Dry-Run': 'true' })
  expect(batch.json).toEqual({ status: 'success', results: [dry, dry] })
  const odd = await post(`${origin}/call`, toolCall, { 'myrmex-dry-run': 'TRUE' })
  expect(odd.json).toMatchObject({ status: 'failure', error: { error_type: 'ValidationError' } })
  expect(pay.ran).toEqual([])
  const real = await post(`${origin}/call`, toolCall, { 'myrmex-dry-run': 'false' })
  expect(real.json).toMatchObject({ data: { paid: 1 } })
})
