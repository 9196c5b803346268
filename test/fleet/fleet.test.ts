/** One agent in three places is one agent: nothing it does shows the fleet where it runs. */

import { FleetStage, fleetStage, trustAll } from '@myrmex/testing/fleet/fleet-locations'
import { toolDefaults } from '@myrmex/testing/sample-tools'
import { agent, type Tool, tool } from 'myrmex'
import { connect } from 'myrmex/client'
import type { Fleet } from 'myrmex/fleet'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod'

const WHERES = ['in-process', 'child', 'url'] as const
const FILES = ['kiosk.agent.ts', 'clerk.agent.ts'] as const
const shared = new FleetStage()
const fleets = new Map<string, Fleet[]>()

beforeAll(async () => {
  for (const file of FILES) {
    const name = file.split('.')[0] as string
    const open = WHERES.map(async (where) => shared.fleet({ [name]: await shared.place(where, file) }))
    fleets.set(file, await Promise.all(open))
  }
})
afterAll(() => shared.end())

/** What somebody does with the agent gives the same everywhere; told is what it gives in the first place. */
async function everywhere<T>(file: (typeof FILES)[number], ask: (fleet: Fleet) => Promise<T>): Promise<T> {
  const answers: T[] = []
  for (const fleet of fleets.get(file) ?? []) {
    await trustAll(fleet)
    answers.push(await ask(fleet))
  }
  const [first, ...others] = answers
  expect(others).toHaveLength(WHERES.length - 1)
  for (const other of others) expect(other).toEqual(first)
  return first as T
}

test('each is there, where it was put, and nothing is wrong with it', () => {
  for (const [file, opened] of fleets) {
    const name = file.split('.')[0]
    expect(opened.map(({ agents }) => agents)).toMatchObject(WHERES.map((where) => [{ name, where }]))
    expect(opened.flatMap(({ problems }) => problems)).toEqual([])
  }
})

test('the same tools are there, but for what a list does not say', async () => {
  const views = await everywhere('kiosk.agent.ts', async (fleet) => fleet.views().map(({ hash, ...view }) => view))
  expect(views.map(({ name, version }) => `${name} ${version}`)).toEqual([
    'kiosk.burn_stock 1.0.0',
    'kiosk.count_coins 1.0.0',
    'kiosk.fail_oddly 1.0.0',
    'kiosk.find_paper 1.0.0',
    'kiosk.nap 1.0.0',
    'kiosk.read_headline 2.1.0',
    'kiosk.see_call 1.0.0',
    'kiosk.sell_paper 1.0.0',
  ])
  expect(views[0]).toMatchObject({ agent: 'kiosk', destructive: true, undo: false, output: undefined })
  expect(views[3]).toMatchObject({ title: 'Find a paper', input: { properties: { town: { type_id: 'town' } } } })
  expect(views[7]).toMatchObject({ idempotent: false, undo: true })
})

test('the same results, failures and reports of progress come back', async () => {
  const seen = await everywhere('kiosk.agent.ts', async (fleet) => {
    const connection = await connect(fleet.server)
    const progress: unknown[] = []
    const results = [
      await connection.call('kiosk.find_paper', { town: 'Ulm' }),
      await connection.call('kiosk.find_paper', { town: 'Atlantis' }),
      await connection.call('kiosk.read_headline', { paper_id: 'ulm-news' }),
      await connection.call('kiosk.fail_oddly', { declared: true }),
      await connection.call('kiosk.count_coins', { coins: 3 }, { onProgress: (report) => progress.push(report) }),
    ]
    // In this process Zod judges the arguments and elsewhere Ajv: they have words of their own.
    const { error } = await connection.call('kiosk.find_paper', { town: 7 })
    const { issues } = (error?.error_details ?? {}) as { issues?: { path: string; value: unknown }[] }
    await connection.close()
    return { results, progress, refused: [error?.error_type, issues?.map(({ path, value }) => [path, value])] }
  })
  expect(seen.results).toMatchObject([
    { status: 'success', data: { paper_id: 'ulm-news' }, explanation: 'It is sold in Ulm.' },
    { status: 'failure', error: { error_type: 'NoSuchTown', error_details: { town: 'Atlantis' } } },
    { status: 'no_change_needed', data: { headline: 'All quiet at ulm-news' } },
    { status: 'failure', error: { error_type: 'OutOfInk', error_message: 'No ink left.' } },
    { status: 'partial_success', data: { counted: 3 } },
  ])
  expect(seen.refused).toEqual(['SchemaError', [['/town', 7]]])
  expect(seen.progress).toEqual([1, 2, 3].map((progress) => ({ progress, total: 3, message: `coin ${progress}` })))
})

