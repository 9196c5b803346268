/** An agent in this process as a server of the host. It cannot be started or stopped by itself. */
import { type HostedServer, inProcessStatus } from '../../host/servers/hosted-server.ts'
import { ToolError } from '../../protocol/errors.ts'
import type { Server } from '../../server/server.ts'
import type { FleetMember } from './fleet-agent.ts'

export function agentAsServer({ name, problems }: FleetMember, server: Server): HostedServer {
  const since = new Date().toISOString()
  const hostProblems = problems.map(({ error_type, message, tool }) => ({
    server: name,
    ...(tool !== undefined && { item: tool }),
    error_type,
    message,
  }))
  const [first] = hostProblems
  const refuse = async (): Promise<never> => {
    throw ToolError.of('ValidationError', `${name} is part of this program: it is started and ended with it.`)
  }
  return {
    name,
    settingsDigest: `agent ${name}`,
    upstream: undefined,
    problems: hostProblems,
    instructions: undefined,
    status: () =>
      inProcessStatus({
        name,
        state: first === undefined ? 'ready' : 'failed',
        since,
        last_error: first === undefined ? null : { at: since, error_type: first.error_type, message: first.message },
        tools: [...server.registry].filter((tool) => tool.name.startsWith(`${name}.`)).length,
      }),
    start: refuse,
    refresh: async () => {},
    stop: refuse,
    restart: refuse,
    close: async () => {},
  }
}
