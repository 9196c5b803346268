/** /api/runs: runs, and the budget that they ask for. */
import { OpenAPIHono, z } from '@hono/zod-openapi'
import { approveCall } from '../../../ledger/decisions/approve-call.ts'
import {
  BUDGET_LIMITS,
  type BudgetRequest,
  waitingBudgetRequests,
  withRaise,
} from '../../../ledger/decisions/budget-requests.ts'
import { editArguments } from '../../../ledger/decisions/edited-arguments.ts'
import type { RunRow } from '../../../ledger/runs.ts'
import { ToolError } from '../../../protocol/errors.ts'
import { conflict, notFound } from '../api-error.ts'
import type { RouteContext } from '../route-context.ts'
import { jsonBody, jsonResponse, limitQuery, routesOf, Timestamp } from '../schemas.ts'

const route = routesOf('runs')

const STATUSES = ['running', 'waiting', 'succeeded', 'failed', 'cancelled', 'refused'] as const

const Run = z
  .object({
    id: z.string(),
    goal: z.string(),
    principal: z.string(),
    status: z.enum(STATUSES),
    spent: z.number().describe('Money that is reserved or spent.'),
    created_at: Timestamp,
    updated_at: Timestamp,
    ended_at: Timestamp.nullable(),
    asks_for: z
      .object({
        approval: z.string(),
        what: z.enum(BUDGET_LIMITS),
        limit: z.number(),
        spent: z.number(),
        raise: z.number().describe('How much more it asks for.'),
        step: z.string().nullable(),
      })
      .nullable()
      .describe('The budget that it lacks; null: it asks for none.'),
  })
  .openapi('Run')

const list = route('get', '/', 'runs', {
  summary: 'Runs, newest first',
  request: {
    query: z.strictObject({
      open: z.enum(['true', 'false']).default('false').describe('Only those that have not ended.'),
      limit: limitQuery(1000, 100),
    }),
  },
  answer: jsonResponse(z.object({ runs: z.array(Run) }), 'The runs.'),
  errors: [400],
})

const budget = route('post', '/{id}/budget', 'raiseBudget', {
  summary: 'Give a run more of the budget that it asks for, or refuse it',
  request: {
    params: z.object({ id: z.string().max(200) }),
    body: jsonBody(
      z.strictObject({
        raise: z
          .number()
          .positive()
          .optional()
          .describe('How much more; default: what it asks for. Times are in milliseconds.'),
        refuse: z.boolean().default(false).describe('The run ends, and undoes what it can.'),
        note: z.string().max(2000).optional(),
      }),
    ),
  },
  answer: jsonResponse(Run, 'The run. It goes on in the process that works on it, or with runs resume.'),
  errors: [400, 403, 404, 409, 415],
})

const view = (row: RunRow, request: BudgetRequest | undefined): z.infer<typeof Run> => {
  const { id, goal, principal, status, spent, created_at, updated_at, ended_at } = row
  const asks_for =
    request === undefined
      ? null
      : {
          approval: request.approval.id,
          ...{
            what: request.what,
            limit: request.limit,
            spent: request.spent,
            raise: request.raise,
            step: request.step,
          },
        }
  return { id, goal, principal, status, spent, created_at, updated_at, ended_at, asks_for }
}

export function runRoutes({ ledger, decidedBy }: RouteContext) {
  const { runs, approvals } = ledger
  return new OpenAPIHono()
    .openapi(list, async (c) => {
      const { open, limit } = c.req.valid('query')
      const requests = await waitingBudgetRequests(approvals)
      const found = await runs.list({ open: open === 'true', limit })
      return c.json({ runs: found.map((row) => view(row, requests.get(row.id))) }, 200)
    })
    .openapi(budget, async (c) => {
      const { id } = c.req.valid('param')
      const { raise, refuse, note } = c.req.valid('json')
      if (refuse && raise !== undefined) throw ToolError.of('ValidationError', 'Send raise or refuse, not both.')
      if ((await runs.find(id)) === undefined) throw notFound(`Unknown run ${JSON.stringify(id)}.`)
      const request = (await waitingBudgetRequests(approvals)).get(id)
      if (request === undefined) throw conflict(`Run ${id} does not ask for more budget.`)
      const { approval } = request
      const by = decidedBy(c.req.raw)
      const edit = raise === undefined ? undefined : await editArguments(ledger, approval, withRaise(request, raise))
      try {
        if (refuse) await approvals.deny(approval.id, by, note, approval)
        else await approveCall(ledger, approval, by, { note, shown: approval, edit })
      } catch (thrown) {
        if (!(thrown instanceof ToolError) || thrown.error_type !== 'ValidationError') throw thrown
        throw conflict(thrown.message)
      }
      return c.json(view((await runs.find(id)) as RunRow, undefined), 200)
    })
}
