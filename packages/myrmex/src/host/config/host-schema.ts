/**
 * The one source of what myrmex.json may say: Zod for reading it, and from that the JSON Schema that editors complete and check it
 * by. It is the `mcpServers` block of desktop clients as they write it, and what an operator can say beyond that.
 */
import * as z from 'zod'
import { withDescription } from '../../pipeline/rules/operator-schema.ts'
import type { JsonObject } from '../../protocol/json.ts'
import { endpointSchema } from './endpoint-schema.ts'
import { serverName } from './server-name.ts'
import { hostOptionsSchema, serverOptionsSchema } from './server-schema.ts'

export type HostConfig = z.output<ReturnType<typeof build>>
/** One server as it stands in the file. Exactly one place is said in it. */
export type ServerEntry = HostConfig['mcpServers'][string]

let made: ReturnType<typeof build> | undefined

/** Made on first use: whoever runs no host does not pay for it. */
export function hostSchema(): ReturnType<typeof build> {
  made ??= build()
  return made
}

/** Draft-07, which is what editors know. */
export const hostJsonSchema = (): JsonObject =>
  z.toJSONSchema(hostSchema(), { target: 'draft-7', io: 'input' }) as unknown as JsonObject

function build() {
  const server = z
    .strictObject({ ...endpointSchema.fields, ...serverOptionsSchema() })
    .superRefine(endpointSchema.check)
  return z
    .strictObject({
      $schema: withDescription(z.string().optional(), 'Where the JSON Schema of this file is, for editors.'),
      mcpServers: withDescription(
        z.record(
          z.string(),
          withDescription(server, 'Where one server is, how it is kept, and what its tools may do.'),
        ),
        'The servers by name, as desktop clients write them. Tools are called NAME.tool; a name is put in lower case, digits and _.',
      ).superRefine(namesDiffer),
      host: withDescription(
        hostOptionsSchema().optional(),
        'The host itself: what it is called, where it listens, what it lists.',
      ),
    })
    .meta({
      title: 'Myrmex host',
      description:
        'Which MCP servers stand behind the host. Paths are seen from the folder of this file. In texts, ' +
        `$\{NAME} is the environment variable, $\{NAME:-other} has another value where it is not set.`,
    })
}

/** `My Server` and `my-server` are one name for callers: neither can have it. */
function namesDiffer(servers: Readonly<Record<string, unknown>>, ctx: z.RefinementCtx): void {
  const owners = new Map<string, string>()
  for (const written of Object.keys(servers)) {
    const name = serverName(written)
    const wrong = (path: string, message: string): void => ctx.addIssue({ code: 'custom', path: [path], message })
    if (typeof name !== 'string') {
      wrong(written, name.problem)
      continue
    }
    const other = owners.get(name)
    if (other !== undefined) {
      wrong(other, `comes to the name ${name}, as ${JSON.stringify(written)} does; rename one of them`)
      wrong(written, `comes to the name ${name}, as ${JSON.stringify(other)} does; rename one of them`)
    }
    owners.set(name, written)
  }
}
