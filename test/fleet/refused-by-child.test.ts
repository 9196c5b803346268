/** A child agent has gates of its own: what they would refuse is a problem of the plan, before anything runs. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runToEnd } from '@myrmex/testing/cli/run-to-end'
import { type FleetStage, fleetStage, trustAll } from '@myrmex/testing/fleet/fleet-locations'
import { planOf, step } from '@myrmex/testing/fleet/local-fleet'
import { CLI, fixturePath } from '@myrmex/testing/paths'
import { createServer, type Ledger, listenHttp, type Tool } from 'myrmex'
import type { Fleet } from 'myrmex/fleet'
import { expect, onTestFinished, test, vi } from 'vitest'
import { rulesBrain } from '../../packages/myrmex/src/agent/brain/rules-brain.ts'
import { ceo } from '../../packages/myrmex/src/agent/ceo.ts'
import { Runs } from '../../packages/myrmex/src/agent/run/runs.ts'
import { memoryLedger } from '../../packages/myrmex/src/ledger/open.ts'
import { loadModule } from '../../packages/myrmex/src/tool/discovery/module.ts'

vi.setConfig({ testTimeout: 60_000 })

const HEIR = fixturePath('attacks/heir.agent.ts')
const CONSTITUTION = {
  articles: [
    {
      name: 'small',
      text: 'No payment above 5.',
      tools: ['heir.pay'],
      at_most: { argument: '/amount', amount: 5, per: 'call' },
    },
  ],
}
const pay = (amount: unknown, needs: string[] = []) => step('pay', 'heir.pay', { to: 'ada', amount }, needs)

async function opened(
  stage: FleetStage,
  agents: Parameters<FleetStage['fleet']>[0],
): Promise<{ fleet: Fleet; runs: Runs }> {
  const ledger: Ledger = memoryLedger()
  const fleet = await stage.fleet(agents, { ledger })
  await trustAll(fleet)
  const pay = fleet.server.registry.find('heir.pay')
  if (pay !== undefined) await ledger.trustTool(pay, 'ada')
  return { fleet, runs: new Runs({ fleet, ledger, brain: rulesBrain }) }
}

const child = (stage: FleetStage) => {
  const cwd = stage.folder()
  writeFileSync(join(cwd, 'rules.json'), JSON.stringify(CONSTITUTION))
  return { command: process.execPath, args: [CLI, 'serve', HEIR, '--constitution', join(cwd, 'rules.json')], cwd }
}

async function outcomeOf(runs: Runs, amount: unknown) {
  const { id } = await runs.start({
    goal: 'pay ada',
    principal: { id: 'ada', kind: 'local' },
    plan: planOf(pay(amount)),
  })
  const row = await runs.execute(id)
  return { status: row?.status, summary: (JSON.parse(row?.report ?? 'null') as { summary?: string } | null)?.summary }
}

test("a step that breaks an article of the child's constitution is refused before the run begins", async () => {
  const stage = fleetStage()
  const { runs } = await opened(stage, { heir: child(stage) })
  const refused = await outcomeOf(runs, 9)
  expect(refused.status).toBe('refused')
  expect(refused.summary).toContain('heir would refuse heir.pay: ')
  expect(refused.summary).toContain('small')
  expect(await outcomeOf(runs, 3)).toMatchObject({ status: 'succeeded' })
})

test("a tool that the child's own operator revoked is no step of a plan", async () => {
  const stage = fleetStage()
  const heir = child(stage)
  const ledger = join('.myrmex', 'agents', 'heir', 'ledger.db')
  const command = (...args: string[]) => runToEnd([...args, '--ledger', ledger], { cwd: heir.cwd })
  await command('trust', 'heir.pay', '--yes', '--file', HEIR)
  expect((await command('untrust', 'heir.pay')).code).toBe(0)
  const { fleet, runs } = await opened(stage, { heir })
  expect((await outcomeOf(runs, 3)).status).toBe('refused')
  expect(fleet.problems).toMatchObject([{ agent: 'heir', message: expect.stringContaining('must review it first') }])
})

test('an agent behind a URL says that a tool is not trusted there, to runs and to the CEO', async () => {
  const stage = fleetStage()
  const server = createServer({ name: 'far', version: '1.0.0', observe: () => {}, ledger: memoryLedger() })
  server.add(await loadModule(HEIR))
  const { url, close } = await listenHttp(server, { port: 0 })
  onTestFinished(() => close())
  const { runs } = await opened(stage, { heir: { url } })
  const refused = await outcomeOf(runs, 3)
  expect(refused.status).toBe('refused')
  expect(refused.summary).toContain('heir would refuse heir.pay: heir.pay 1.0.0 changes state and must be trusted')
  const leader = ceo(runs)
  const context = { known: { to: 'ada', amount: 3 }, want: ['heir.pay'] }
  const request = { goal: 'pay ada', context, tools: runs.environment.fleet.views() }
  const plan = await leader.plan?.(request, { signal: new AbortController().signal } as never)
  expect((plan as { assumptions: string[] }).assumptions.join(' ')).toContain(
    'cannot run yet: heir would refuse heir.pay',
  )
  await server.ledger.trustTool(server.registry.find('heir.pay') as Tool, 'far operator')
  expect((await outcomeOf(runs, 3)).status).toBe('succeeded')
})

test('arguments go to a child of this program only, before anybody has approved the plan', async () => {
  const seen: string[] = []
  const stage = fleetStage()
  const server = createServer({ name: 'far', version: '1.0.0', observe: () => {}, ledger: memoryLedger() })
  server.add(await loadModule(HEIR))
  const { url, close } = await listenHttp(server, { port: 0 })
  onTestFinished(() => close())
  const { fleet } = await opened(stage, { heir: { url } })
  const upstream = fleet.host.upstream('heir')
  const request = upstream?.request.bind(upstream)
  vi.spyOn(upstream as { request: (...args: never[]) => Promise<unknown> }, 'request').mockImplementation(((
    method: string,
    params: object,
    options: never,
  ) => {
    seen.push(JSON.stringify(params))
    return request?.(method, params as never, options)
  }) as never)
  await fleet.agents[0]?.refusals?.([{ tool: 'heir.pay', arguments: { to: 'ada', amount: 3 } }])
  expect(seen).toHaveLength(1)
  expect(seen[0]).not.toContain('ada')
})
