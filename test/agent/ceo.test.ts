/** The CEO as any MCP client meets it: over HTTP, with the official client of either era. */

import { runsOf } from '@myrmex/testing/fleet/local-fleet'
import { LedgerFile } from '@myrmex/testing/gated-server'
import { createServer, listenHttp, tool } from 'myrmex'
import { type Connection, connect } from 'myrmex/client'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import * as z from 'zod'
import { ceo, trustCeo } from '../../packages/myrmex/src/agent/ceo.ts'
import type { Runs } from '../../packages/myrmex/src/agent/run/runs.ts'
import type { Ledger } from '../../packages/myrmex/src/ledger/ledger.ts'
import { plainCaller } from '../../packages/myrmex/src/server/exchange.ts'

const common = { version: '1.0.0', errors: {}, idempotent: false, security: 'none', examples: [] } as const
let sold: number
let hanging: number
const stock = tool({
  ...common,
  name: 'operations.check_inventory',
  description: 'How many of a product are in stock.',
  input: z.object({ sku: z.string().meta({ type_id: 'sku' }) }),
  output: z.object({ on_hand: z.number().meta({ type_id: 'on_hand' }) }),
  destructive: false,
  run: () => ({ on_hand: 50 }),
})
const sell = tool({
  ...common,
  name: 'operations.sell_item',
  description: 'Sells an item.',
  input: z.object({ sku: z.string().meta({ type_id: 'sku' }) }),
  output: z.object({ receipt: z.string().meta({ type_id: 'receipt' }) }),
  destructive: true,
  run: () => {
    sold++
    return { receipt: 'r-1' }
  },
})
const hang = tool({
  ...common,
  name: 'operations.wait_forever',
  description: 'Waits forever.',
  input: z.object({}),
  output: z.object({ patience: z.string().meta({ type_id: 'patience' }) }),
  destructive: false,
  run: (_input, { signal }) =>
    new Promise((_, reject) => {
      hanging++
      signal.addEventListener('abort', () => {
        hanging--
        reject(signal.reason)
      })
    }),
})

describe.each(['auto', 'legacy'] as const)('a client of the era %s', (era) => {
  let ledger: Ledger
  let runs: Runs
  let connection: Connection

  beforeEach(async () => {
    sold = 0
    hanging = 0
    const file = new LedgerFile()
    onTestFinished(() => file.remove())
    ledger = await file.open()
    await ledger.trustTool(sell, 'ann', { ask: true })
    runs = runsOf([stock, sell, hang], ledger)
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
    connection = await connect({ url: listening.url }, { era })
    onTestFinished(async () => {
      await connection.close()
      await listening.close()
    })
  })
  afterEach(() => runs.close())

  const call = async (name: string, args: Record<string, unknown>) => {
    const { data, error } = await connection.call(name, args)
    expect(error).toBeNull()
    return data as Record<string, never>
  }

  test('finds three tools and both methods', async () => {
    expect((await connection.tools()).map(({ name }) => name).sort()).toEqual(['cancel_run', 'run_goal', 'run_status'])
    expect(connection.client.getServerCapabilities()).toMatchObject({
      extensions: { 'myrmex/agent': { methods: ['agent/plan', 'agent/critique'] } },
    })
  })

  test('has a goal carried out, and reads what came of it', async () => {
    const ended = await call('run_goal', { goal: 'Check the inventory of sku RED-CHAIR' })
    expect(ended).toMatchObject({ status: 'succeeded', report: { made: [{ data: { on_hand: 50 } }] } })
    expect(await call('run_status', { run_id: ended.run_id })).toEqual(ended)
  })

  test('cannot approve what it started: that is done elsewhere', async () => {
    const goal = { goal: 'Sell the item with sku RED-CHAIR' }
    const waiting = await call('run_goal', goal)
    expect(waiting).toMatchObject({ status: 'waiting', waiting_for: ['the approval of the plan'] })
    expect(sold).toBe(0)
    const [approval] = await ledger.approvals.list('waiting')
    await ledger.approvals.approve(approval?.id as string, 'olga')
    for (const id of await runs.pending()) await runs.execute(id)
    expect(await call('run_status', { run_id: waiting.run_id })).toMatchObject({ status: 'succeeded' })
    expect(sold).toBe(1)
  })

  test('is asked what is missing, and answers', async () => {
    const asked = await call('run_goal', { goal: 'Check the inventory' })
    expect(asked).toMatchObject({ status: 'waiting', questions: [{ input: 'sku' }] })
    const ended = await call('run_goal', {
      goal: 'Check the inventory',
      run_id: asked.run_id,
      known: { sku: 'RED-CHAIR' },
    })
    expect(ended).toMatchObject({ run_id: asked.run_id, status: 'succeeded' })
  })

  test('stops a run', async () => {
    const begun = await call('run_goal', { goal: 'Wait forever', wait_ms: 0 })
    expect(begun).toMatchObject({ status: 'running' })
    await expect.poll(() => hanging).toBe(1)
    expect(await call('cancel_run', { run_id: begun.run_id, reason: 'too long' })).toMatchObject({ stopping: true })
    await expect.poll(async () => (await call('run_status', { run_id: begun.run_id })).status).toBe('cancelled')
    expect(hanging).toBe(0)
  })

  test('plans and has things judged, without a run', async () => {
    const plan = await connection.request('agent/plan', { goal: 'Check the inventory of sku RED-CHAIR', context: {} })
    expect(plan).toMatchObject({
      structuredContent: { steps: [{ tool: 'operations.check_inventory', arguments: { sku: 'RED-CHAIR' } }] },
    })
    const verdict = await connection.request('agent/critique', {
      task: 'a headline',
      output: 'Chairs.',
      criteria: ['length'],
    })
    expect(verdict).toMatchObject({ structuredContent: { judgements: [{ criterion: 'length' }] } })
    expect(await ledger.runs.list()).toEqual([])
  })

  test('hears that there is no such run', async () => {
    expect(await connection.call('run_status', { run_id: 'r-none' })).toMatchObject({
      error: { error_type: 'ValidationError' },
    })
  })
})

test('a remote caller cannot reach the run of another, nor learn that it exists', async () => {
  const file = new LedgerFile()
  onTestFinished(() => file.remove())
  const ledger = await file.open()
  const runs = runsOf([stock], ledger)
  const chief = ceo(runs)
  await trustCeo(ledger, chief, 'ann')
  const { pipeline } = createServer({ name: 'ceo', version: '1.0.0', ledger, tools: chief.tools })
  const { id } = await runs.start({ goal: 'sell', principal: { id: 'ann', kind: 'bearer' } })
  const mallory = plainCaller('http', { id: 'mallory', kind: 'bearer' })
  for (const [name, more] of [
    ['run_status', {}],
    ['cancel_run', {}],
    ['run_goal', { goal: 'sell' }],
  ] as const) {
    for (const run_id of [id, 'r-none']) {
      const ended = await pipeline.call(mallory, `ceo.${name}`, { ...more, run_id })
      expect(ended).toMatchObject({ error: { error_message: `There is no run ${run_id} of yours.` } })
    }
  }
  expect(await ledger.runs.find(id)).toMatchObject({ status: 'running', stopped_by: null, term: 0 })
})
