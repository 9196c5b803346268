/**
 * `_meta` of a request is in no approval, rule or audit record. A server may nevertheless act on keys of its own in it.
 *
 * Attacker: a remote caller
 * Attack: has a call of an upstream approved, and sends it with keys of the upstream in `_meta`, which choose another account.
 * Stopped by: of a caller's `_meta`, the host forwards only the trace context, in its strict format.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rawClient } from '@myrmex/testing/host/raw-client'
import { serverSettings } from '@myrmex/testing/host/server-settings'
import { fixturePath } from '@myrmex/testing/paths'
import { expect, onTestFinished, test } from 'vitest'
import { openHost } from '../../packages/myrmex/src/host/host.ts'
import { memoryLedger } from '../../packages/myrmex/src/ledger/open.ts'

const ERAS = ['legacy', 'modern'] as const
const EVIL = {
  'bank.example/account': 'mallory',
  account: 'mallory',
  baggage: 'account=mallory',
  tracestate: `account=${'mallory'.repeat(100)}`,
  'io.modelcontextprotocol/account': 'mallory',
  'myrmex/account': 'mallory',
}
const TRACE = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'

test.each(ERAS.flatMap((upstream) => ERAS.map((client) => [upstream, client] as const)))(
  'a %s upstream sees nothing of it behind a %s client',
  async (upstream, era) => {
    const folder = mkdtempSync(join(tmpdir(), 'meta-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const book = join(folder, 'book')
    const args = [fixturePath('attacks/meta-server.mjs'), upstream]
    const endpoint = { where: 'child', command: process.execPath, args, env: { BOOK: book }, cwd: folder } as const
    const ledger = memoryLedger()
    const settings = [serverSettings('bank', endpoint, { trust: 'ask' })]
    const host = await openHost({ settings, ledger })
    onTestFinished(() => host.close())
    const client = await rawClient(host.server, { era })

    const pay = (meta: object) =>
      client.request('tools/call', { name: 'bank.pay', arguments: { amount: 1 } }, meta as never)
    await pay({})
    const [waiting] = await ledger.approvals.list('waiting')
    await ledger.approvals.approve(waiting?.id ?? '', 'ada')
    expect((await pay({ ...EVIL, traceparent: TRACE })).isError).not.toBe(true)
    await client.request('prompts/get', { name: 'greet', arguments: {} }, EVIL)
    await client.request('resources/read', { uri: 'memo://note' }, { ...EVIL, traceparent: `${TRACE}-mallory` })
    const ref = { type: 'ref/prompt', name: 'greet' }
    await client.request('completion/complete', { ref, argument: { name: 'who', value: '' } }, EVIL)

    const text = existsSync(book) ? readFileSync(book, 'utf8') : ''
    expect(text).not.toContain('mallory')
    const seen = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as [method: string, meta: object])
    expect(seen.map(([method]) => method)).toEqual([
      'tools/call',
      'prompts/get',
      'resources/read',
      'completion/complete',
    ])
    // What traces need gets through.
    expect(seen[0]?.[1]).toMatchObject({ traceparent: TRACE })
  },
)
