/** Every example payload of the five documents, sent as it is in process, on stdio and over HTTP. */

import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { definitionOf, LedgerFile } from '@myrmex/testing/gated-server'
import { openSession, post } from '@myrmex/testing/http-server'
import { LONG } from '@myrmex/testing/long'
import { legacyPeer, type RpcAnswer } from '@myrmex/testing/mcp-peer'
import { ROOT } from '@myrmex/testing/paths'
import { copyShopFile } from '@myrmex/testing/shop/test-shops'
import { payloadServer, shopTools } from '@myrmex/testing/specification/payload-server'
import { StdioChild } from '@myrmex/testing/stdio-child'
import { callTool, type Ledger, listenHttp, parseToolCall, parseToolResult, type ToolResult } from 'myrmex'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type EmbeddedShop, openShop } from '../../packages/dropship/src/embedded/open.ts'
import { FLEET_CALLS, REQUESTS, TOOL_CALLS } from './payloads.ts'

/** How a transport sends a message, and a tool call in the documents' envelope. */
interface Sender {
  request(message: object): Promise<RpcAnswer>
  call(text: string): Promise<ToolResult>
  close(): Promise<unknown>
}

const CHILD = join(ROOT, 'testing/specification/payload-child.ts')

async function inProcess(ledger: Ledger, shop: EmbeddedShop): Promise<Sender> {
  const server = payloadServer(ledger, async () => shop)
  const peer = await legacyPeer(server)
  return {
    request: async (message) => (await peer.send(message)) as RpcAnswer,
    call: async (text) => callTool(server, parseToolCall(text)),
    close: async () => peer.close(),
  }
}

async function onStdio(ledgerPath: string, shopPath: string): Promise<Sender> {
  const env = { ...process.env, MYRMEX_FILE_BASE: process.cwd() }
  const child = new StdioChild([ledgerPath, shopPath], env, CHILD)
  await child.initialize()
  let count = 0
  return {
    async request(message) {
      child.send(message)
      return child.answer((message as { id: unknown }).id)
    },
    async call(text) {
      const { tool_name, arguments: args } = parseToolCall(text)
      const id = `call-${++count}`
      child.call(id, tool_name, args)
      return resultOf(await child.answer(id))
    },
    close: () => child.end(),
  }
}

async function overHttp(ledger: Ledger, shop: EmbeddedShop): Promise<Sender> {
  const listening = await listenHttp(payloadServer(ledger, async () => shop))
  const headers = await openSession(listening.url)
  return {
    async request(message) {
      const { json, events } = await post(listening.url, JSON.stringify(message, null, 2), headers)
      return (json ?? events.at(-1)?.data) as RpcAnswer
    },
    async call(text) {
      const { body } = await post(listening.url.replace('/mcp', '/call'), text)
      return parseToolResult(body)
    },
    close: () => listening.close(),
  }
}

/** A result on the MCP wire as the envelope of the documents. */
function resultOf({ result, error }: RpcAnswer): ToolResult {
  if (error !== undefined) throw new Error(`${error.code}: ${error.message}`)
  const { status, explanation } = result._meta['myrmex/result']
  return result.isError
    ? { status, data: null, error: result.structuredContent, explanation }
    : { status, data: result.structuredContent, error: null, explanation }
}

beforeAll(() => {
  for (const file of ['project/docs/README.md', 'src/app/main.py']) {
    mkdirSync(join(file, '..'), { recursive: true })
    writeFileSync(file, 'print("Hello, World!")\n')
  }
  return () => {
    for (const folder of ['project', 'src']) rmSync(folder, { recursive: true })
  }
})

describe.each(LONG ? ['in process', 'on stdio', 'over HTTP'] : ['in process'])('%s', (transport) => {
  const file = new LedgerFile()
  let ledger: Ledger
  let shop: EmbeddedShop
  let sender: Sender

  beforeAll(async () => {
    const shopPath = await copyShopFile('default')
    shop = await openShop({ file: shopPath })
    ledger = await file.open()
    for (const tool of shopTools(async () => shop))
      if (tool.destructive) await ledger.trust.set(definitionOf(tool), 'trusted', 'ada')
    if (transport === 'in process') sender = await inProcess(ledger, shop)
    else if (transport === 'on stdio') sender = await onStdio(file.path, shopPath)
    else sender = await overHttp(ledger, shop)
  })
  afterAll(async () => {
    await sender.close()
    await file.remove()
    await shop.close()
  })

  test.each(TOOL_CALLS)('the tool call of $at', async ({ text, error }) => {
    const result = await sender.call(text)
    if (error === undefined) expect(result).toMatchObject({ status: 'success', error: null })
    else expect(result).toMatchObject({ status: 'failure', data: null, error: { error_type: error } })
  })

  test.each(REQUESTS)('the request of $at', async ({ at, text, result }) => {
    const answer = await sender.request({ jsonrpc: '2.0', id: at, ...JSON.parse(text) })
    expect(answer.error).toBeUndefined()
    expect(answer.result).toMatchObject(result)
  })

  test('agent/plan returns steps for the payload of document 5, and its answer is a plan for people', async () => {
    const payload = JSON.parse(REQUESTS.find(({ text }) => text.includes('agent/plan'))?.text ?? '')
    const { result } = await sender.request({ jsonrpc: '2.0', id: 8, ...payload })
    expect(result.structuredContent.steps.length).toBeGreaterThan(3)
    expect(result.content[0].text).toContain('Budget: 5000')
  })

  test.each(FLEET_CALLS)(
    'the arguments of %s in document 5, §7.C succeed, once approved if they change something',
    async (bare, args) => {
      const owner = shopTools(async () => shop).find(({ name }) => name.endsWith(`.${bare}`))
      const text = JSON.stringify({ tool_name: owner?.name, arguments: args })
      const first = await sender.call(text)
      if (owner?.destructive !== true) return expect(first).toMatchObject({ status: 'success', error: null })
      const details = first.error?.error_details as { approval: string; status: string }
      expect(details).toMatchObject({ status: 'waiting' })
      await ledger.approvals.approve(details.approval, 'ada')
      const second = await sender.call(text)
      expect(second.error).toBeNull()
      expect(second.status).not.toBe('failure')
    },
  )
})
