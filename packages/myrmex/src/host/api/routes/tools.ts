/** /api/tools: what is served, and all that is known of each: its definition, its trust, and what changed since it was pinned. */
import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi'
import { findingsOf, missingDecision, type TrackedTool, trackedTools } from '../../../ledger/decisions/tracked-tools.ts'
import type { Ledger } from '../../../ledger/ledger.ts'
import { toolNotFound } from '../../../protocol/errors.ts'
import type { ListedTool } from '../../../tool/registry.ts'
import type { Tool } from '../../../tool/tool.ts'
import { toolBody } from '../../../tool/verify/verify-tool.ts'
import { ApiError } from '../api-error.ts'
import type { RouteContext } from '../route-context.ts'
import { errorResponses, Hash, jsonResponse, TrustLevel } from '../schemas.ts'
import { Findings, MissingDecision, TrustStatus, trustStatus } from './trust.ts'

const ToolSummary = z
  .object({
    name: z.string().openapi({ description: 'Canonical: server.tool.' }),
    listed_as: z.string().openapi({ description: 'As clients see it.' }),
    server: z.string(),
    version: z.string(),
    title: z.string().nullable(),
    description: z.string(),
    origin: z.string(),
    destructive: z.boolean(),
    idempotent: z.boolean(),
    hash: Hash,
    level: TrustLevel,
    lacks: MissingDecision,
    changed: z.boolean().openapi({ description: 'It is not the definition that was pinned or decided about.' }),
  })
  .openapi('ToolSummary')

const Definition = z.record(z.string(), z.unknown())

const ToolInFull = ToolSummary.extend({
  versions: z.array(z.string()),
  definition: Definition.openapi({ description: 'All that a caller can see of it.' }),
  pinned: Definition.nullable().openapi({
    description: 'The definition that was decided about, where it was another.',
  }),
  trust: TrustStatus,
  findings: Findings,
  endings: z
    .array(z.object({ outcome: z.string(), error_type: z.string(), count: z.number().int() }))
    .openapi({ description: 'How its calls ended since the start.' }),
}).openapi('ToolInFull')

const list = createRoute({
  method: 'get',
  path: '/',
  operationId: 'tools',
  tags: ['tools'],
  summary: 'All tools that are served, the highest version of each',
  request: { query: z.strictObject({ server: z.string().max(200).optional() }) },
  responses: { 200: jsonResponse(z.object({ tools: z.array(ToolSummary) }), 'By name.'), ...errorResponses(400) },
})

const show = createRoute({
  method: 'get',
  path: '/{name}',
  operationId: 'tool',
  tags: ['tools'],
  summary: 'One tool, by canonical, flat or bare name',
  request: {
    params: z.object({ name: z.string().max(200) }),
    query: z.strictObject({
      version: z.string().max(100).optional().openapi({ description: 'A version or a range.' }),
    }),
  },
  responses: { 200: jsonResponse(ToolInFull, 'The tool.'), ...errorResponses(400, 404) },
})

export function toolRoutes({ server, ledger }: RouteContext) {
  const { registry } = server
  return new OpenAPIHono()
    .openapi(list, async (c) => {
      const { server: of } = c.req.valid('query')
      const listed = registry.listed().filter(({ tool }) => of === undefined || tool.module === of)
      const seen = await sightOf(
        ledger,
        listed.map(({ tool }) => tool),
      )
      return c.json({ tools: listed.map((one) => summary(one, seen(one.tool))) }, 200)
    })
    .openapi(show, async (c) => {
      const { name } = c.req.valid('param')
      const tool = registry.find(name, c.req.valid('query').version)
      if (tool === undefined) {
        const { message } = toolNotFound(name, registry.nearest(name))
        throw new ApiError(404, 'ToolNotFoundError', message)
      }
      const listedAs = registry.listed().find((one) => one.tool.name === tool.name)?.listedAs ?? tool.name
      const seen = (await sightOf(ledger, [tool], tool.name))(tool)
      const { decision, changed } = seen
      const pinned = changed
        ? (await ledger.trust.definitions(tool.name)).find(({ hash }) => hash === decision?.hash)
        : undefined
      return c.json(
        {
          ...summary({ listedAs, tool }, seen),
          versions: registry.versions(name).map(({ version }) => version),
          definition: { ...toolBody(tool) },
          pinned: pinned === undefined ? null : (JSON.parse(pinned.body) as Record<string, unknown>),
          trust: trustStatus(seen),
          findings: findingsOf(seen, [tool]),
          endings: server.measures
            .of(tool)
            .outcomes.map(({ outcome, error_type, count }) => ({ outcome, error_type, count })),
        },
        200,
      )
    })
}

/** What the ledger knows of these. One that came a moment ago, or that another server has had since, is shown to it first. */
async function sightOf(ledger: Ledger, tools: readonly Tool[], name?: string): Promise<(tool: Tool) => TrackedTool> {
  const read = async (): Promise<Map<string, TrackedTool>> =>
    new Map((await trackedTools(ledger, name)).map((seen) => [keyOf({ ...seen, name: seen.tool }), seen]))
  let seen = await read()
  const unseen = tools.filter((tool) => seen.get(keyOf(tool))?.definition.hash !== tool.hash)
  if (unseen.length > 0) {
    await ledger.trust.recordDefinitions(unseen.filter(({ origin }) => origin === 'own'))
    await ledger.trust.pinAll(unseen.filter(({ origin }) => origin !== 'own'))
    seen = await read()
  }
  return (tool) => {
    const found = seen.get(keyOf(tool))
    if (found === undefined) throw new Error(`the ledger did not keep ${tool.name} ${tool.version}`)
    return found
  }
}

const keyOf = ({ name, version }: { name: string; version: string }): string => `${name} ${version}`

function summary({ listedAs, tool }: ListedTool, seen: TrackedTool): z.infer<typeof ToolSummary> {
  return {
    name: tool.name,
    listed_as: listedAs,
    server: tool.module,
    version: tool.version,
    title: tool.title ?? null,
    description: tool.description,
    origin: tool.origin,
    destructive: tool.destructive,
    idempotent: tool.idempotent,
    hash: tool.hash,
    level: seen.level,
    lacks: missingDecision(seen) ?? null,
    changed: seen.changed,
  }
}
