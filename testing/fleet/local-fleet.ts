/** A fleet in this process for tests of runs: tools that count what they do, on a real ledger, with a brain of one's choice. */
import type { Brain } from '../../packages/myrmex/src/agent/brain/brain.ts'
import type { Fleet } from '../../packages/myrmex/src/agent/fleet/fleet.ts'
import { toolViewOf } from '../../packages/myrmex/src/agent/fleet/tool-view.ts'
import type { Plan, Step } from '../../packages/myrmex/src/agent/plan/plan.ts'
import { Runs } from '../../packages/myrmex/src/agent/run/runs.ts'
import { createHost } from '../../packages/myrmex/src/host/host.ts'
import type { Ledger } from '../../packages/myrmex/src/ledger/ledger.ts'
import type { ServerOptions } from '../../packages/myrmex/src/server/server-options.ts'
import type { Tool } from '../../packages/myrmex/src/tool/tool.ts'

const rules = async (): Promise<Brain> =>
  (await import('../../packages/myrmex/src/agent/brain/rules-brain.ts')).rulesBrain

/** Loaded when it is first asked, as in the product. */
const lateRules: Brain = {
  name: 'rules',
  plan: async (request) => (await rules()).plan(request),
  critique: async (request) => (await rules()).critique(request),
  revise: async (request) => (await rules()).revise(request),
  write: async (request) => (await rules()).write(request),
}

export function fleetOf(
  tools: readonly Tool[],
  ledger: Ledger,
  options: Partial<Omit<ServerOptions, 'log'>> = {},
): Fleet {
  const host = createHost({ name: 'fleet', version: '1.0.0', tools, ledger, ...options })
  const { server } = host
  const names = [...new Set(tools.map(({ module }) => module))]
  const views = () => server.registry.listed().map(({ tool }) => toolViewOf(tool, tool.module))
  return {
    server,
    host,
    agents: names.map((name) => ({
      name,
      where: 'in-process' as const,
      hasOwnPlan: false,
      plan: async (goal, context) => (await lateRules.plan({ goal, context, tools: views() })).value,
      critique: async (request) => (await lateRules.critique(request)).value,
    })),
    playbooks: [],
    problems: [],
    views,
    refresh: async () => [],
    replaceServers: async () => {},
    close: async () => server.close(),
  }
}

export const runsOf = (
  tools: readonly Tool[],
  ledger: Ledger,
  options: { brain?: Brain } & Partial<ServerOptions> = {},
): Runs => {
  const { brain = lateRules, ...rest } = options
  return new Runs({ fleet: fleetOf(tools, ledger, rest), ledger, brain })
}

/** A step with what does not matter left out. */
export const step = (id: string, tool: string, args: Record<string, unknown> = {}, needs: string[] = []): Step => ({
  id,
  agent: tool.slice(0, tool.indexOf('.')),
  tool,
  arguments: args,
  needs,
  why: `${id} is part of the test.`,
})

export const planOf = (...steps: Step[]): Plan => ({ goal: 'test', steps, budget: {}, assumptions: [], questions: [] })
