/**
 * /api/trust: the trust level of every known tool, its changes, and decisions. A decision that allows more must name the hash of the
 * definition that the operator reviewed. If the definition has changed, nothing happens.
 */
import { OpenAPIHono, z } from '@hono/zod-openapi'
import {
  type GrantTerms,
  refuseInOpenMode,
  trustDefinition,
  untrustVersions,
  verifyDefinition,
  widerGrant,
} from '../../../ledger/decisions/decide.ts'
import { HELD_BACK_REASONS, heldBack } from '../../../ledger/decisions/held-back.ts'
import {
  missingDecision,
  type TrackedTool,
  trackedToolJson,
  trackedTools,
  trackedVersions,
} from '../../../ledger/decisions/tracked-tools.ts'
import { ToolError } from '../../../protocol/errors.ts'
import { GRADES, isBlocking } from '../../../tool/verify/finding.ts'
import { conflict } from '../api-error.ts'
import type { RouteContext } from '../route-context.ts'
import { definitionFields, Hash, jsonBody, jsonResponse, routesOf, Timestamp, TrustLevel } from '../schemas.ts'
import { toolFindings } from '../tool-findings.ts'

const route = routesOf('trust')

const SignedBy = z.string().nullable().describe("Id of the operator's key that signed it; null: nobody.")

const Grant = z
  .object({
    id: z.string(),
    ...definitionFields,
    principal: z.string().nullable().describe('null: everybody.'),
    granted_by: z.string(),
    granted_at: Timestamp,
    expires_at: Timestamp.nullable(),
    revoked_by: z.string().nullable(),
    revoked_at: Timestamp.nullable(),
    signed_by: SignedBy,
    in_force: z.boolean().describe('false: it was given for an earlier definition.'),
  })
  .openapi('Grant')

export const MissingDecision = z
  .enum(['trust', 'verify', 'approval'])
  .nullable()
  .describe('What a call still needs: a decision about the tool, or an approval of each call. null: nothing.')

export const HeldBackTool = z
  .object({
    tool: z.string(),
    reason: z.enum(HELD_BACK_REASONS),
    grade: z.enum(['harmless', 'wider', 'different', 'suspicious']).nullable().describe('Of a changed definition.'),
    command: z.string().describe('The command that helps.'),
  })
  .openapi('HeldBackTool')

export const TrustStatus = z
  .object({
    ...definitionFields,
    origin: z.string(),
    destructive: z.boolean(),
    level: TrustLevel,
    needs: MissingDecision,
    first_seen: Timestamp,
    last_seen: Timestamp,
    gone_at: Timestamp.nullable().describe('When its server was first seen to list it no longer; null: it is listed.'),
    decision: z
      .object({ ...definitionFields, level: TrustLevel, set_by: z.string(), set_at: Timestamp, signed_by: SignedBy })
      .nullable(),
    server_version: z
      .string()
      .nullable()
      .describe('As its server reports it; null: the tool has its own, or the server reports none.'),
    held_back: HeldBackTool.nullable().describe(
      'Why it cannot be called; null: it can, or each call waits for approval.',
    ),
    unsigned: z
      .boolean()
      .describe(
        "The decision or a grant does not count, because the ledger is locked and has no signature of the operator's key.",
      ),
    changes: z.array(z.string()).nullable().describe('Differences from the pinned definition; null: none.'),
    grade: z
      .enum(['harmless', 'wider', 'different', 'suspicious'])
      .nullable()
      .describe('What the change means for calls and for models; null: no change.'),
    accepted_at: Timestamp.nullable().describe('When the host accepted the change without a person; null: it did not.'),
    grants: z.array(Grant),
  })
  .openapi('TrustStatus')

export const Findings = z.array(
  z
    .object({
      rule: z.string(),
      grade: z.enum(GRADES).describe('block: despite_findings is needed. warn: to be reviewed. note: for information.'),
      where: z.string().describe('JSON pointer into the definition.'),
      message: z.string(),
      quote: z.string().optional().describe('The words that were found.'),
    })
    .openapi('Finding'),
)

export const trustStatus = (
  { server, ledger }: Pick<RouteContext, 'server' | 'ledger'>,
  seen: TrackedTool,
  known: readonly TrackedTool[],
): z.infer<typeof TrustStatus> => {
  const { changes, ...rest } = trackedToolJson(seen)
  const findings = seen.level === 'untrusted' ? toolFindings(seen, server.registry, known) : []
  return {
    ...rest,
    needs: missingDecision(seen) ?? null,
    held_back: heldBack(seen, findings, ledger.lock.isLocked) ?? null,
    changes: changes && [...changes],
  }
}

const list = route('get', '/', 'trust', {
  summary: 'The trust of every known tool',
  request: {
    query: z.strictObject({
      gone: z
        .stringbool()
        .optional()
        .describe('true: the tools that their servers no longer list, instead of those they list.'),
    }),
  },
  answer: jsonResponse(z.object({ tools: z.array(TrustStatus) }), 'By name, highest version first.'),
  errors: [400],
})

const Tool = z.object({ tool: z.string().max(200) })
const reviewedHash = { hash: Hash.describe('Hash of the reviewed definition.') }

const verifyOne = route('post', '/{tool}/verify', 'verifyTool', {
  summary: 'Check the definition; unless a finding blocks it, the tool becomes verified',
  request: { params: Tool, body: jsonBody(z.strictObject(reviewedHash)) },
  answer: jsonResponse(
    z.object({
      passed: z.boolean(),
      reason: z
        .enum(['findings', 'decided', 'trusted-other', 'refused', 'changed', 'late'])
        .nullable()
        .describe('Why the level did not change; null: the tool is verified now.'),
      findings: Findings,
      status: TrustStatus,
    }),
    'The findings and the new status.',
  ),
  errors: [400, 404, 409, 415],
})

