/** What is told live, by type. Short: whoever wants all of it asks for it by its id. */
import { z } from '@hono/zod-openapi'
import { Approval } from '../routes/approvals.ts'
import { CallSummary } from '../routes/calls.ts'
import { ServerStatus } from '../routes/servers.ts'
import { Hash, TrustLevel } from '../schemas.ts'

const of = <const T extends string, S extends z.ZodType>(type: T, data: S) => z.object({ type: z.literal(type), data })

const names = z.array(z.string()).openapi({ description: 'At most 100.' })

export const LiveEvent = z
  .discriminatedUnion('type', [
    of('call', CallSummary),
    of('left_out', z.object({ calls: z.number().int() })),
    of('approval', Approval),
    of('server', ServerStatus),
    of('server_gone', z.object({ name: z.string() })),
    of('quarantined', z.object({ server: z.string(), tool: z.string() })),
    of('tools', z.object({ count: z.number().int(), added: names, removed: names, changed: names })),
    of(
      'trust',
      z.object({
        what: z.enum(['decision', 'grant', 'revocation', 'definition']),
        tool: z.string(),
        version: z.string(),
        hash: Hash,
        level: TrustLevel.optional(),
        by: z.string().optional(),
        grant: z.string().optional(),
      }),
    ),
    of('reset', z.object({ why: z.string() })),
  ])
  .openapi('LiveEvent')

export type LiveEvent = z.infer<typeof LiveEvent>
