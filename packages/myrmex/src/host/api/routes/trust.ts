/**
 * /api/trust: what every tool that was seen may do, who said so, what changed since, and decisions. Whoever lets a tool do more names
 * the hash of the definition they looked at: if it is another by now, nothing happens.
 */
import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi'
import {
  type GrantTerms,
  trustDefinition,
  untrustVersions,
  verifyDefinition,
  widerGrant,
} from '../../../ledger/decisions/decide.ts'
import {
  findingsOf,
  missingDecision,
  type TrackedTool,
  trackedToolJson,
  trackedTools,
  trackedVersions,
} from '../../../ledger/decisions/tracked-tools.ts'
import { ToolError } from '../../../protocol/errors.ts'
import { hasErrors } from '../../../tool/verify/finding.ts'
import { conflict } from '../api-error.ts'
import type { RouteContext } from '../route-context.ts'
import { errorResponses, Hash, jsonBody, jsonResponse, Timestamp, TrustLevel } from '../schemas.ts'

const Grant = z
  .object({
    id: z.string(),
    tool: z.string(),
    version: z.string(),
    hash: Hash,
    principal: z.string().nullable().openapi({ description: 'null: for everybody.' }),
    granted_by: z.string(),
    granted_at: Timestamp,
    expires_at: Timestamp.nullable(),
    revoked_by: z.string().nullable(),
    revoked_at: Timestamp.nullable(),
    in_force: z.boolean().openapi({ description: 'false: it was given to an earlier definition.' }),
  })
  .openapi('Grant')

export const MissingDecision = z
  .enum(['trust', 'verify', 'approval'])
  .nullable()
  .openapi({ description: 'What stands between it and a call: a decision, or an approval of each call.' })

export const TrustStatus = z
  .object({
    tool: z.string(),
    version: z.string(),
    hash: Hash,
    origin: z.string(),
    destructive: z.boolean(),
    level: TrustLevel,
    lacks: MissingDecision,
    first_seen: Timestamp,
    last_seen: Timestamp,
    decision: z
      .object({
        tool: z.string(),
        version: z.string(),
        hash: Hash,
        level: TrustLevel,
        set_by: z.string(),
        set_at: Timestamp,
      })
      .nullable(),
    changes: z
      .array(z.string())
      .nullable()
      .openapi({ description: 'What is different from the definition that was decided about; null: it is that one.' }),
    grants: z.array(Grant),
  })
  .openapi('TrustStatus')

export const Findings = z.array(
  z
    .object({
      rule: z.string(),
      severity: z.enum(['error', 'warning']),
      where: z.string().openapi({ description: 'JSON pointer into the definition.' }),
      message: z.string(),
    })
    .openapi('Finding'),
)

export const trustStatus = (seen: TrackedTool): z.infer<typeof TrustStatus> => {
  const { changes, ...rest } = trackedToolJson(seen)
  return { ...rest, lacks: missingDecision(seen) ?? null, changes: changes && [...changes] }
}

const list = createRoute({
  method: 'get',
  path: '/',
  operationId: 'trust',
  tags: ['trust'],
  summary: 'What every tool that was seen may do, and why',
  responses: {
    200: jsonResponse(z.object({ tools: z.array(TrustStatus) }), 'By name, highest version first.'),
    ...errorResponses(),
  },
})

const Tool = z.object({ tool: z.string().max(200) })
const named = { hash: Hash.openapi({ description: 'Of the definition that was looked at.' }) }

const verifyOne = createRoute({
  method: 'post',
  path: '/{tool}/verify',
  operationId: 'verifyTool',
  tags: ['trust'],
  summary: 'Check it by machine; without errors it is verified',
  request: { params: Tool, body: jsonBody(z.strictObject(named)) },
  responses: {
    200: jsonResponse(
      z.object({
        passed: z.boolean(),
        stays: z
          .enum(['findings', 'decided', 'trusted-other', 'refused', 'changed'])
          .nullable()
          .openapi({ description: 'Why it stayed what it was; null: it is verified now.' }),
        findings: Findings,
        status: TrustStatus,
      }),
      'What was found, and what it is now.',
    ),
    ...errorResponses(400, 404, 409, 415),
  },
})

