/** GET /api/host: a summary of the running host. */
import { OpenAPIHono, z } from '@hono/zod-openapi'
import { switchesView } from '../../../ledger/decisions/switch-view.ts'
import { journalId } from '../../../ledger/journal/mark.ts'
import type { RouteContext } from '../route-context.ts'
import { jsonResponse, routesOf, Timestamp } from '../schemas.ts'
import { Switches } from './switches.ts'

const route = routesOf('host')

const Mode = z
  .enum(['open', 'locked'])
  .describe("locked: decisions need the operator's signature. open: any process of the user can decide.")

const Host = z
  .object({
    name: z.string(),
    version: z.string(),
    pid: z.number().int(),
    started_at: Timestamp,
    uptime_s: z.number().int(),
    ledger: z.enum(['sqlite', 'postgres']),
    journal: z
      .string()
      .nullable()
      .describe('Id of its journal: no other ledger has it. null: nothing was recorded yet.'),
    mode: Mode,
    operator: z.string().nullable().describe("Id of the operator's key; null in open mode."),
    servers: z.object({ total: z.number().int(), ready: z.number().int() }),
    tools: z.number().int(),
    resources: z.number().int(),
    prompts: z.number().int(),
    switches: Switches,
    calls_in_flight: z.number().int(),
    approvals_waiting: z.number().int().describe('Counted up to 1000.'),
    problems: z.array(
      z.object({ server: z.string(), item: z.string().nullable(), error_type: z.string(), message: z.string() }),
    ),
  })
  .openapi('Host')

const look = route('get', '/', 'host', {
  summary: 'Summary of the host',
  answer: jsonResponse(Host, 'The summary.'),
})

const MAX_WAITING = 1000

export const hostRoutes = ({ server, ledger, host, startedAt }: RouteContext) =>
  new OpenAPIHono().openapi(look, async (c) => {
    const { name, version } = server.info
    const servers = host?.servers() ?? []
    const waiting = await ledger.approvals.list('waiting', MAX_WAITING)
    return c.json(
      {
        name,
        version,
        pid: process.pid,
        started_at: startedAt,
        uptime_s: Math.round((Date.now() - startedAt) / 1000),
        ledger: ledger.db.engine,
        journal: (await journalId(ledger.db)) ?? null,
        mode: ledger.lock.isLocked ? ('locked' as const) : ('open' as const),
        operator: ledger.lock.keyId ?? null,
        servers: { total: servers.length, ready: servers.filter(({ state }) => state === 'ready').length },
        tools: server.registry.size,
        resources: server.resources.size,
        prompts: server.prompts.size,
        switches: switchesView(ledger.switches.state),
        calls_in_flight: server.measures.inFlight,
        approvals_waiting: waiting.length,
        problems: (host?.problems ?? []).map((problem) => ({ ...problem, item: problem.item ?? null })),
      },
      200,
    )
  })
