/** A call that a server on stdio holds open: the end of its input ends the hold, so that no process stays behind for its client. */
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { refund } from '@myrmex/testing/fixtures/shop.tools'
import { eventually, ledgerFile } from '@myrmex/testing/gated-server'
import { fixturePath } from '@myrmex/testing/paths'
import { StdioChild } from '@myrmex/testing/stdio-child'
import { expect, onTestFinished, test } from 'vitest'

test('a held call is answered when it is approved elsewhere, and ends with its input', async () => {
  const file = ledgerFile()
  const ledger = await file.open()
  await ledger.trustTool(refund, 'ada', { ask: true })
  const policy = join(file.folder, 'policy.json')
  writeFileSync(policy, '{"waiting": {"hold": "10 min"}}')
  const child = new StdioChild(['serve', fixturePath('shop.tools.ts'), '--ledger', file.path, '--policy', policy])
  onTestFinished(() => void child.process.kill('SIGKILL'))
  const clientInfo = { name: 'test', version: '1.0.0' }
  child.send({
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo },
  })
  const ask = (id: number, order: string) =>
    child.send({
      jsonrpc: '2.0',
      id,
      method: 'tools/call',
      params: { name: 'shop.refund', arguments: { order, amount: 1 } },
    })
  const waiting = () =>
    eventually(async () => (await ledger.approvals.list('waiting'))[0]?.id ?? expect.fail('nothing waits'))
  ask(2, 'A1')
  await ledger.approvals.approve(await waiting(), 'ada')
  await eventually(() =>
    expect(child.raw.some((line) => line.includes('"id":2') && line.includes('"paid":1'))).toBe(true),
  )
  ask(3, 'A2')
  await waiting()
  const ended = once(child.process, 'exit')
  child.process.stdin?.end()
  await ended
  expect(await ledger.approvals.list('waiting')).toHaveLength(1)
})
