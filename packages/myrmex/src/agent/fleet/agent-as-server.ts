/** An agent in this process, as the host shows it among its servers. It was loaded with the program and ends with it. */
import type { HostedServer } from '../../host/host.ts'
import { ToolError } from '../../protocol/errors.ts'
import type { Server } from '../../server/server.ts'
import type { FleetMember } from './fleet-agent.ts'

export function agentAsServer({ name, problems }: FleetMember, server: Server): HostedServer {
  const since = new Date().toISOString()
  const wrong = problems.map(({ error_type, message, tool }) => ({
    server: name,
    ...(tool !== undefined && { item: tool }),
    error_type,
    message,
  }))
  const [first] = wrong
  const refuse = async (): Promise<never> => {
    throw ToolError.of('ValidationError', `${name} is part of this program: it is started and ended with it.`)
  }
  return {
    name,
    settingsDigest: `agent ${name}`,
    upstream: undefined,
    problems: wrong,
    instructions: undefined,
    status: () => ({
      name,
      where: 'in-process',
      state: first === undefined ? 'ready' : 'failed',
      since,
      pid: process.pid,
      era: null,
      protocol: null,
      server: null,
      restarts: 0,
      last_error: first === undefined ? null : { at: since, error_type: first.error_type, message: first.message },
      retry_after_ms: 0,
      breaker: 'closed',
      calls: 0,
      failures: 0,
      in_flight: 0,
      tools: [...server.registry].filter((tool) => tool.name.startsWith(`${name}.`)).length,
      resources: 0,
      templates: 0,
      prompts: 0,
      subscriptions: 0,
    }),
    start: refuse,
    refresh: async () => {},
    stop: refuse,
    restart: refuse,
    close: async () => {},
  }
}
