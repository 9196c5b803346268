/**
 * A dry run needs no approval. So it must be one, at every layer and on every server.
 *
 * Attacker: a remote caller, or an upstream
 * Attack: asks for a dry run of a tool whose server ignores the request and runs it, or answers a question of an approved call as if the
 * call were a dry run, to get an effect that nobody approved.
 * Stopped by: the host asks only servers that list a dry run and whose definition is trusted, and their result must confirm it. The calls
 * that a dry run makes are dry runs too. The rounds of a dry run and those of a call have different signatures.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { approvalOf, call, destructiveTool, serve, trust } from '@myrmex/testing/gated-server'
import { rawClient } from '@myrmex/testing/host/raw-client'
import { serverSettings } from '@myrmex/testing/host/server-settings'
import { modernPeer } from '@myrmex/testing/mcp-peer'
import { fixturePath } from '@myrmex/testing/paths'
import { type Context, listenHttp, ToolError } from 'myrmex'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type Host, openHost } from '../../packages/myrmex/src/host/host.ts'
import type { ServerSettings } from '../../packages/myrmex/src/host/settings.ts'
import { memoryLedger } from '../../packages/myrmex/src/ledger/open.ts'

const ERAS = ['legacy', 'modern'] as const
const DRY = { 'myrmex/dryRun': true }

async function hostOf(
  name: string,
  endpoint: ServerSettings['endpoint'],
  more: Partial<ServerSettings> = {},
): Promise<Host> {
  const settings = [serverSettings(name, endpoint, { trust: 'ask', ...more })]
  const host = await openHost({ settings, ledger: memoryLedger(), log: () => {} })
  onTestFinished(() => host.close())
  return host
}

/** A server that books every call, whatever `_meta` says. */
function careless(era: string, toolMeta?: object) {
  const folder = mkdtempSync(join(tmpdir(), 'dry-run-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const book = join(folder, 'book')
  const env = { BOOK: book, ...(toolMeta !== undefined && { TOOL_META: JSON.stringify(toolMeta) }) }
  const args = [fixturePath('attacks/meta-server.mjs'), era]
  const booked = (): string => (existsSync(book) ? readFileSync(book, 'utf8') : '')
  return { endpoint: { where: 'child', command: process.execPath, args, env, cwd: folder } as const, booked }
}

const dryPay = async (host: Host, era: (typeof ERAS)[number] = 'modern') => {
  const client = await rawClient(host.server, { era })
  // biome-ignore lint/suspicious/noExplicitAny: results of every shape
  return (await client.request('tools/call', { name: 'bank.pay', arguments: {} }, DRY)) as any
}

describe('a server that does not know dry runs', () => {
  test.each(ERAS)('is not asked for one by a %s client', async (era) => {
    const { endpoint, booked } = careless('modern')
    const result = await dryPay(await hostOf('bank', endpoint), era)
    expect(result.structuredContent).toMatchObject({ error_type: 'ValidationError' })
    expect(result.structuredContent.error_message).toContain('bank.pay 0.0.0 has no dry run')
    expect(booked()).toBe('')
  })

  test('but says that it does is asked only once its definition is trusted, and its result is not believed', async () => {
    const { endpoint, booked } = careless('legacy', DRY)
    const verified = await hostOf('bank', endpoint, { trust: 'verified' })
    expect((await dryPay(verified)).structuredContent).toMatchObject({ error_type: 'PermissionError' })
    expect(booked()).toBe('')
    const result = await dryPay(await hostOf('bank', endpoint))
    expect(result.structuredContent).toMatchObject({
      error_type: 'ToolExecutionError',
      error_message: 'The server of bank.pay did not confirm that this was a dry run. It may have run the tool.',
    })
    expect(JSON.stringify(result)).not.toContain('nothing was changed')
    expect(booked()).toContain('myrmex/dryRun')
  })
})

/** Another of our servers behind the host. */
async function ours(changes: object = {}) {
  const pay = destructiveTool('bank.pay', {
    run: () => ({ paid: 1 }),
    dryRun: () => ({ paid: 0 }),
    ...changes,
  } as never)
  const { server, ledger, file } = await serve([pay])
  await trust(ledger, pay)
  const { url, close } = await listenHttp(server)
  onTestFinished(() => close())
  const host = await hostOf('bank', { where: 'url', url, headers: {}, transport: 'auto' })
  return { pay, ledger, file, host }
}

test.each(ERAS)('a server of ours behind the host runs a dry run of a %s client as one', async (era) => {
  const { pay, ledger, file, host } = await ours()
  const result = await dryPay(host, era)
  expect(result).toMatchObject({
    structuredContent: { paid: 0 },
    content: [{ text: 'This was a dry run: nothing was changed.' }, { text: '{"paid":0}' }],
    _meta: { 'myrmex/result': { dry_run: true } },
  })
  expect(pay.ran).toEqual([])
  expect(file.lines()).toMatchObject([{ dry_run: true }])
  expect(await ledger.approvals.list()).toEqual([])
  expect(await host.server.ledger.approvals.list()).toEqual([])
})

test('the host rehearses a call of such a server before it asks a person', async () => {
  const state = { isOpen: false }
  const { pay, host } = await ours({
    errors: { Closed: 'The bank is closed.' },
    dryRun: () => {
      if (!state.isOpen) throw new ToolError('Closed', 'The bank is closed.')
      return {}
    },
  })
  const client = await rawClient(host.server, { era: 'modern' })
  const real = () => client.request('tools/call', { name: 'bank.pay', arguments: {} })
  expect(await real()).toMatchObject({ isError: true, structuredContent: { error_type: 'Closed' } })
  expect(await host.server.ledger.approvals.list()).toEqual([])
  state.isOpen = true
  expect(await real()).toMatchObject({ isError: true, structuredContent: { error_details: { status: 'waiting' } } })
  expect(pay.ran).toEqual([])
})

test('answers to a question of an approved call cannot be sent as a dry run', async () => {
  const requestedSchema = { type: 'object', properties: {} }
  const form = { method: 'elicitation/create', params: { mode: 'form', message: 'Account?', requestedSchema } }
  const got: unknown[] = []
  const asks = async (_input: unknown, ctx: Context) => {
    got.push(await ctx.ask({ form } as never))
    return {}
  }
  const pay = destructiveTool('bank.pay', { run: asks, dryRun: () => ({}) } as never)
  const { server, ledger } = await serve([pay])
  await trust(ledger, pay)
  await ledger.approvals.approve(approvalOf(await call(server, 'bank.pay')), 'ada')
  const peer = modernPeer(server, { elicitation: { form: {} } })
  const params = { name: 'bank.pay', arguments: {} }
  const { result: asked } = await peer.request('tools/call', params)
  expect(asked.resultType).toBe('input_required')
  const inputResponses = { form: { action: 'accept', content: {} } }
  const { requestState } = asked
  const { error } = await peer.request('tools/call', { ...params, inputResponses, requestState, _meta: DRY })
  expect(error?.message).toMatch(/requestState/)
  expect(got).toEqual([])
})