const trustOne = route('post', '/{tool}/trust', 'trustTool', {
  summary: 'Allow calls of a tool that changes state',
  request: {
    params: Tool,
    body: jsonBody(
      z.strictObject({
        ...reviewedHash,
        ask: z.boolean().default(false).describe('Every call waits for approval; grants are revoked.'),
        until: Timestamp.optional().describe('When the grant expires. Default: never.'),
        principal: z.string().min(1).max(500).optional().describe('Whose calls are granted. Default: everybody’s.'),
        despite_findings: z.boolean().default(false).describe('Trust it although a finding blocks it.'),
        open: z
          .boolean()
          .default(false)
          .describe(
            'Trust a tool of an upstream although the ledger is in open mode, where any process of the user can approve.',
          ),
      }),
    ),
  },
  answer: jsonResponse(TrustStatus, 'The new status.'),
  errors: [400, 403, 404, 409, 415],
})

const untrustOne = route('post', '/{tool}/untrust', 'untrustTool', {
  summary: 'Revoke trust and grants of every version, for every principal',
  request: { params: Tool, body: jsonBody(z.strictObject({})) },
  answer: jsonResponse(
    z.object({ revoked: z.number().int(), tools: z.array(TrustStatus) }),
    'The new status of every version.',
  ),
  errors: [404, 415],
})

export function trustRoutes({ server, ledger, decidedBy }: RouteContext) {
  const versions = async (name: string): Promise<[TrackedTool, ...TrackedTool[]]> => {
    const own = await trackedTools(ledger, name)
    return trackedVersions(own.length > 0 ? own : await trackedTools(ledger), name)
  }
  const reviewed = async (name: string, hash: string): Promise<TrackedTool> => {
    const known = await versions(name)
    const seen = known.find(({ definition }) => definition.hash === hash)
    if (seen !== undefined) return seen
    const now = known.map(({ version, definition }) => ({ version, hash: definition.hash }))
    throw conflict(`${known[0].tool} has changed since the named hash. Review it again and send its current hash.`, {
      now,
    })
  }
  const statuses = async (isChosen: (seen: TrackedTool) => boolean): Promise<z.infer<typeof TrustStatus>[]> => {
    const known = await trackedTools(ledger)
    return known.filter(isChosen).map((seen) => trustStatus({ server, ledger }, seen, known))
  }
  const newStatus = async ({ tool, version }: TrackedTool): Promise<z.infer<typeof TrustStatus>> => {
    const [now] = await statuses((one) => one.tool === tool && one.version === version)
    return now as z.infer<typeof TrustStatus>
  }
  return new OpenAPIHono()
    .openapi(list, async (c) => {
      const { gone = false } = c.req.valid('query')
      return c.json({ tools: await statuses(({ goneAt }) => (goneAt !== undefined) === gone) }, 200)
    })
    .openapi(verifyOne, async (c) => {
      const seen = await reviewed(c.req.valid('param').tool, c.req.valid('json').hash)
      const findings = toolFindings(seen, server.registry, await trackedTools(ledger))
      const { keptBecause = null } = await verifyDefinition(ledger, seen, findings, decidedBy(c.req.raw), true)
      return c.json(
        { passed: !isBlocking(findings), reason: keptBecause, findings: [...findings], status: await newStatus(seen) },
        200,
      )
    })
    .openapi(trustOne, async (c) => {
      const { hash, ask, until, principal, despite_findings, open } = c.req.valid('json')
      const by = decidedBy(c.req.raw)
      const seen = await reviewed(c.req.valid('param').tool, hash)
      const findings = toolFindings(seen, server.registry, await trackedTools(ledger))
      if (isBlocking(findings) && !despite_findings) {
        throw ToolError.of('PermissionError', 'A finding blocks this tool. Have it fixed, or set despite_findings.', {
          findings: findings.map((finding) => ({ ...finding })),
        })
      }
      if (!open) refuseInOpenMode(ledger, seen, 'set open')
      const terms: GrantTerms = { until, principal }
      if (ask) {
        if (until !== undefined || principal !== undefined)
          throw ToolError.of('ValidationError', 'ask creates no grant, so until and principal are not allowed with it.')
        // A remaining grant would let calls pass without approval.
        await ledger.grants.revoke(seen.tool, by)
      } else assertUsefulGrant(seen, terms)
      await trustDefinition(ledger, seen, ask ? 'ask' : terms, by)
      return c.json(await newStatus(seen), 200)
    })
    .openapi(untrustOne, async (c) => {
      const known = await versions(c.req.valid('param').tool)
      const revoked = await untrustVersions(ledger, known, decidedBy(c.req.raw))
      return c.json({ revoked, tools: await statuses(({ tool }) => tool === known[0].tool) }, 200)
    })
}

/** Rejects a grant that is already expired, or that allows less than an existing one. */
function assertUsefulGrant(seen: TrackedTool, terms: GrantTerms): void {
  if (terms.until !== undefined && terms.until <= Date.now())
    throw ToolError.of('ValidationError', `until is not in the future: ${terms.until}.`)
  const wider = widerGrant(seen, terms)
  if (wider === undefined) return
  const message = `Grant ${wider.id} already allows as much. To allow less, untrust ${seen.tool} first.`
  throw conflict(message, { grant: wider.id })
}