test('blocks that a tool gives of its own reach the client', async () => {
  const content = await everywhere('kiosk.agent.ts', async (fleet) => {
    const connection = await connect(fleet.server)
    const answer = await connection.callOnWire('kiosk.read_headline', { paper_id: 'x' })
    await connection.close()
    return (answer as { content: unknown }).content
  })
  expect(content).toEqual([
    { type: 'text', text: 'No change was needed.' },
    { type: 'text', text: 'Extra!' },
  ])
})

test('the context of a call arrives, and a step keeps its key', async () => {
  const context = { run: 'r1', step: 's1', goal: 'papers' }
  const seen = await everywhere('kiosk.agent.ts', async (fleet) => {
    const connection = await connect(fleet.server)
    const { data } = await connection.call('kiosk.see_call', {}, { context, idempotencyKey: 'mine' })
    const again = await connection.call('kiosk.see_call', {}, { context, idempotencyKey: 'mine' })
    await connection.close()
    return { context: data?.context, hasKey: String(data?.key).endsWith('mine'), same: again.data?.key === data?.key }
  })
  expect(seen).toEqual({ context, hasKey: true, same: true })
})

test.each(WHERES)('what was done is undone once, and what was not is refused: %s', async (where) => {
  const stage = fleetStage()
  const fleet = await stage.fleet({ kiosk: await stage.trustedThere(where, 'kiosk.agent.ts', ['kiosk.sell_paper']) })
  await trustAll(fleet)
  await fleet.server.ledger.trustTool(fleet.server.registry.find('kiosk.sell_paper') as Tool, 'test')
  const connection = await connect(fleet.server)
  const ids: string[] = []
  const onCallId = (id: string): void => void ids.push(id)
  const first = await connection.call('kiosk.sell_paper', { copies: 2 }, { onCallId })
  const undo = String(ids[0])
  for (let n = 0; n < 2; n++) {
    const undone = await connection.call('kiosk.sell_paper', {}, { undo })
    expect(undone).toMatchObject({ error: null, status: 'success', data: first.data })
  }
  const refused = await connection.call('kiosk.sell_paper', {}, { undo: `${undo}0` })
  expect(refused.error?.error_type).toBe('ValidationError')
  const second = await connection.call('kiosk.sell_paper', { copies: 1 })
  expect(Number(second.data?.sold) - Number(first.data?.sold)).toBe(-1)
  await connection.close()
})

test('the same plan and verdict come of the tools’ schemas', async () => {
  const goal = 'read the headline of the paper of a town'
  const known = { town: 'Ulm' }
  const request = { task: 'write', output: 'Short and clear.', criteria: [{ name: 'length', max_words: 20 }, 'charm'] }
  const { plan, verdict, hasOwnPlan } = await everywhere('kiosk.agent.ts', async ({ agents: [agent] }) => ({
    plan: await agent?.plan(goal, { known, want: ['headline'] }),
    verdict: await agent?.critique(request),
    hasOwnPlan: agent?.hasOwnPlan,
  }))
  expect(hasOwnPlan).toBe(false)
  expect(plan?.steps.map(({ agent, tool }) => [agent, tool])).toEqual([
    ['kiosk', 'kiosk.find_paper'],
    ['kiosk', 'kiosk.read_headline'],
  ])
  expect(verdict?.judgements).toMatchObject([{ criterion: 'length' }, { criterion: 'charm', verdict: 'unknown' }])
})

