/** GET /api/audit/verify: whether the record is whole, what is wrong first if not. */
import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi'
import { parseExpectedHead } from '../../../ledger/audit/query.ts'
import { type VerifyReport, verifyJournal } from '../../../ledger/audit/verify.ts'
import type { RouteContext } from '../route-context.ts'
import { errorResponses, jsonResponse } from '../schemas.ts'

const Head = z.object({ seq: z.number().int(), hash: z.string(), line: z.number().int() })

const AuditVerdict = z
  .object({
    ok: z.boolean(),
    defect: z
      .object({
        kind: z.string(),
        message: z.string(),
        first_seq: z.number().int(),
        last_seq: z.number().int(),
        first_line: z.number().int().nullable(),
        last_line: z.number().int().nullable(),
      })
      .nullable(),
    head: Head.openapi({
      description: 'Note it elsewhere: given later as head, it shows whether the record was rewritten.',
    }),
    signed: Head,
    groups: z.number().int(),
    lines: z.number().int(),
    pruned_lines: z.number().int(),
    unsigned_lines: z.number().int(),
    seals: z.record(z.string(), z.number().int()),
    notices: z.array(z.string()),
  })
  .openapi('AuditVerdict')

const look = createRoute({
  method: 'get',
  path: '/verify',
  operationId: 'verifyAudit',
  tags: ['audit'],
  summary: 'Check every line, hash and signature of the record',
  request: {
    query: z.strictObject({
      head: z.string().optional().openapi({ description: 'SEQ:HASH of a head that was noted earlier.' }),
    }),
  },
  responses: { 200: jsonResponse(AuditVerdict, 'What was found.'), ...errorResponses(400) },
})

export function auditRoutes({ ledger }: RouteContext) {
  /** It reads everything: those who ask the same at the same time get the same answer. */
  const running = new Map<string, Promise<VerifyReport>>()
  return new OpenAPIHono().openapi(look, async (c) => {
    const { head = '' } = c.req.valid('query')
    let verdict = running.get(head)
    if (verdict === undefined) {
      const options = head === '' ? {} : { head: parseExpectedHead(head, 'head') }
      // What was recorded a moment ago is signed a moment later.
      verdict = ledger.audit
        .flush()
        .then(() => verifyJournal(ledger.db, options))
        .finally(() => running.delete(head))
      running.set(head, verdict)
    }
    const { notices, ...rest } = await verdict
    return c.json({ ...rest, notices: [...notices] }, 200)
  })
}
