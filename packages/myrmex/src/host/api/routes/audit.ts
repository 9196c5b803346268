/** GET /api/audit/verify: whether the audit journal is intact, and the first defect if it is not. */
import { OpenAPIHono, z } from '@hono/zod-openapi'
import { parseHead } from '../../../ledger/journal/query.ts'
import { type VerifyReport, verifyJournal } from '../../../ledger/journal/verify.ts'
import { getOrMake } from '../../../protocol/get-or-make.ts'
import type { RouteContext } from '../route-context.ts'
import { jsonResponse, routesOf } from '../schemas.ts'

const route = routesOf('audit')

const Head = z.object({ chain: z.string(), group: z.number().int(), hash: z.string() })

const AuditVerdict = z
  .object({
    ok: z.boolean(),
    defect: z
      .object({
        kind: z.string(),
        message: z.string(),
        chain: z.string().nullable(),
        segment: z.string().nullable(),
        group: z.number().int().nullable(),
        last_group: z.number().int().nullable(),
      })
      .nullable(),
    heads: z
      .array(Head)
      .describe('Store them elsewhere. Passed as head later, they show whether the journal was rewritten.'),
    chains: z.number().int(),
    segments: z.number().int(),
    groups: z.number().int(),
    records: z.number().int(),
    pruned_records: z.number().int(),
    unsigned_records: z.number().int(),
    keyed: z.boolean().describe('The MACs of all groups were checked.'),
    seals: z.record(z.string(), z.number().int()),
    notices: z.array(z.string()),
  })
  .openapi('AuditVerdict')

const look = route('get', '/verify', 'verifyAudit', {
  summary: 'Check every record, hash and signature of the journal',
  request: {
    query: z.strictObject({
      head: z.string().optional().describe('CHAIN:GROUP:HASH of a head that was stored earlier.'),
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
      const { key, db, journal } = ledger
      const options = { key, ...(head !== '' && { heads: [parseHead(head, 'head')] }) }
      // The latest records are signed a moment later.
      const checked = journal.flush().then(() => verifyJournal({ store: journal.store, db }, options))
      return checked.finally(() => running.delete(head))
    })
    return c.json(verdict, 200)
  })
}
