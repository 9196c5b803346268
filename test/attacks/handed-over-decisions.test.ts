/**
 * A fleet hands its decision about a call over to the child agent that it started, with a proof in `_meta["myrmex/handOver"]`.
 *
 * Attacker: a remote caller
 * Attack: sends a call of a child agent's tool through the fleet with a proof of its own in `_meta`, so that the child runs it without a decision.
 * Stopped by: of a caller's `_meta` the fleet forwards only the trace context, and its own gates refuse the call first.
 *
 * Attack: sends a proof that was made for one call with other arguments, another tool, another key or an undo.
 * Stopped by: a proof is a MAC over the definition, the arguments, the answers, the key and the undo, for one key that only the fleet and this child know.
 *
 * Attacker: another process of the same user
 * Attack: starts the same agent on the same ledger, or forges a proof for it, after the fleet has trusted its tools.
 * Stopped by: the decision is in the fleet's ledger only, and a process accepts only proofs of the one that started it. Who starts an agent decides for that process, as each process of this user can in open mode; with a locked ledger it accepts no proof.
 *
 * Attacker: a child process of the same user
 * Attack: a program that a child agent starts uses the key that it inherits.
 * Stopped by: Myrmex removes the key from the environment that programs inherit before it loads any code of the agent. The kernel still shows it to processes of this user, but a proof counts only on the child's stdin, which the fleet alone has.
 *
 * Attacker: an upstream server over the wire
 * Attack: changes the definition of a tool after the fleet has trusted it, so that the proof is about another definition.
 * Stopped by: the proof names the definition that the fleet has reviewed, and the child compares it with its own.
 */
import { join } from 'node:path'
import { runToEnd } from '@myrmex/testing/cli/run-to-end'
import { call as callFleet, FleetStage, trustAgents } from '@myrmex/testing/fleet/fleet-locations'
import { destructiveTool, type GatedServer, LedgerFile, serve } from '@myrmex/testing/gated-server'
import { CLI, fixturePath } from '@myrmex/testing/paths'
import { StdioChild } from '@myrmex/testing/stdio-child'
import { openLedger, type Tool } from 'myrmex'
import type { Fleet } from 'myrmex/fleet'
import { describe, expect, onTestFinished, test } from 'vitest'
import * as z from 'zod'
import { trackedTools } from '../../packages/myrmex/src/ledger/decisions/tracked-tools.ts'
import type { DefinitionRow } from '../../packages/myrmex/src/ledger/decisions/trust-row.ts'
import { memoryLedger } from '../../packages/myrmex/src/ledger/open.ts'
import { lockLedger } from '../../packages/myrmex/src/ledger/operator/operator-admin.ts'
import { handOverProof, newHandOverKey } from '../../packages/myrmex/src/protocol/hand-over.ts'
import type { JsonObject } from '../../packages/myrmex/src/protocol/json.ts'
import type { Message } from '../../packages/myrmex/src/protocol/jsonrpc.ts'
import { encode } from '../../packages/myrmex/src/server/results/encode.ts'
import { definitionHash } from '../../packages/myrmex/src/server/tool-listing.ts'

const HEIR = fixturePath('attacks/heir.agent.ts')
const ARGS = { to: 'ada', amount: 1 }

interface OpenedFleet {
  readonly fleet: Fleet
  readonly pay: Tool
  readonly childLedger: string
}

/** A fleet with a child agent in a folder of its own. */
async function fleetWithChild(): Promise<OpenedFleet> {
  const stage = new FleetStage()
  onTestFinished(() => stage.end())
  const cwd = stage.folder()
  const heir = { command: process.execPath, args: [CLI, 'serve', HEIR], cwd }
  const ledger = memoryLedger()
  const fleet = await stage.fleet({ heir }, { ledger })
  await trustAgents(fleet)
  const pay = fleet.server.registry.find('heir.pay') as Tool
  const look = fleet.server.registry.find('heir.look') as Tool
  await ledger.trust.set({ tool: look.name, version: look.version, hash: look.hash }, 'verified', 'ada')
  return { fleet, pay, childLedger: join(cwd, '.myrmex', 'agents', 'heir', 'ledger.db') }
}

