/** /api/calls: what was called, by whom, and how it ended: the lines of the audit, without the secrets of any. */
import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi'
import { type AuditRecord, OUTCOMES } from '../../../ledger/audit/call-record.ts'
import { auditFilter } from '../../../ledger/audit/query.ts'
import { searchAudit } from '../../../ledger/audit/search.ts'
import { ToolError } from '../../../protocol/errors.ts'
import { notFound } from '../api-error.ts'
import type { RouteContext } from '../route-context.ts'
import { errorResponses, jsonResponse, limitQuery, Timestamp } from '../schemas.ts'

const text = (description: string) => z.string().min(1).max(500).optional().openapi({ description })
const MOMENT = 'a date, a date and time, or how long ago: 2026-03-31, 2026-03-31T14:00, 2h, 3d'

/** What stands in every line, and is short. */
export const CallSummary = z
  .object({
    line: z.number().int().openapi({ description: 'Its number in the audit.' }),
    call_id: z.string(),
    time: Timestamp,
    principal: z.string(),
    transport: z.string(),
    tool: z.string(),
    version: z.string().nullable(),
    outcome: z.enum(OUTCOMES),
    error_type: z.string().nullable(),
    duration_ms: z.number(),
    run: z.string().nullable(),
    step: z.string().nullable(),
    approval: z.string().nullable(),
    repeat_of: z.string().nullable(),
  })
  .openapi('CallLine')

const CallInFull = CallSummary.extend({
  args: z.unknown(),
  args_hash: z.string().nullable(),
  data: z.unknown(),
  error: z.object({ error_type: z.string(), error_message: z.string(), error_details: z.unknown() }).nullable(),
}).openapi('CallInFull')

const list = createRoute({
  method: 'get',
  path: '/',
  operationId: 'calls',
  tags: ['calls'],
  summary: 'Calls, the newest first; all that is given must hold',
  request: {
    query: z.strictObject({
      tool: text('name of the tool; shop.* finds all of a module'),
      since: text(MOMENT),
      until: text('the same; a date is included to its end'),
      principal: text('who called'),
      outcome: z.enum(OUTCOMES).optional(),
      error: text('error_type, such as SchemaError'),
      run: text('the run it was part of'),
      approval: text('the approval or grant that let it through'),
      limit: limitQuery(500, 50),
      cursor: text('next of the page before'),
    }),
  },
  responses: {
    200: jsonResponse(
      z.object({
        calls: z.array(CallSummary),
        next: z.string().nullable().openapi({ description: 'Give it as cursor; null: there are no more.' }),
      }),
      'A page of calls.',
    ),
    ...errorResponses(400),
  },
})

const show = createRoute({
  method: 'get',
  path: '/{id}',
  operationId: 'call',
  tags: ['calls'],
  summary: 'One call with its arguments and what came of it',
  request: { params: z.object({ id: z.string().max(200) }) },
  responses: { 200: jsonResponse(CallInFull, 'The call.'), ...errorResponses(404) },
})

export const callSummary = (line: AuditRecord): z.infer<typeof CallSummary> => ({
  line: line.line,
  call_id: line.call_id,
  time: line.time,
  principal: line.principal,
  transport: line.transport,
  tool: line.tool,
  version: line.version ?? null,
  outcome: line.outcome,
  error_type: line.error_type ?? null,
  duration_ms: line.duration_ms,
  run: line.run ?? null,
  step: line.step ?? null,
  approval: line.approval ?? null,
  repeat_of: line.repeat_of ?? null,
})

const fullLine = (line: AuditRecord): z.infer<typeof CallInFull> => ({
  ...callSummary(line),
  args: line.args ?? null,
  args_hash: line.args_hash ?? null,
  data: line.data ?? null,
  error: line.error === undefined ? null : { ...line.error, error_details: line.error.error_details ?? null },
})

export const callRoutes = ({ ledger: { db } }: RouteContext) =>
  new OpenAPIHono()
    .openapi(list, async (c) => {
      const { limit, cursor, ...wanted } = c.req.valid('query')
      const past = cursor === undefined ? {} : { past: lineOf(cursor) }
      // One more than is shown tells whether there are more.
      const found = await Array.fromAsync(searchAudit(db, { ...auditFilter(wanted), ...past, limit: limit + 1 }))
      const calls = found.slice(0, limit).map(callSummary)
      const last = calls.at(-1)
      return c.json({ calls, next: found.length > limit && last !== undefined ? String(last.line) : null }, 200)
    })
    .openapi(show, async (c) => {
      const { id } = c.req.valid('param')
      for await (const line of searchAudit(db, { call_id: id, limit: 1 })) return c.json(fullLine(line), 200)
      throw notFound(`No call ${JSON.stringify(id)} is on record.`)
    })

function lineOf(cursor: string): number {
  const line = Number(cursor)
  if (Number.isSafeInteger(line) && line > 0) return line
  throw ToolError.of('ValidationError', `cursor wants what next of a page was, not ${JSON.stringify(cursor)}.`)
}
