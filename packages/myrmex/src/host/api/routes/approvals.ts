/** /api/approvals: calls that wait for a person's decision. */
import { OpenAPIHono, z } from '@hono/zod-openapi'
import type { Context, Env } from 'hono'
import { approvalJson, describedEffect } from '../../../ledger/decisions/approval-view.ts'
import type { Approval as Row } from '../../../ledger/decisions/approvals.ts'
import { ToolError } from '../../../protocol/errors.ts'
import { conflict, notFound } from '../api-error.ts'
import type { RouteContext } from '../route-context.ts'
import { definitionFields, jsonBody, jsonResponse, limitQuery, routesOf, Timestamp } from '../schemas.ts'

const route = routesOf('approvals')

const STATUSES = ['waiting', 'approved', 'denied', 'used', 'expired'] as const

export const Approval = z
  .object({
    id: z.string(),
    ...definitionFields,
    args: z.unknown().describe('The arguments of the call, without secrets.'),
    args_hash: z.string(),
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
  note: z.string().max(2000).optional().describe('A note for the caller and the record.'),
  hash: z.string().max(200).optional().describe('Hash of the definition that you have seen.'),
  args_hash: z.string().max(200).optional().describe('Hash of the arguments that you have seen. If it differs: 409.'),
  principal: z.string().max(500).optional().describe('Whose call you have seen.'),
})
type DecisionContext = Context<Env, string, { out: { param: z.infer<typeof Id>; json: z.infer<typeof Decision> } }>

const decision = <const Verb extends string>(verb: Verb, summary: string) =>
  route('post', `/{id}/${verb}`, verb, {
    summary,
    request: { params: Id, body: jsonBody(Decision) },
    answer: jsonResponse(Approval, 'The decided approval.'),
    errors: [400, 404, 409, 415],
  })

export function approvalRoutes({ ledger, decidedBy }: RouteContext) {
  const find = async (id: string): Promise<Row> => {
    const found = await ledger.approvals.find(id)
    if (found === undefined) throw notFound(`Unknown approval ${JSON.stringify(id)}.`)
    return found
  }
  const decide = (what: 'approve' | 'deny') => async (c: DecisionContext) => {
    const { id } = c.req.valid('param')
    const { note, ...shown } = c.req.valid('json')
    await find(id)
    try {
      return c.json(approvalJson(await ledger.approvals[what](id, decidedBy(c.req.raw), note, shown)), 200)
    } catch (thrown) {
      // The approval exists, so it was already decided, has expired or is not the one that was shown.
      if (thrown instanceof ToolError && thrown.error_type === 'ValidationError') throw conflict(thrown.message)
      throw thrown
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
    .openapi(decision('approve', 'Allow exactly this call, once'), decide('approve'))
    .openapi(decision('deny', 'Deny this call'), decide('deny'))
}
