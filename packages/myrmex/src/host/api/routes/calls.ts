/** /api/calls: who called what, and the result: audit records without secrets. */
import { OpenAPIHono, z } from '@hono/zod-openapi'
import { type AuditRecord, OUTCOMES } from '../../../ledger/audit/call-record.ts'
import { auditFilter } from '../../../ledger/journal/query.ts'
import { cursorAfter, isCursor } from '../../../ledger/journal/record-index.ts'
import { ToolError } from '../../../protocol/errors.ts'
import { notFound } from '../api-error.ts'
import type { RouteContext } from '../route-context.ts'
import { jsonResponse, limitQuery, routesOf, Timestamp } from '../schemas.ts'

const route = routesOf('calls')

const filterText = (description: string) => z.string().min(1).max(500).optional().openapi({ description })
const MOMENT = 'A date, a date and time, or an age: 2026-03-31, 2026-03-31T14:00, 2h, 3d.'

export const CallSummary = z
  .object({
    record: z.string().describe('Its location in the journal: chain, group, place.'),
    call_id: z.string(),
    time: Timestamp,
    principal: z.string(),
    profile: z.string().nullable().describe('The tool set that the caller was limited to.'),
    transport: z.string(),
    client: z.string().nullable().describe('The name that the client gives itself. Nobody has checked it.'),
    client_version: z.string().nullable().describe('The same of its version.'),
    session: z.string().nullable().describe("Id of the client's session; it is no credential."),
    tool: z.string(),
    version: z.string().nullable(),
    outcome: z.enum(OUTCOMES),
    error_type: z.string().nullable(),
    duration_ms: z.number(),
    run: z.string().nullable(),
    step: z.string().nullable(),
    approval: z.string().nullable(),
    repeat_of: z.string().nullable(),
    dry_run: z.boolean().nullable().describe("true: the tool's dry run ran in its place."),
  })
  .openapi('CallSummary')

const Cut = z
  .object({
    at: z.string().describe('JSON Pointer into the record.'),
    characters: z.number().int().optional().describe('Length of the text; of a field, of its canonical JSON.'),
    sha256: z.string().optional().describe('SHA-256 of that text.'),
    items: z.number().int().optional().describe('Items of the list; the record has the first of them.'),
    members: z.number().int().optional().describe('Members of the object.'),
    left_out: z.string().optional().describe('Type of a value that was replaced by null.'),
    places: z.number().int().optional().describe('Further places below that were cut and are not listed.'),
  })
  .openapi('Cut')

const CallDetail = CallSummary.extend({
  args: z.unknown(),
  args_hash: z.string().nullable(),
  sent: z
    .object({ args: z.unknown(), args_hash: z.string() })
    .nullable()
    .describe('What the caller had sent, if the operator changed the arguments before approving; long ones are null.'),
  data: z.unknown(),
  error: z
    .object({ error_type: z.string(), error_message: z.string(), error_details: z.unknown() })
    .nullable()
    .describe('As the caller got it.'),
  cause: z.string().nullable().describe('What was thrown, if the caller got only a reference to it.'),
  cut: z.array(Cut).nullable().describe('What was too long or too deep to be kept whole.'),
}).openapi('CallDetail')

const list = route('get', '/', 'calls', {
  summary: 'Calls, newest first; all filters must match',
  request: {
    query: z.strictObject({
      tool: filterText('Tool name; shop.* matches a whole module.'),
      since: filterText(MOMENT),
      until: filterText('Same format; a date includes the whole day.'),
      principal: filterText('Principal of the caller.'),
      client: filterText('Name that the client gives itself.'),
      outcome: z.enum(OUTCOMES).optional(),
      error: filterText('error_type, such as SchemaError.'),
      run: filterText('Run that the call belongs to.'),
      approval: filterText('Approval or grant that allowed the call.'),
      limit: limitQuery(500, 50),
      cursor: filterText('next of the previous page.'),
    }),
  },
  answer: jsonResponse(
    z.object({
      calls: z.array(CallSummary),
      next: z.string().nullable().describe('Pass it as cursor for the next page; null: last page.'),
    }),
    'A page of calls.',
  ),
  errors: [400],
})

const show = route('get', '/{id}', 'call', {
  summary: 'One call with its arguments and result',
  request: { params: z.object({ id: z.string().max(200) }) },
  answer: jsonResponse(CallDetail, 'The call.'),
  errors: [404],
})

const fieldsOf = (shape: object, line: AuditRecord): object =>
  Object.fromEntries(Object.keys(shape).map((name) => [name, line[name as keyof AuditRecord] ?? null]))

export const callSummary = (line: AuditRecord): z.infer<typeof CallSummary> =>
  fieldsOf(CallSummary.shape, line) as z.infer<typeof CallSummary>

function callDetail(line: AuditRecord): z.infer<typeof CallDetail> {
  const error = line.error && { ...line.error, error_details: line.error.error_details ?? null }
  return fieldsOf(CallDetail.shape, { ...line, error }) as z.infer<typeof CallDetail>
}

export const callRoutes = ({ ledger: { index } }: RouteContext) =>
  new OpenAPIHono()
    .openapi(list, async (c) => {
      const { limit, cursor, ...wanted } = c.req.valid('query')
      const past = cursor === undefined ? {} : { past: checkedCursor(cursor) }
      // One extra record shows whether there is another page.
      const found = await Array.fromAsync(index.search({ ...auditFilter(wanted), ...past, limit: limit + 1 }))
      const shown = found.slice(0, limit)
      const last = shown.at(-1)
      const next = found.length > limit && last !== undefined ? cursorAfter(last) : null
      return c.json({ calls: shown.map(callSummary), next }, 200)
    })
    .openapi(show, async (c) => {
      const { id } = c.req.valid('param')
      for await (const line of index.search({ call_id: id, limit: 1 })) return c.json(callDetail(line), 200)
      throw notFound(`Unknown call ${JSON.stringify(id)}.`)
    })

function checkedCursor(cursor: string): string {
  if (isCursor(cursor)) return cursor
  throw ToolError.of('ValidationError', `Invalid cursor ${JSON.stringify(cursor)}. Pass the next of the previous page.`)
}
