/**
 * /api/trust/preview and /api/trust/decide: decisions about many tools. The preview says what a decision would do, with the hash of every
 * definition. The decision names these hashes. If any definition is another one by then, or somebody else has decided, nothing happens.
 */
import { OpenAPIHono, z } from '@hono/zod-openapi'
import { assertAsShown, decideBulk, untrustBulk } from '../../../ledger/decisions/bulk/bulk-decide.ts'
import { BULK_KINDS, LEFT_OUT_REASONS, planBulk } from '../../../ledger/decisions/bulk/bulk-plan.ts'
import { planJson } from '../../../ledger/decisions/bulk/plan-json.ts'
import { selectTools } from '../../../ledger/decisions/bulk/selection.ts'
import { type TrackedTool, trackedTools } from '../../../ledger/decisions/tracked-tools.ts'
import { ToolError } from '../../../protocol/errors.ts'
import { plural } from '../../../protocol/text.ts'
import { conflict } from '../api-error.ts'
import type { RouteContext } from '../route-context.ts'
import { definitionFields, Hash, jsonBody, jsonResponse, routesOf, Timestamp } from '../schemas.ts'
import { Findings } from './trust.ts'

const route = routesOf('trust')

/** The body of a request has at most 64 KiB. */
const MAX_DECISIONS = 500

const termFields = {
  ask: z
    .boolean()
    .default(false)
    .describe('Every call of a tool that changes state waits for approval; grants are revoked.'),
  until: Timestamp.optional().describe('When the grants expire. Default: never.'),
  principal: z.string().min(1).max(500).optional().describe('Whose calls are granted. Default: everybody’s.'),
  despite_findings: z.boolean().default(false).describe('Also tools that a finding blocks, and suspicious changes.'),
  open: z
    .boolean()
    .default(false)
    .describe('Also tools of upstreams that change state, although the ledger is in open mode.'),
}

const Selection = z.strictObject({
  names: z
    .array(z.string().min(1).max(2000))
    .max(MAX_DECISIONS)
    .default([])
    .describe('Tools, servers, and patterns with *. Empty: every tool.'),
  read_only_tools: z.boolean().default(false).describe('Only tools that change nothing.'),
  to: z.enum(['trust', 'verify']).default('trust').describe('verify: leaves out tools that change state.'),
  ...termFields,
})

const Shown = {
  server: z.string(),
  ...definitionFields,
  server_version: z
    .string()
    .nullable()
    .describe('null: the tool has a version of its own, or its server reports none.'),
  destructive: z.boolean(),
}

const BulkItem = z
  .object({
    ...Shown,
    kind: z
      .enum(BULK_KINDS)
      .describe(
        'Why it waits: the grade of a changed definition, a tool that is new or not reviewed, or an earlier decision.',
      ),
    level: z.enum(['verified', 'trusted']).describe('What it gets.'),
    grant: z.boolean().describe('Its calls pass without approval.'),
    changes: z.array(z.string()),
    findings: Findings,
  })
  .openapi('BulkTrustItem')

const BulkLeftOut = z
  .object({
    ...Shown,
    reason: z.enum(LEFT_OUT_REASONS),
    why: z.string(),
    command: z.string().describe('Decides about this tool alone.'),
  })
  .openapi('BulkTrustLeftOut')

const BulkPlan = z
  .object({
    servers: z.array(
      z.object({
        server: z.string(),
        new: z.boolean().describe('Nothing of this server has been decided about before.'),
        tools: z.array(BulkItem),
        left_out: z.array(BulkLeftOut),
      }),
    ),
    tools: z.number().int(),
    left_out: z.number().int(),
    settled: z.number().int().describe('May already do what is asked for.'),
  })
  .openapi('BulkTrustPlan')

const preview = route('post', '/preview', 'previewTrust', {
  summary: 'What a decision about many tools would do. Nothing is decided',
  request: { body: jsonBody(Selection) },
  answer: jsonResponse(BulkPlan, 'The tools by server, and those that are left out.'),
  errors: [400, 404, 415],
})

const Decision = z.strictObject({
  tool: z.string().max(2000),
  version: z.string().max(256),
  hash: Hash.describe('Of the definition that the operator saw.'),
  level: z
    .enum(['untrusted', 'verified', 'trusted'])
    .describe('A tool that changes state needs trusted; another gets verified with either.'),
})

