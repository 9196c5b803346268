/** /api/approvals: calls that wait for a person's decision. */
import { OpenAPIHono, z } from '@hono/zod-openapi'
import type { Context, Env } from 'hono'
import { approvalJson, describedEffect } from '../../../ledger/decisions/approval-view.ts'
import type { Approval as Row } from '../../../ledger/decisions/approvals.ts'
import { approveCall, refuseGrant } from '../../../ledger/decisions/approve-call.ts'
import { editArguments } from '../../../ledger/decisions/edited-arguments.ts'
import { ToolError } from '../../../protocol/errors.ts'
import { judgeEdited } from '../../../server/judge-edited.ts'
import { conflict, notFound } from '../api-error.ts'
import type { RouteContext } from '../route-context.ts'
import { definitionFields, jsonBody, jsonResponse, limitQuery, routesOf, Timestamp } from '../schemas.ts'

const route = routesOf('approvals')

const STATUSES = ['waiting', 'approved', 'denied', 'used', 'expired'] as const

export const Approval = z
  .object({
    id: z.string(),
    ...definitionFields,
    server_version: z
      .string()
      .nullable()
      .describe('The version that the server of the tool gives itself; null: the tool has one of its own.'),
    args: z.unknown().describe('The arguments of the call, without secrets.'),
    args_hash: z.string(),
    editable: z.boolean().describe('Whether the arguments can be changed when it is approved.'),
    edited_args: z
      .unknown()
      .describe('The arguments as the operator changed them, without secrets; null: they run as they were sent.'),
    principal: z.string(),
    client: z
      .object({ name: z.string().nullable(), version: z.string().nullable(), session: z.string().nullable() })
      .nullable()
      .describe(
        'What the client that asked says that it is. Nobody has checked it, except that the session is one of its own.',
      ),
    reason: z.string().describe('Why approval is required.'),
    status: z.enum(STATUSES),
    requested_at: Timestamp,
    expires_at: Timestamp,
    decided_by: z.string().nullable(),
    decided_at: Timestamp.nullable(),
    note: z.string().nullable(),
    used_by: z.string().nullable(),
    used_at: Timestamp.nullable(),
    signed_by: z.string().nullable().describe("Id of the operator's key that signed the approval; null: nobody."),
  })
  .openapi('Approval')

const ApprovalDetail = Approval.extend({
  tool_description: z.string().nullable().describe("The tool's own description, which is not trusted."),
}).openapi('ApprovalDetail')

const list = route('get', '/', 'approvals', {
  summary: 'Approvals, newest first',
  request: {
    query: z.strictObject({ status: z.enum([...STATUSES, 'all']).default('waiting'), limit: limitQuery(1000, 100) }),
  },
  answer: jsonResponse(z.object({ approvals: z.array(Approval) }), 'The approvals.'),
  errors: [400],
})

const Id = z.object({ id: z.string().max(200) })

const show = route('get', '/{id}', 'approval', {
  summary: 'One approval',
  request: { params: Id },
  answer: jsonResponse(ApprovalDetail, 'The approval.'),
  errors: [404],
})

const Decision = z.strictObject({
  note: z
    .string()
    .max(2000)
    .optional()
    .describe('A note for the record. The caller reads it if the call is denied, or approved with changed arguments.'),
  hash: z.string().max(200).optional().describe('Hash of the definition that you have seen.'),
  args_hash: z.string().max(200).optional().describe('Hash of the arguments that you have seen. If it differs: 409.'),
  principal: z.string().max(500).optional().describe('Whose call you have seen.'),
})
const Approve = Decision.extend({
  arguments: z
    .record(z.string(), z.unknown())
    .optional()
    .describe(
      'Changed arguments, all of them, which run once in the place of those that were sent. Leave "[secret]" where a secret stays as the caller sent it.',
    ),
  grant: z
    .strictObject({
      until: Timestamp.optional().describe('When the grant expires. Default: never.'),
      principal: z
        .string()
        .min(1)
        .max(500)
        .nullable()
        .optional()
        .describe('Whose calls are granted; null: everybody’s. Default: those of the caller of this call.'),
      open: z
        .boolean()
        .default(false)
        .describe('Grant calls of an upstream’s tool although the ledger is in open mode.'),
    })
    .optional()
    .describe('Also gives the tool a standing grant, in the same decision: its later calls need no approval.'),
})
type DecisionContext<Body extends z.ZodType> = Context<
  Env,
  string,
  { out: { param: z.infer<typeof Id>; json: z.infer<Body> } }
>

const decision = <const Verb extends string, Body extends z.ZodType>(verb: Verb, body: Body, summary: string) =>
  route('post', `/{id}/${verb}`, verb, {
    summary,
    request: { params: Id, body: jsonBody(body) },
    answer: jsonResponse(Approval, 'The decided approval.'),
    errors: [400, 403, 404, 409, 415],
  })

export function approvalRoutes({ server, ledger, decidedBy }: RouteContext) {
  const find = async (id: string): Promise<Row> => {
    const found = await ledger.approvals.find(id)
    if (found === undefined) throw notFound(`Unknown approval ${JSON.stringify(id)}.`)
    return found
  }
  const approve = async (c: DecisionContext<typeof Approve>) => {
    const { id } = c.req.valid('param')
    const { note, arguments: changed, grant, ...shown } = c.req.valid('json')
    const found = await find(id)
    const isOpen = found.status === 'waiting'
    const edit = isOpen && changed !== undefined ? await editArguments(ledger, found, changed) : undefined
    if (edit !== undefined) await judgeEdited(server, found, edit)
    const terms = grant && {
      ...{ until: grant.until, open: grant.open, how: 'set open in grant' },
      principal: grant.principal === undefined ? found.principal : (grant.principal ?? undefined),
    }
    if (isOpen && terms !== undefined) await refuseGrant(ledger, found, terms)
    const all = { note, edit, grant: terms, shown: { args: found.args, ...shown } }
    return decided(() => approveCall(ledger, found, decidedBy(c.req.raw), all), id)
  }
  const deny = async (c: DecisionContext<typeof Decision>) => {
    const { id } = c.req.valid('param')
    const { note, ...shown } = c.req.valid('json')
    await find(id)
    return decided(() => ledger.approvals.deny(id, decidedBy(c.req.raw), note, shown), id)
  }
  /** The approval exists, so if it cannot be decided it was decided already, has expired or is not the one that was shown. */
  const decided = async (work: () => Promise<Row>, id: string): Promise<ReturnType<typeof approvalJson>> => {
    const before = await find(id)
    try {
      return approvalJson(await work())
    } catch (thrown) {
      if (!(thrown instanceof ToolError) || thrown.error_type !== 'ValidationError') throw thrown
      const { status, decided_by, decided_at } = (await ledger.approvals.find(id)) ?? before
      throw conflict(thrown.message, { approval: id, status, decided_by, decided_at })
    }
  }
  return new OpenAPIHono()
    .openapi(list, async (c) => {
      const { status, limit } = c.req.valid('query')
      const found = await ledger.approvals.list(status === 'all' ? undefined : status, limit)
      return c.json({ approvals: found.map(approvalJson) }, 200)
    })
    .openapi(show, async (c) => {
      const found = await find(c.req.valid('param').id)
      return c.json({ ...approvalJson(found), tool_description: (await describedEffect(ledger, found)) ?? null }, 200)
    })
    .openapi(decision('approve', Approve, 'Allow exactly this call, once'), async (c) => c.json(await approve(c), 200))
    .openapi(decision('deny', Decision, 'Deny this call'), async (c) => c.json(await deny(c), 200))
}
