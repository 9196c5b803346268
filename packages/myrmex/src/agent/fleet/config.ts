/**
 * The format of a fleet file: the Zod schema that reads it, and the JSON Schema made from it for editors. Reading is strict, so that a
 * typing mistake is an error and not a missing agent.
 */
import * as z from 'zod'
import { parseStrictly } from '../../pipeline/rules/operator-file.ts'
import { lazySchema, withDescription } from '../../pipeline/rules/operator-schema.ts'
import { AGENT_NAME } from '../agent.ts'

/** Has exactly one of module, command and url. */
export type AgentEntry = z.output<ReturnType<typeof agentEntry>>
export type FleetConfig = z.output<ReturnType<typeof build>>

/** The three kinds of agents, and the fields that only some kinds have. */
const FIELDS_BY_KIND = {
  module: [],
  command: ['args', 'env', 'cwd', 'timeout_ms'],
  url: ['headers', 'token_env', 'timeout_ms'],
} as const satisfies Record<string, readonly string[]>
const KINDS = Object.keys(FIELDS_BY_KIND) as (keyof typeof FIELDS_BY_KIND)[]

const FILLED = `$\{NAME} stands for the environment variable of that name.`
const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*$/

const { schema: fleetSchema, jsonSchema } = lazySchema(build)

export { jsonSchema as fleetJsonSchema }

/** Fields in which a token or a password may be, on purpose or by mistake. Their values are not shown in messages. */
const SECRETS: ReadonlySet<string> = new Set(['env', 'headers', 'token_env', 'url', 'args'])

/** Throws ToolError ValidationError naming every location that is wrong; its details have them as `issues`. */
export const parseFleet = (value: unknown): FleetConfig =>
  parseStrictly(value, { name: 'fleet', schema: fleetSchema(), jsonSchema, secrets: SECRETS })

function build() {
  return z
    .strictObject({
      $schema: withDescription(z.string().optional(), 'Where the JSON Schema of this file is, for editors.'),
      agents: withDescription(
        z.record(
          z.string().regex(AGENT_NAME, { error: 'is no name of an agent: lower case, digits and _' }),
          agentEntry(),
        ),
        'The agents by name. An agent has the name that its own tools have in front: supplier has supplier.find.',
      ),
      playbooks: withDescription(
        z.array(z.string().min(1)).optional(),
        'Files that export playbooks: what goals of a kind ask for. They are asked in this order before anybody plans.',
      ),
    })
    .meta({
      title: 'Myrmex fleet',
      description: 'Which agents there are, and where each of them runs. Paths are seen from the folder of this file.',
    })
}

function agentEntry() {
  return z
    .strictObject({
      module: withDescription(
        z.string().min(1).optional(),
        'In this process: the file that exports the agent, such as ./supplier.agent.ts, or what an installed package exports.',
      ),
      command: withDescription(
        z.string().min(1).optional(),
        'As a child process on stdio: the program. One with a slash in it is seen from the folder of this file.',
      ),
      args: withDescription(z.array(z.string()).optional(), 'What the program is given.'),
      env: withDescription(
        z.record(z.string().regex(VARIABLE, { error: 'is no name of an environment variable' }), z.string()).optional(),
        `Environment of the child, beside PATH, HOME and the like. ${FILLED}`,
      ),
      cwd: withDescription(
        z.string().min(1).optional(),
        'Working directory of the child. Default: the folder of this file.',
      ),
      url: withDescription(z.string().min(1).optional(), `Over HTTP: where the agent answers. ${FILLED}`),
      headers: withDescription(z.record(z.string(), z.string()).optional(), `Sent with every request. ${FILLED}`),
      token_env: withDescription(
        z.string().regex(VARIABLE, { error: 'must be the name of an environment variable' }).optional(),
        'Name of the environment variable with the bearer token. The token itself is never written here.',
      ),
      timeout_ms: withDescription(
        z.int().positive().optional(),
        'How long a call may take without progress, in milliseconds. Default: 30000.',
      ),
    })
    .superRefine((given, ctx) => {
      const there = KINDS.filter((kind) => given[kind] !== undefined)
      const [kind] = there
      if (kind === undefined || there.length > 1) {
        const found = kind === undefined ? 'there is none' : `there are ${there.join(' and ')}`
        ctx.addIssue({ code: 'custom', message: `must have exactly one of ${KINDS.join(', ')}; ${found}` })
        return
      }
      const fitting: readonly string[] = ['module', 'command', 'url', ...FIELDS_BY_KIND[kind]]
      for (const field of Object.keys(given).filter((field) => !fitting.includes(field))) {
        const where = KINDS.filter((other) => (FIELDS_BY_KIND[other] as readonly string[]).includes(field)).join(' or ')
        ctx.addIssue({ code: 'custom', path: [field], message: `belongs to ${where}, and this agent has ${kind}` })
      }
    })
    .meta({
      description: 'Where one agent runs: in this process, as a child process, or behind a URL.',
      oneOf: KINDS.map((kind) => ({ required: [kind] })),
    })
}