test('the same plan and verdict come of an author’s functions, which may call its tools', async () => {
  const { plan, verdict, hasOwnPlan } = await everywhere('clerk.agent.ts', async ({ agents: [agent] }) => ({
    plan: await agent?.plan('file it', { known: { letter: 'Dear you' } }),
    verdict: await agent?.critique({ task: 'judge', output: 'much too long', criteria: [] }),
    hasOwnPlan: agent?.hasOwnPlan,
  }))
  expect(hasOwnPlan).toBe(true)
  expect(plan).toMatchObject({
    steps: [{ agent: 'clerk', arguments: { letter: 'Dear you' }, why: 'It goes into drawer 7.' }],
  })
  expect(verdict).toMatchObject({ verdict: 'revise', score: 0.4, summary: 'judge' })
})

test.each(['no plan', 'steal'])(
  'a plan that does not hold (%s) goes nowhere, and the places are named',
  async (goal) => {
    const refused = await everywhere('clerk.agent.ts', async ({ agents: [agent] }) => {
      const error = await agent?.plan(goal, {}).catch((thrown) => thrown)
      return { type: error.error_type, text: error.message.replace('clerk: ', '') }
    })
    expect(refused.type).toBe('ToolExecutionError')
    expect(refused.text).toMatch(goal === 'steal' ? /\/steps\/0\/tool.*bank\.pay/ : /\/steps/)
  },
)

test('a verdict that is none goes nowhere, and asking can be stopped', async () => {
  const seen = await everywhere('clerk.agent.ts', async ({ agents: [agent] }) => {
    const verdict = await agent?.critique({ task: 'no verdict', output: 1, criteria: [] }).catch((thrown) => thrown)
    const stop = new AbortController()
    const hanging = agent?.plan('hang', {}, stop.signal).catch((thrown) => thrown)
    stop.abort()
    return { verdict: verdict.error_type, path: /\/verdict/.test(verdict.message), hung: (await hanging).error_type }
  })
  expect(seen).toEqual({ verdict: 'ToolExecutionError', path: true, hung: 'CancelledError' })
})

test('an agent that plans in this process reaches its own tools only, in its own name', async () => {
  const own = tool({ ...toolDefaults, name: 'spy.look', input: z.object({}), output: z.object({}), run: () => ({}) })
  const spy = agent({
    name: 'spy',
    tools: [own],
    plan: async ({ goal }, ctx) => {
      const calls = [await ctx.call('spy.look', {}), await ctx.call('clerk.file_letter', { letter: 'x' })]
      const assumptions = [ctx.principal.id, ...calls.map(({ status, error }) => error?.error_type ?? status)]
      return { goal, steps: [], budget: {}, assumptions, questions: [] }
    },
  })
  const fleet = await fleetStage().fleet({ clerk: { module: 'clerk.agent.ts' } }, { agents: [spy] })
  expect((await fleet.agents[0]?.plan('look around', {}))?.assumptions).toEqual([
    'agent:spy',
    'success',
    'PermissionError',
  ])
})

test('what comes from elsewhere is refused until somebody trusts it; own code that changes nothing is not', async () => {
  const here = fleetStage()
  const own = await here.fleet({ clerk: { module: 'clerk.agent.ts' } })
  const far = await here.fleet({ clerk: await here.url('clerk.agent.ts') })
  const call = async ({ server }: typeof own) => {
    const connection = await connect(server)
    const { status, error } = await connection.call('clerk.file_letter', { letter: 'x' })
    await connection.close()
    return error?.error_type ?? status
  }
  expect([await call(own), await call(far)]).toEqual(['success', 'PermissionError'])
  await trustAll(far)
  expect(await call(far)).toBe('success')
})
