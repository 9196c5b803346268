/** /api/tools: the served tools with their definition, trust, and changes since they were pinned. */
import { OpenAPIHono, z } from '@hono/zod-openapi'
import { missingDecision, type TrackedTool, trackedTools } from '../../../ledger/decisions/tracked-tools.ts'
import type { Ledger } from '../../../ledger/ledger.ts'
import { isReviewedAt } from '../../../pipeline/gates/trust.ts'
import { toolNotFound } from '../../../protocol/errors.ts'
import type { ListedTool } from '../../../tool/registry.ts'
import { serverVersionOf, shownVersion } from '../../../tool/server-version.ts'
import type { Tool } from '../../../tool/tool.ts'
import { toolBody } from '../../../tool/verify/verify-tool.ts'
import { ApiError } from '../api-error.ts'
import type { RouteContext } from '../route-context.ts'
import { Hash, jsonResponse, routesOf, TrustLevel } from '../schemas.ts'
import { toolFindings } from '../tool-findings.ts'
import { Findings, MissingDecision, TrustStatus, trustStatus } from './trust.ts'

const route = routesOf('tools')

/** The fields of a tool in every list. */
export const ToolHead = z.object({
  name: z.string().describe('Canonical: server.tool.'),
  listed_as: z.string().describe('The name that clients see.'),
  server: z.string(),
  version: z.string(),
  server_version: z
    .string()
    .nullable()
    .describe(
      'Of its server, for ranges and people; null: the tool has a version of its own, or the server reports none.',
    ),
  title: z.string().nullable(),
  description: z.string(),
  destructive: z.boolean(),
  level: TrustLevel,
  name_only: z.boolean().describe('Clients and models see only its name, because nobody has reviewed its texts.'),
})

export const toolHead = ({ listedAs, tool }: ListedTool, level: z.infer<typeof TrustLevel>) => ({
  name: tool.name,
  listed_as: listedAs,
  server: tool.module,
  version: tool.version,
  server_version: serverVersionOf(tool) === undefined ? null : shownVersion(tool),
  title: tool.title ?? null,
  description: tool.description,
  destructive: tool.destructive,
  level,
  name_only: !isReviewedAt(tool, level),
})

const ToolSummary = ToolHead.extend({
  origin: z.string(),
  idempotent: z.boolean(),
  hash: Hash,
  needs: MissingDecision,
  changed: z.boolean().describe('The definition differs from the pinned one.'),
}).openapi('ToolSummary')

const Definition = z.record(z.string(), z.unknown())

const ToolDetail = ToolSummary.extend({
  versions: z.array(z.string()),
  definition: Definition.describe('Everything a caller can see.'),
  pinned: Definition.nullable().describe('The pinned definition, if it differs.'),
  trust: TrustStatus,
  findings: Findings,
  outcomes: z
    .array(z.object({ outcome: z.string(), error_type: z.string(), count: z.number().int() }))
    .describe('Outcomes of its calls since the start.'),
}).openapi('ToolDetail')

const list = route('get', '/', 'tools', {
  summary: 'All served tools, the highest version of each',
  request: { query: z.strictObject({ server: z.string().max(200).optional() }) },
  answer: jsonResponse(z.object({ tools: z.array(ToolSummary) }), 'Sorted by name.'),
  errors: [400],
})

const show = route('get', '/{name}', 'tool', {
  summary: 'One tool, by canonical, flat or bare name',
  request: {
    params: z.object({ name: z.string().max(200) }),
    query: z.strictObject({
      version: z.string().max(100).optional().describe('A version or a range.'),
    }),
  },
  answer: jsonResponse(ToolDetail, 'The tool.'),
  errors: [400, 404],
})

export function toolRoutes({ server, ledger }: RouteContext) {
  const { registry } = server
  return new OpenAPIHono()
    .openapi(list, async (c) => {
      const { server: module } = c.req.valid('query')
      const listed = registry.listed().filter(({ tool }) => module === undefined || tool.module === module)
      const known = await knownTools(
        ledger,
        listed.map(({ tool }) => tool),
      )
      return c.json({ tools: listed.map((one) => summary(one, known(one.tool))) }, 200)
    })
    .openapi(show, async (c) => {
      const { name } = c.req.valid('param')
      const tool = registry.find(name, c.req.valid('query').version)
      if (tool === undefined) {
        const { message } = toolNotFound(name, registry.nearest(name))
        throw new ApiError(404, 'ToolNotFoundError', message)
      }
      const listedAs = registry.listed().find((one) => one.tool.name === tool.name)?.listedAs ?? tool.name
      const known = (await knownTools(ledger, [tool], tool.name))(tool)
      const all = await trackedTools(ledger)
      const { decision, changed } = known
      const pinned = changed
        ? (await ledger.trust.definitions(tool.name)).find(({ hash }) => hash === decision?.hash)
        : undefined
      return c.json(
        {
          ...summary({ listedAs, tool }, known),
          versions: registry.versions(name).map(({ version }) => version),
          definition: { ...toolBody(tool) },
          pinned: pinned === undefined ? null : (JSON.parse(pinned.body) as Record<string, unknown>),
          trust: trustStatus({ server, ledger }, known, all),
          findings: [...toolFindings(known, registry, all)],
          outcomes: server.measures
            .of(tool)
            .outcomes.map(({ outcome, error_type, count }) => ({ outcome, error_type, count })),
        },
        200,
      )
    })
}

/** Reads what the ledger knows about these tools. New ones are recorded first. */
async function knownTools(ledger: Ledger, tools: readonly Tool[], name?: string): Promise<(tool: Tool) => TrackedTool> {
  const read = async (): Promise<Map<string, TrackedTool>> =>
    new Map((await trackedTools(ledger, name)).map((known) => [keyOf({ ...known, name: known.tool }), known]))
  let known = await read()
  const unseen = tools.filter((tool) => known.get(keyOf(tool))?.definition.hash !== tool.hash)
  if (unseen.length > 0) {
    await ledger.trust.recordDefinitions(unseen.filter(({ origin }) => origin === 'own'))
    await ledger.trust.pinAll(unseen.filter(({ origin }) => origin !== 'own'))
    known = await read()
  }
  return (tool) => {
    const found = known.get(keyOf(tool))
    if (found === undefined) throw new Error(`the ledger did not record ${tool.name} ${tool.version}`)
    return found
  }
}

const keyOf = ({ name, version }: { name: string; version: string }): string => `${name} ${version}`

function summary(listed: ListedTool, known: TrackedTool): z.infer<typeof ToolSummary> {
  const { origin, idempotent, hash } = listed.tool
  const { level, changed } = known
  return { ...toolHead(listed, level), origin, idempotent, hash, needs: missingDecision(known) ?? null, changed }
}
