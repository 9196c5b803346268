/**
 * The schema of myrmex.json: Zod for reading, and the JSON Schema for editors derived from it. It accepts the `mcpServers` block of
 * desktop clients, plus settings for the operator.
 */
import * as z from 'zod'
import { describedObject, lazySchema } from '../../pipeline/rules/operator-schema.ts'
import { approvalsSchema } from './approvals-schema.ts'
import { endpointSchema } from './endpoint-schema.ts'
import { profilesSchema } from './profiles-schema.ts'
import { serverName } from './server-name.ts'
import { hostOptionsSchema, serverOptionsSchema } from './server-schema.ts'

export type HostConfig = z.output<ReturnType<typeof build>>
/** One server entry of the file. It has exactly one of command, url and module. */
export type ServerEntry = HostConfig['mcpServers'][string]

export const { schema: hostSchema, jsonSchema: hostJsonSchema } = lazySchema(build)

function build() {
  const server = z
    .strictObject({ ...endpointSchema.fields, ...serverOptionsSchema() })
    .superRefine(endpointSchema.check)
    .meta({ description: 'One server: where it is, how it is run, and what its tools may do.' })
  return describedObject(
    {
      $schema: z.string().optional(),
      mcpServers: z.record(z.string(), server).superRefine(namesDiffer),
      host: hostOptionsSchema().optional(),
      profiles: profilesSchema().optional(),
      approvals: approvalsSchema().optional(),
    },
    {
      $schema: 'Path of the JSON Schema of this file, for editors.',
      mcpServers:
        'The servers by name, as in desktop clients. Tools are named NAME.tool. Names are converted to lower case letters, digits and _.',
      profiles:
        'Tool sets by name, served at /mcp/p/NAME and bound to tokens. A client of a profile sees and calls nothing else.',
      host: 'The host itself: its name, where it listens, what it lists.',
      approvals:
        'What happens to a call that waits for approval, where it is announced, and what happens to one that was denied. Counts more than waiting in the policy.',
    },
  ).meta({
    title: 'Myrmex host',
    description:
      'The MCP servers behind the host. Paths are relative to the folder of this file. In strings, ' +
      `$\{NAME} is replaced by the environment variable; $\{NAME:-default} has a default.`,
  })
}

/** `My Server` and `my-server` become the same name, which is an error for both. */
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
      wrong(other, `becomes the name ${name}, as does ${JSON.stringify(written)}; rename one of them`)
      wrong(written, `becomes the name ${name}, as does ${JSON.stringify(other)}; rename one of them`)
    }
    owners.set(name, written)
  }
}
