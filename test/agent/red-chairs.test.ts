/**
 * The question about red chairs over the real wire: the CEO asks the operations agent, a process of its own, how many
 * red chairs there are. Once on the embedded shop, once on Shopify's Admin API as a local server speaks it.
 */
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fleetStage, trustAll } from '@myrmex/testing/fleet/fleet-locations'
import { ledgerFile } from '@myrmex/testing/gated-server'
import { CLI, ROOT } from '@myrmex/testing/paths'
import { shopTemplate } from '@myrmex/testing/shop/test-shops'
import { environment } from '@myrmex/testing/shopify/open-shopify'
import { serveShopify } from '@myrmex/testing/shopify/shopify-server'
import { createServer, listenHttp } from 'myrmex'
import { connect } from 'myrmex/client'
import { openFleet } from 'myrmex/fleet'
import { ceo, Runs, trustCeo } from 'myrmex/runs'
import { expect, onTestFinished, test } from 'vitest'
import { rulesBrain } from '../../packages/myrmex/src/agent/brain/rules-brain.ts'

const OPERATIONS = join(ROOT, 'packages/dropship/src/agents/operations/operations.agent.ts')
const TAP = join(ROOT, 'testing/stdio-recorder.ts')
const QUESTION = 'How many red chairs do we have in stock?'

interface Message {
  readonly from: 'client' | 'server'
  readonly id?: unknown
  readonly method?: string
  readonly params?: { readonly name?: string; readonly arguments?: unknown }
  // biome-ignore lint/suspicious/noExplicitAny: results of every shape pass by
  readonly result?: any
}

/** A user asks the CEO over HTTP; the CEO leads the agent, a child on stdio, through a tap. */
async function ask(folder: string, env: Record<string, string>) {
  const heard = join(folder, 'wire.txt')
  const ledger = await ledgerFile().open()
  const operations = {
    command: process.execPath,
    args: [TAP, heard, process.execPath, CLI, 'serve', OPERATIONS],
    cwd: folder,
    env,
  }
  const fleet = await openFleet({ agents: { operations } }, { ledger, stderr: 'ignore', observe: () => {} })
  onTestFinished(() => fleet.close())
  expect(fleet.problems).toEqual([])
  await trustAll(fleet)
  const runs = new Runs({ fleet, ledger, brain: rulesBrain })
  onTestFinished(() => runs.close())
  const chief = ceo(runs)
  await trustCeo(ledger, chief, 'ann')
  const server = createServer({
    name: 'ceo',
    version: '1.0.0',
    ledger,
    tools: chief.tools,
    methods: { ...chief.methods },
  })
  const listening = await listenHttp(server, { port: 0 })
  const user = await connect({ url: listening.url })
  onTestFinished(async () => {
    await user.close()
    await listening.close()
  })
  const { data, error } = await user.call('run_goal', { goal: QUESTION })
  expect(error).toBeNull()
  const wire = readFileSync(heard, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line): Message => {
      const [from, text] = [line.slice(0, 6), line.slice(7)]
      return { from: from as Message['from'], ...(JSON.parse(text) as object) }
    })
  return { ended: data as { report: { made: { data: { says: string } }[] } }, wire }
}

function expectScenario({ ended, wire }: Awaited<ReturnType<typeof ask>>): void {
  // 1. the handshake, in either era; 2. the menu; 4. the action
  const asked = wire.filter(
    ({ from, method }) => from === 'client' && method !== undefined && !method.startsWith('notifications/'),
  )
  const place = (method: RegExp): number => asked.findIndex((message) => method.test(message.method ?? ''))
  const [handshake, menu, action] = [
    place(/^(initialize|server\/discover)$/),
    place(/^tools\/list$/),
    place(/^tools\/call$/),
  ]
  expect(handshake).toBe(0)
  expect(menu).toBeGreaterThan(handshake)
  expect(action).toBeGreaterThan(menu)
  const answerTo = (at: number) => wire.find(({ from, id }) => from === 'server' && id === asked[at]?.id)?.result
  expect(answerTo(handshake).capabilities).toMatchObject({ tools: {} })
  expect(answerTo(menu).tools.map(({ name }: { name: string }) => name)).toContain('check_inventory')
  // 3. the reasoning: of all tools the one for stock, and what is meant from the words of the question
  expect(asked.filter(({ method }) => method === 'tools/call')).toHaveLength(1)
  expect(asked[action]?.params).toMatchObject({ name: 'check_inventory', arguments: { sku: 'red chairs' } })
  expect(answerTo(action).structuredContent).toMatchObject({ sku: 'chair-red', on_hand: 50 })
  // 5. the output
  expect(ended).toMatchObject({ status: 'succeeded', report: { made: [{ data: { on_hand: 50 } }] } })
  expect(ended.report.made[0]?.data.says).toMatch(/^We have 50 Red Chairs in stock\./)
}

test('the CEO asks the operations agent on the embedded shop, and tells the user that there are 50', async () => {
  const folder = fleetStage().folder()
  const file = join(folder, 'shop.db')
  copyFileSync(await shopTemplate('small'), file)
  expectScenario(await ask(folder, { MYRMEX_SHOP: file }))
})

test('the same on the Shopify adapter, which reads it from the Admin API', async () => {
  const shopify = await serveShopify()
  onTestFinished(() => shopify.close())
  shopify.store.stocked('Blue Chair', 'chair-blue', 7)
  shopify.store.stocked('Red Chair', 'chair-red', 50)
  const folder = fleetStage().folder()
  mkdirSync(join(folder, '.myrmex'))
  copyFileSync(await shopTemplate('small'), join(folder, '.myrmex', 'shop.db'))
  const told = await ask(folder, { MYRMEX_SHOP: 'shopify', ...environment(shopify) })
  expectScenario(told)
  expect(shopify.executed).toContain('Variants')
  // Through two wires and a journal, the token has gone nowhere but to Shopify.
  expect(JSON.stringify(told)).not.toContain(shopify.token)
})
