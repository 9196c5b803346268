/**
 * The attacker is a caller of the CEO agent. `ceo.run_goal` and `ceo.cancel_run` were declared as changing nothing, so they needed no trust and
 * no approval, and a client that lets its model call read-only tools freely let it start and end runs.
 *
 * What stops them: both are declared as changing state. Starting the CEO (`myrmex ceo`) trusts them and gives them a standing grant, once
 * per version, and what a person decides about them afterwards holds.
 *
 * Attacker: a remote caller
 * Attack: starts and ends runs through `ceo.run_goal` and `ceo.cancel_run`, which were declared as changing nothing and so needed
 * no trust.
 * Stopped by: both are declared as changing state. Starting the CEO trusts them once per version, and what a person decides
 * afterwards holds.
 */
import { runsOf } from '@myrmex/testing/fleet/local-fleet'
import { call, ledgerFile } from '@myrmex/testing/gated-server'
import { legacyPeer } from '@myrmex/testing/mcp-peer'
import { createServer, tool } from 'myrmex'
import { ceo, trustCeo } from 'myrmex/runs'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { untrustVersions } from '../../packages/myrmex/src/ledger/decisions/decide.ts'
import { trackedTools, trackedVersions } from '../../packages/myrmex/src/ledger/decisions/tracked-tools.ts'

const look = tool({
  name: 'shop.look',
  version: '1.0.0',
  description: 'Looks.',
  input: z.object({}),
  output: z.object({ seen: z.boolean() }),
  errors: {},
  idempotent: true,
  destructive: false,
  security: 'none',
  examples: [],
  run: () => ({ seen: true }),
})

async function open() {
  const ledger = await ledgerFile().open()
  const chief = ceo(runsOf([look], ledger))
  const server = createServer({ name: 'ceo', version: '1.0.0', ledger, tools: chief.tools })
  return { ledger, chief, server }
}

describe('The tools of the CEO that start and end runs were declared as changing nothing', () => {
  test('clients see that they change state', async () => {
    const { server } = await open()
    const { result } = await (await legacyPeer(server)).request('tools/list')
    const hints = result.tools.map((one: { name: string; annotations: { readOnlyHint: boolean } }) => [
      one.name,
      one.annotations.readOnlyHint,
    ])
    expect(Object.fromEntries(hints)).toEqual({ run_goal: false, cancel_run: false, run_status: true })
  })

  test('without the decision of an operator they do nothing', async () => {
    const { server, ledger } = await open()
    for (const [name, args] of [
      ['ceo.run_goal', { goal: 'look' }],
      ['ceo.cancel_run', { run_id: 'r-1' }],
    ] as const)
      expect((await call(server, name, args)).error?.error_message).toMatch(/must be trusted/)
    expect(await ledger.runs.list()).toEqual([])
  })

  test('starting the CEO decides once, and a later decision of a person holds', async () => {
    const { server, ledger, chief } = await open()
    await trustCeo(ledger, chief, 'ada')
    const args = { goal: 'look at it', wait_ms: 0 }
    expect((await call(server, 'ceo.run_goal', args)).error).toBeNull()
    const versions = trackedVersions(await trackedTools(ledger), 'ceo.run_goal', '')
    await untrustVersions(ledger, versions, 'ada')
    await trustCeo(ledger, chief, 'ada')
    expect((await call(server, 'ceo.run_goal', args)).error?.error_message).toMatch(/must be trusted/)
  })
})
