/** The live events by type. They are short: details can be fetched by id. */
import { z } from '@hono/zod-openapi'
import { Approval } from '../routes/approvals.ts'
import { CallSummary } from '../routes/calls.ts'
import { ServerStatus } from '../routes/servers.ts'
import { Switches } from '../routes/switches.ts'
import { definitionFields, TrustLevel } from '../schemas.ts'

const of = <const T extends string, S extends z.ZodType>(type: T, data: S) => z.object({ type: z.literal(type), data })

const names = z.array(z.string()).describe('At most 100.')

export const LiveEvent = z
  .discriminatedUnion('type', [
    of('call', CallSummary),
    of('calls_skipped', z.object({ count: z.number().int() })),
    of('approval', Approval),
    of('server', ServerStatus),
    of('server_removed', z.object({ name: z.string() })),
    of('quarantined', z.object({ server: z.string(), tool: z.string() })),
    of('new_tool', z.object({ server: z.string(), tool: z.string() })),
    of('change_accepted', z.object({ server: z.string(), tool: z.string(), grade: z.string() })),
    of('needs_sign_in', z.object({ server: z.string(), reason: z.string(), command: z.string().nullable() })),
    of('tools', z.object({ count: z.number().int(), added: names, removed: names, changed: names })),
    of(
      'trust',
      z.object({
        kind: z.enum(['decision', 'grant', 'revocation', 'definition']),
        ...definitionFields,
        level: TrustLevel.optional(),
        by: z.string().optional(),
        grant: z.string().optional(),
      }),
    ),
    of('switches', Switches),
    of('reset', z.object({ reason: z.string() })),
  ])
  .openapi('LiveEvent')

export type LiveEvent = z.infer<typeof LiveEvent>