const trustOne = createRoute({
  method: 'post',
  path: '/{tool}/trust',
  operationId: 'trustTool',
  tags: ['trust'],
  summary: 'Let it be called although it changes state',
  request: {
    params: Tool,
    body: jsonBody(
      z.strictObject({
        ...named,
        ask: z
          .boolean()
          .default(false)
          .openapi({ description: 'Every call waits for an approval; standing grants are taken back.' }),
        until: Timestamp.optional().openapi({ description: 'When the standing grant ends; without end unless given.' }),
        principal: z
          .string()
          .min(1)
          .max(500)
          .optional()
          .openapi({ description: 'Whose calls are granted; everybody’s unless given.' }),
        despite_findings: z.boolean().default(false).openapi({ description: 'Also where the machine found errors.' }),
      }),
    ),
  },
  responses: { 200: jsonResponse(TrustStatus, 'What it is now.'), ...errorResponses(400, 403, 404, 409, 415) },
})

const untrustOne = createRoute({
  method: 'post',
  path: '/{tool}/untrust',
  operationId: 'untrustTool',
  tags: ['trust'],
  summary: 'Take trust and standing grants back: every version, every principal, at once',
  request: { params: Tool, body: jsonBody(z.strictObject({})) },
  responses: {
    200: jsonResponse(
      z.object({ revoked: z.number().int(), tools: z.array(TrustStatus) }),
      'What every version is now.',
    ),
    ...errorResponses(404, 415),
  },
})

export function trustRoutes({ server, ledger, decidedBy }: RouteContext) {
  const versions = async (name: string): Promise<[TrackedTool, ...TrackedTool[]]> => {
    const own = await trackedTools(ledger, name)
    return trackedVersions(own.length > 0 ? own : await trackedTools(ledger), name)
  }
  const lookedAt = async (name: string, hash: string): Promise<TrackedTool> => {
    const known = await versions(name)
    const seen = known.find(({ definition }) => definition.hash === hash)
    if (seen !== undefined) return seen
    const now = known.map(({ version, definition }) => ({ version, hash: definition.hash }))
    throw conflict(
      `${known[0].tool} is no longer what was looked at. Look at it again, and name the hash it has now.`,
      { now },
    )
  }
  const afterwards = async ({ tool, version }: TrackedTool): Promise<z.infer<typeof TrustStatus>> => {
    const now = (await trackedTools(ledger, tool)).find((one) => one.version === version)
    return trustStatus(now as TrackedTool)
  }
  return new OpenAPIHono()
    .openapi(list, async (c) => c.json({ tools: (await trackedTools(ledger)).map(trustStatus) }, 200))
    .openapi(verifyOne, async (c) => {
      const seen = await lookedAt(c.req.valid('param').tool, c.req.valid('json').hash)
      const findings = findingsOf(seen, server.registry)
      const { keptBecause = null } = await verifyDefinition(ledger, seen, findings, decidedBy, true)
      return c.json({ passed: !hasErrors(findings), stays: keptBecause, findings, status: await afterwards(seen) }, 200)
    })
    .openapi(trustOne, async (c) => {
      const { hash, ask, until, principal, despite_findings } = c.req.valid('json')
      const seen = await lookedAt(c.req.valid('param').tool, hash)
      const findings = findingsOf(seen, server.registry)
      if (hasErrors(findings) && !despite_findings) {
        throw ToolError.of(
          'PermissionError',
          'A machine found errors in it. Have them mended, or say despite_findings.',
          {
            findings: findings.map((finding) => ({ ...finding })),
          },
        )
      }
      const terms: GrantTerms = { until, principal }
      if (ask) {
        if (until !== undefined || principal !== undefined)
          throw ToolError.of('ValidationError', 'ask gives no grant, so until and principal mean nothing with it.')
        // A grant that stayed would let through what is to be asked about.
        await ledger.grants.revoke(seen.tool, decidedBy)
      } else refuseEmpty(seen, terms)
      await trustDefinition(ledger, seen, ask ? 'ask' : terms, decidedBy)
      return c.json(await afterwards(seen), 200)
    })
    .openapi(untrustOne, async (c) => {
      const known = await versions(c.req.valid('param').tool)
      const revoked = await untrustVersions(ledger, known, decidedBy)
      return c.json({ revoked, tools: (await trackedTools(ledger, known[0].tool)).map(trustStatus) }, 200)
    })
}

/** A grant that is over when it is given, or that gives less than one that stands, would change nothing. */
function refuseEmpty(seen: TrackedTool, terms: GrantTerms): void {
  if (terms.until !== undefined && terms.until <= Date.now())
    throw ToolError.of('ValidationError', `until is not in the future: ${terms.until}.`)
  const wider = widerGrant(seen, terms)
  if (wider === undefined) return
  const message = `Grant ${wider.id} lets as much through already. To give less, untrust ${seen.tool} first.`
  throw conflict(message, { grant: wider.id })
}
