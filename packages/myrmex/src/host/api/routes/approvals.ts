/** /api/approvals: calls that wait for a human, and the human's word. */
import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi'
import { approvalJson, describedEffect } from '../../../ledger/decisions/approval-view.ts'
import type { Approval as Row } from '../../../ledger/decisions/approvals.ts'
import { ToolError } from '../../../protocol/errors.ts'
import { conflict, notFound } from '../api-error.ts'
import type { RouteContext } from '../route-context.ts'
import { errorResponses, Hash, jsonBody, jsonResponse, limitQuery, Timestamp } from '../schemas.ts'

const STATUSES = ['waiting', 'approved', 'denied', 'used', 'expired'] as const

export const Approval = z
  .object({
    id: z.string(),
    tool: z.string(),
    version: z.string(),
    hash: Hash,
    args: z.unknown().openapi({ description: 'What it would be called with, without secrets.' }),
    args_hash: z.string(),
    principal: z.string(),
    reason: z.string().openapi({ description: 'Why a human is asked.' }),
    status: z.enum(STATUSES),
    requested_at: Timestamp,
    expires_at: Timestamp,
    decided_by: z.string().nullable(),
    decided_at: Timestamp.nullable(),
    note: z.string().nullable(),
    used_by: z.string().nullable(),
    used_at: Timestamp.nullable(),
  })
  .openapi('Approval')

const Shown = Approval.extend({
  does: z.string().nullable().openapi({ description: 'What the tool says of itself. Nobody vouches for it.' }),
}).openapi('ApprovalInFull')

const list = createRoute({
  method: 'get',
  path: '/',
  operationId: 'approvals',
  tags: ['approvals'],
  summary: 'What waits for a human, the newest first',
  request: {
    query: z.strictObject({ status: z.enum([...STATUSES, 'all']).default('waiting'), limit: limitQuery(1000, 100) }),
  },
  responses: { 200: jsonResponse(z.object({ approvals: z.array(Approval) }), 'The requests.'), ...errorResponses(400) },
})

const Id = z.object({ id: z.string().max(200) })

const show = createRoute({
  method: 'get',
  path: '/{id}',
  operationId: 'approval',
  tags: ['approvals'],
  summary: 'One request',
  request: { params: Id },
  responses: { 200: jsonResponse(Shown, 'The request.'), ...errorResponses(404) },
})

const decision = <const Verb extends string>(verb: Verb, summary: string) =>
  createRoute({
    method: 'post',
    path: `/{id}/${verb}`,
    operationId: verb,
    tags: ['approvals'],
    summary,
    request: {
      params: Id,
      body: jsonBody(
        z.strictObject({
          note: z
            .string()
            .max(2000)
            .optional()
            .openapi({ description: 'A word to the caller and to those who look later.' }),
        }),
      ),
    },
    responses: { 200: jsonResponse(Approval, 'The request as it was decided.'), ...errorResponses(400, 404, 409, 415) },
  })

export function approvalRoutes({ ledger, decidedBy }: RouteContext) {
  const find = async (id: string): Promise<Row> => {
    const found = await ledger.approvals.find(id)
    if (found === undefined) throw notFound(`There is no approval ${JSON.stringify(id)}.`)
    return found
  }
  const decide = async (what: 'approve' | 'deny', id: string, note: string | undefined) => {
    await find(id)
    try {
      return approvalJson(await ledger.approvals[what](id, decidedBy, note))
    } catch (thrown) {
      // It is there: what speaks against it is that somebody, or time, was quicker.
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
      return c.json({ ...approvalJson(found), does: (await describedEffect(ledger, found)) ?? null }, 200)
    })
    .openapi(decision('approve', 'Let exactly this call pass, once'), async (c) =>
      c.json(await decide('approve', c.req.valid('param').id, c.req.valid('json').note), 200),
    )
    .openapi(decision('deny', 'Refuse this call'), async (c) =>
      c.json(await decide('deny', c.req.valid('param').id, c.req.valid('json').note), 200),
    )
}