const decide = route('post', '/decide', 'decideTrust', {
  summary: 'Decide about exactly these definitions: all of them or none',
  request: {
    body: jsonBody(z.strictObject({ decisions: z.array(Decision).min(1).max(MAX_DECISIONS), ...termFields })),
  },
  answer: jsonResponse(
    z.object({
      decided: z.number().int(),
      grants: z.number().int().describe('Standing grants that were given.'),
      revoked: z.number().int().describe('Grants that were revoked.'),
      missed: z.array(z.string()).describe('Tools about which somebody else decided in the same moment.'),
    }),
    'What was decided.',
  ),
  errors: [400, 403, 404, 409, 415],
})

type Terms = Pick<z.output<typeof Selection>, 'ask' | 'until' | 'principal' | 'despite_findings' | 'open'>

const termsOf = ({ ask, until, principal, despite_findings, open }: Terms) => {
  if (ask && (until !== undefined || principal !== undefined))
    throw ToolError.of('ValidationError', 'ask creates no grant, so until and principal are not allowed with it.')
  if (until !== undefined && until <= Date.now())
    throw ToolError.of('ValidationError', `until is not in the future: ${until}.`)
  return { ask, grant: { until, principal }, despiteFindings: despite_findings, open, isSeen: true }
}

export const bulkTrustRoutes = ({ ledger, decidedBy }: RouteContext) =>
  new OpenAPIHono()
    .openapi(preview, async (c) => {
      const { names, read_only_tools: readOnly, to, ...terms } = c.req.valid('json')
      const known = await trackedTools(ledger)
      const chosen = selectTools(known, { names, readOnly })
      return c.json(planJson(planBulk(ledger, chosen, known, { ...termsOf(terms), to, isNamed: false })), 200)
    })
    .openapi(decide, async (c) => {
      const { decisions, ...terms } = c.req.valid('json')
      const { ask, grant, ...rest } = termsOf(terms)
      const by = decidedBy(c.req.raw)
      const known = await trackedTools(ledger)
      const [lower, verify, trust] = (['untrusted', 'verified', 'trusted'] as const).map((level) =>
        seenAs(
          known,
          decisions.filter((one) => one.level === level),
        ),
      ) as [TrackedTool[], TrackedTool[], TrackedTool[]]
      const plans = [
        planBulk(ledger, verify, known, { ...rest, ask, grant, to: 'verify', isNamed: true }),
        planBulk(ledger, trust, known, { ...rest, ask, grant, to: 'trust', isNamed: true }),
      ]
      const leftOut = plans.flatMap((plan) => plan.leftOut)
      if (leftOut.length > 0)
        throw ToolError.of(
          'PermissionError',
          `${plural(leftOut.length, 'tool')} cannot be decided about like this, so nothing was decided. error_details has the reasons.`,
          { left_out: leftOut.map(({ seen, reason, why }) => ({ tool: seen.tool, reason, why })) },
        )
      await assertAsShown(ledger, lower).catch(asConflict)
      const raised = await decideBulk(
        ledger,
        plans.flatMap((plan) => plan.items),
        { ask, grant },
        by,
      ).catch(asConflict)
      const lowered = lower.length === 0 ? { decided: 0, revoked: 0, missed: [] } : await untrustBulk(ledger, lower, by)
      return c.json(
        {
          decided: raised.decided + lowered.decided,
          grants: raised.grants,
          revoked: raised.revoked + lowered.revoked,
          missed: [...raised.missed, ...lowered.missed],
        },
        200,
      )
    })

/** Throws 409 for definitions that are not the current ones, and 404 for unknown tools. */
function seenAs(known: readonly TrackedTool[], decisions: readonly z.output<typeof Decision>[]): TrackedTool[] {
  const stale: { tool: string; version: string; hash: string }[] = []
  const found = decisions.flatMap(({ tool, version, hash }) => {
    const seen = known.find((one) => one.tool === tool && one.version === version)
    if (seen === undefined) throw ToolError.of('ToolNotFoundError', `Unknown tool ${JSON.stringify(tool)} ${version}.`)
    if (seen.definition.hash === hash) return [seen]
    stale.push({ tool, version, hash: seen.definition.hash })
    return []
  })
  if (stale.length === 0) return found
  throw conflict(
    `${plural(stale.length, 'definition')} changed since you saw ${stale.length === 1 ? 'it' : 'them'}. Nothing was decided. Review again.`,
    { now: stale },
  )
}

function asConflict(thrown: unknown): never {
  if (thrown instanceof ToolError && thrown.error_type === 'ConflictError') throw conflict(thrown.message)
  throw thrown
}
