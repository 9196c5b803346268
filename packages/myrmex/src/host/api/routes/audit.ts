/** GET /api/audit/verify: whether the audit journal is intact, and the first defect if it is not. */
import { OpenAPIHono, z } from '@hono/zod-openapi'
import { parseExpectedHead } from '../../../ledger/audit/query.ts'
import { type VerifyReport, verifyJournal } from '../../../ledger/audit/verify.ts'
import { getOrMake } from '../../../protocol/get-or-make.ts'
import type { RouteContext } from '../route-context.ts'
import { jsonResponse, routesOf } from '../schemas.ts'

const route = routesOf('audit')

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
    head: Head.describe('Store it elsewhere. Passed as head later, it shows whether the journal was rewritten.'),
    signed: Head,
    groups: z.number().int(),
    lines: z.number().int(),
    pruned_lines: z.number().int(),
    unsigned_lines: z.number().int(),
    seals: z.record(z.string(), z.number().int()),
    notices: z.array(z.string()),
  })
  .openapi('AuditVerdict')

const look = route('get', '/verify', 'verifyAudit', {
  summary: 'Check every record, hash and signature of the journal',
  request: {
    query: z.strictObject({
      head: z.string().optional().describe('SEQ:HASH of a head that was stored earlier.'),
    }),
  },
  answer: jsonResponse(AuditVerdict, 'The result of the check.'),
  errors: [400],
})

export function auditRoutes({ ledger }: RouteContext) {
  /** A check reads the whole journal, so concurrent requests share one. */
  const running = new Map<string, Promise<VerifyReport>>()
  return new OpenAPIHono().openapi(look, async (c) => {
    const { head = '' } = c.req.valid('query')
    const verdict = await getOrMake(running, head, () => {
      const options = head === '' ? {} : { head: parseExpectedHead(head, 'head') }
      // The latest records are signed a moment later.
      const checked = ledger.audit.flush().then(() => verifyJournal(ledger.db, options))
      return checked.finally(() => running.delete(head))
    })
    return c.json(verdict, 200)
  })
}