describe('a child of a fleet', () => {
  test('takes the decisions of the fleet for its own, until they are revoked', async () => {
    const { fleet, pay, childLedger } = await fleetWithChild()
    const { ledger } = fleet.server
    expect((await callFleet(fleet, 'heir.pay', ARGS)).error?.error_type).toBe('PermissionError')
    await ledger.trustTool(pay, 'ada', { ask: true })
    const waiting = await callFleet(fleet, 'heir.pay', ARGS)
    const { approval } = (waiting.error?.error_details ?? {}) as { approval?: string }
    await ledger.approvals.approve(String(approval), 'ada')
    expect(await callFleet(fleet, 'heir.pay', ARGS)).toMatchObject({ status: 'success', data: { paid: 1 } })
    await ledger.trustTool(pay, 'ada')
    const ids: string[] = []
    expect(
      await callFleet(fleet, 'heir.pay', { ...ARGS, amount: 2 }, { onCallId: (id) => ids.push(id) }),
    ).toMatchObject({ data: { paid: 2 } })
    expect(await callFleet(fleet, 'heir.pay', {}, { undo: String(ids[0]) })).toMatchObject({ status: 'success' })
    await ledger.trust.set({ tool: pay.name, version: pay.version, hash: pay.hash }, 'untrusted', 'ada')
    const revoked = await callFleet(fleet, 'heir.pay', ARGS)
    expect(revoked.error).toMatchObject({ error_type: 'PermissionError', error_details: { level: 'untrusted' } })
    // Nobody was asked a second time, and nothing was decided there.
    const there = await openLedger(childLedger, {})
    onTestFinished(() => there.close())
    expect(await there.approvals.list('waiting')).toEqual([])
    expect(await there.trust.decisions()).toEqual([])
    const verified = await runToEnd(['audit', 'verify', '--ledger', childLedger])
    expect([verified.code, verified.stderr]).toEqual([0, ''])
  })

  test('that its own operator stops is stopped, and the decision of the fleet stays as it is', async () => {
    const { fleet, pay, childLedger } = await fleetWithChild()
    const { ledger } = fleet.server
    await ledger.trustTool(pay, 'ada')
    expect((await callFleet(fleet, 'heir.pay', ARGS)).status).toBe('success')
    const there = await openLedger(childLedger, {})
    onTestFinished(() => there.close())
    const own = (await trackedTools(there, 'heir.pay'))[0]?.definition as DefinitionRow
    await there.trust.set(own, 'untrusted', 'eve')
    await expect
      .poll(async () => {
        await fleet.host.refresh('heir')
        return fleet.host.problems
      })
      .toMatchObject([{ item: expect.stringContaining('pay'), message: expect.stringContaining('by its name only') }])
    expect(fleet.server.registry.find('heir.pay')).toBeUndefined()
    await there.trust.set(own, 'verified', 'eve')
    await expect
      .poll(async () => {
        await fleet.host.refresh('heir')
        return (await callFleet(fleet, 'heir.pay', ARGS)).status
      })
      .toBe('success')
    expect(await ledger.trust.currentLevel(pay)).toBe('trusted')
  })

  test('that another program starts on the same ledger knows nothing of them', async () => {
    const { fleet, pay, childLedger } = await fleetWithChild()
    await fleet.server.ledger.trustTool(pay, 'ada')
    expect((await callFleet(fleet, 'heir.pay', ARGS)).status).toBe('success')
    const other = new StdioChild(['serve', HEIR], { ...process.env, MYRMEX_LEDGER: childLedger })
    onTestFinished(() => other.kill())
    await other.initialize()
    const proof = handOverProof(newHandOverKey(), 'x', { name: 'heir_pay', arguments: ARGS })
    const params = { name: 'heir.pay', arguments: ARGS, _meta: { 'myrmex/handOver': proof } }
    other.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
    const { result } = await other.answer(1)
    expect(result?.structuredContent).toMatchObject({ error_type: 'PermissionError' })
  })

  test('does not run a call whose caller sends a proof of its own', async () => {
    const { fleet } = await fleetWithChild()
    const meta = { 'myrmex/handOver': handOverProof(newHandOverKey(), 'x', { name: 'heir.pay', arguments: ARGS }) }
    const refused = await callFleet(fleet, 'heir.pay', ARGS, { meta } as never)
    expect(refused.error?.error_details).toMatchObject({ level: 'untrusted', needs: 'trusted' })
  })

  test('has the key neither in the environment of its code nor in that of its own children', async () => {
    const { fleet } = await fleetWithChild()
    const { data } = await callFleet(fleet, 'heir.look')
    const { own, inherited } = data as { own: string[]; inherited: string[] }
    expect(own).toContain('MYRMEX_LEDGER')
    expect(inherited).toContain('MYRMEX_LEDGER')
    expect([...own, ...inherited].filter((name) => name.includes('HAND_OVER'))).toEqual([])
  })
})

/** A session of a server that was started with a key, and the proofs of the program that has it. */
async function started(served: GatedServer, key = newHandOverKey()) {
  const session = served.server.session('stdio', { send: () => {} })
  session.handOverKey = key
  const ask = async (method: string, params: JsonObject): Promise<JsonObject> => {
    const message = await session.receive({ jsonrpc: '2.0', id: crypto.randomUUID(), method, params })
    const reply = JSON.parse(encode(message as Message)) as { result: JsonObject }
    return reply.result
  }
  const clientInfo = { name: 'fleet', version: '1.0.0' }
  await ask('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo })
  const { tools } = (await ask('tools/list', {})) as { tools: JsonObject[] }
  const proofFor = (params: JsonObject, name = 'shop.pay', ofKey = key): JsonObject => {
    const listed = tools.find((tool) => (tool._meta as JsonObject)['myrmex/name'] === name) as JsonObject
    const proof = handOverProof(ofKey, definitionHash(listed), params)
    return { ...params, _meta: { ...(params._meta as JsonObject | undefined), 'myrmex/handOver': proof } }
  }
  const call = async (params: JsonObject): Promise<string> => {
    const { structuredContent } = (await ask('tools/call', params)) as { structuredContent?: { error_type?: string } }
    return structuredContent?.error_type ?? 'success'
  }
  return { call, proofFor }
}

describe('a proof', () => {
  const input = z.object({ to: z.string(), amount: z.number() })
  const shop = async (options = {}) => {
    const pay = destructiveTool('shop.pay', { input } as never)
    const wipe = destructiveTool('shop.wipe', { input } as never)
    return { pay, wipe, served: await serve([pay, wipe], options) }
  }
  const PAY = { name: 'shop.pay', arguments: ARGS }

  test('is good for the call that it was made for', async () => {
    const { served, pay } = await shop()
    const { call, proofFor } = await started(served)
    expect(await call(PAY)).toBe('PermissionError')
    expect(await call(proofFor(PAY))).toBe('success')
    expect(pay.ran).toHaveLength(1)
    expect(served.file.lines().at(-1)).toMatchObject({ outcome: 'success', approval: 'handed-over' })
  })

  test.each([
    ['other arguments', (p: JsonObject) => ({ ...p, arguments: { to: 'mallory', amount: 1 } })],
    ['another tool', (p: JsonObject) => ({ ...p, name: 'shop.wipe' })],
    [
      'another idempotency key',
      (p: JsonObject) => ({ ...p, _meta: { ...(p._meta as object), 'myrmex/idempotencyKey': 'k' } }),
    ],
    ['answers that were not there', (p: JsonObject) => ({ ...p, inputResponses: { yes: { action: 'accept' } } })],
    [
      'a longer proof',
      (p: JsonObject) => ({ ...p, _meta: { 'myrmex/handOver': `${(p._meta as JsonObject)['myrmex/handOver']}A` } }),
    ],
    ['a proof that is no text', (p: JsonObject) => ({ ...p, _meta: { 'myrmex/handOver': true } })],
  ])('means nothing with %s', async (_what, changed) => {
    const { served, pay, wipe } = await shop()
    const { call, proofFor } = await started(served)
    expect(await call(changed(proofFor(PAY)))).toBe('PermissionError')
    expect([...pay.ran, ...wipe.ran]).toEqual([])
  })

  test('of another key, and of a definition that has changed, means nothing', async () => {
    const { served, pay } = await shop()
    const { call, proofFor } = await started(served)
    expect(await call(proofFor(PAY, 'shop.pay', newHandOverKey()))).toBe('PermissionError')
    expect(await call(proofFor(PAY, 'shop.wipe'))).toBe('PermissionError')
    expect(pay.ran).toEqual([])
  })

  test('does not lift what was revoked in the child', async () => {
    const { served, pay } = await shop()
    const { name, version, hash } = pay.tool
    await served.ledger.trust.set({ tool: name, version, hash }, 'untrusted', 'ada')
    // The definition is not listed any more, so the proof is made from the listing of another server.
    const { proofFor } = await started(await serve([pay]), 'k')
    const { call } = await started(served, 'k')
    expect(await call(proofFor(PAY))).toBe('PermissionError')
  })

  test("does not answer a rule of the child's policy", async () => {
    const rule = { name: 'paying', tools: ['shop.pay'], when: [{ argument: '/amount', above: 0 }] }
    const { served, pay } = await shop({ policy: { approvals: [rule] } })
    const { call, proofFor } = await started(served)
    expect(await call(proofFor(PAY))).toBe('PermissionError')
    expect(pay.ran).toEqual([])
    expect(await served.ledger.approvals.list('waiting')).toHaveLength(1)
  })

  test('covers no call that the tool makes in turn, not even a call of the same tool', async () => {
    const wipe = destructiveTool('shop.wipe', { input } as never)
    const seen: string[] = []
    const pay = destructiveTool('shop.pay', {
      input,
      run: async (_input: unknown, ctx: { call: (name: string, args: object) => Promise<{ status: string }> }) => {
        for (const name of ['shop.wipe', 'shop.pay'])
          seen.push((await ctx.call(name, { to: 'mallory', amount: 9 })).status)
        return {}
      },
    } as never)
    const { call, proofFor } = await started(await serve([pay, wipe]))
    expect(await call(proofFor(PAY))).toBe('success')
    expect(seen).toEqual(['failure', 'failure'])
    expect(wipe.ran).toEqual([])
  })

  test('does not count in a locked ledger', async () => {
    const file = new LedgerFile()
    onTestFinished(() => file.remove())
    const first = await file.open()
    await lockLedger(first, 'correct horse battery', 'olga', 2 ** 14)
    await first.close()
    const { served, pay } = await shop({ file } as never)
    const { call, proofFor } = await started(served)
    expect(await call(proofFor(PAY))).toBe('PermissionError')
    expect(pay.ran).toEqual([])
  })
})
