/** The fields that say where a server is: a command, a URL or a module file. Other clients' spellings are accepted. */
import * as z from 'zod'
import { withDescription } from '../../pipeline/rules/operator-schema.ts'
import { authSchema } from './auth-schema.ts'

const VARIABLES_HINT = `$\{NAME} is replaced by the environment variable of that name.`
export const VARIABLE_NAME: RegExp = /^[A-Za-z_][A-Za-z0-9_]*$/
/** As in RFC 9110. */
export const HEADER_NAME: RegExp = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/

/** The transport names of the various clients. */
export const TRANSPORT_TYPES = {
  stdio: 'command',
  local: 'command',
  http: 'http',
  'streamable-http': 'http',
  streamable_http: 'http',
  streamableHttp: 'http',
  sse: 'sse',
  remote: 'auto',
} as const satisfies Record<string, 'command' | 'http' | 'sse' | 'auto'>
const TYPE_NAMES = Object.keys(TRANSPORT_TYPES) as (keyof typeof TRANSPORT_TYPES)[]

const URL_KEYS = ['url', 'serverUrl', 'httpUrl'] as const
const KINDS = ['command', 'url', 'module'] as const
type Kind = (typeof KINDS)[number]
/** Fields that belong to one kind of server only. */
const FIELDS_OF: Readonly<Record<Kind, readonly string[]>> = {
  command: ['args', 'env', 'cwd', 'roots', 'sandbox', 'inherit_env'],
  url: ['headers', 'roots', 'auth'],
  module: [],
}

const prefix = withDescription(
  z.string().optional(),
  'Put in front of the value: "Bearer " for most Authorization headers.',
)
const isPublic = withDescription(
  z.boolean().optional(),
  'True: results of the server may contain the value, such as a token that its web page needs. It is removed from everything else.',
)

const ENV_HINT = 'Name of an environment variable.'
const COMMAND_HINT = 'A program and its arguments, run without a shell for at most 10 seconds. Its output is the value.'
const FILE_HINT = 'A file. Whitespace around its text is ignored.'

/** A string, or the source of a secret. */
export const configuredValue = z.union(
  [
    z.string(),
    z.number(),
    z.strictObject({ from_env: withDescription(z.string().regex(VARIABLE_NAME), ENV_HINT), prefix, public: isPublic }),
    z.strictObject({ from_file: withDescription(z.string().min(1), FILE_HINT), prefix, public: isPublic }),
    z.strictObject({
      from_command: withDescription(z.array(z.string()).min(1), COMMAND_HINT),
      prefix,
      public: isPublic,
    }),
  ],
  { error: 'must be a string, {"from_env": NAME}, {"from_file": PATH} or {"from_command": [PROGRAM, …]}' },
)
const SECRETS_HINT =
  'Use {"from_env": …}, {"from_file": …} or {"from_command": […]} for secrets: such values are never shown.'

const type = () => z.enum(TYPE_NAMES, { error: `must be one of ${TYPE_NAMES.join(', ')}` }).optional()

const text = (description: string) => withDescription(z.string().min(1).optional(), description)
const flag = (description: string) => withDescription(z.boolean().optional(), description)
const values = (name: RegExp, error: string, description: string) =>
  withDescription(
    z.record(z.string().regex(name, { error }), configuredValue).optional(),
    `${description} ${SECRETS_HINT}`,
  )

const fields = {
  command: text(
    'A program to start and talk to over stdio. A path with a slash is relative to the folder of this file.',
  ),
  args: withDescription(z.array(z.string()).optional(), `Arguments of the program. ${VARIABLES_HINT}`),
  env: values(
    VARIABLE_NAME,
    'is not the name of an environment variable',
    'Environment variables of the program, in addition to PATH, HOME and similar ones. Nothing else is passed on.',
  ),
  cwd: text('Working directory of the program. Default: the folder of this file.'),
  url: text(`URL of a server: Streamable HTTP, with SSE as the fallback. ${VARIABLES_HINT}`),
  serverUrl: text('The same as url, in the spelling of Windsurf.'),
  httpUrl: text('The same as url, in the spelling of Gemini CLI. SSE is not tried.'),
  headers: values(HEADER_NAME, 'is not a header name', 'Sent with every request.'),
  auth: authSchema(configuredValue),
  type: withDescription(
    type(),
    'The transport, in any client’s spelling. Default: derived from command or url. sse and http force that transport.',
  ),
  transport: withDescription(type(), 'The same as type.'),
  module: text(
    'Loaded into this process: a file that exports tools, such as ./shop.tools.ts, or an export of an installed package.',
  ),
  disabled: flag('True: the server is not started.'),
  enabled: flag('False: the server is not started.'),
  roots: withDescription(
    z.array(z.string().min(1)).optional(),
    'Folders returned to the server as roots if no client can be asked. Paths or file:// URLs.',
  ),
}

export type ConfiguredValue = z.output<typeof configuredValue>

type Given = { readonly [Key in keyof typeof fields]?: z.output<(typeof fields)[Key]> }

/** The schema guarantees that there is exactly one. */
export const endpointKind = (given: Given): Kind =>
  given.command !== undefined ? 'command' : given.module !== undefined ? 'module' : 'url'

export const endpointUrl = (given: Given): string | undefined => given.url ?? given.serverUrl ?? given.httpUrl

function check(given: Given, ctx: z.RefinementCtx): void {
  const wrong = (path: string[], message: string): void => ctx.addIssue({ code: 'custom', path, message })
  const urls = URL_KEYS.filter((key) => given[key] !== undefined)
  const there = [given.command && 'command', ...urls, given.module && 'module'].filter((key) => typeof key === 'string')
  if (there.length !== 1) {
    const found = there.length === 0 ? 'there is none' : `there are ${there.join(' and ')}`
    wrong([], `must have exactly one of ${KINDS.join(', ')}; ${found}`)
    return
  }
  const kind = endpointKind(given)
  for (const [key, other] of misplacedFields(kind, given))
    wrong([key], `belongs to ${other}, but this server has ${there[0]}`)
  for (const key of ['type', 'transport'] as const) {
    const said = given[key]
    if (said !== undefined && (TRANSPORT_TYPES[said] === 'command') !== (kind === 'command'))
      wrong([key], `is ${said}, but this server has ${there[0]}`)
  }
  if (
    given.type !== undefined &&
    given.transport !== undefined &&
    TRANSPORT_TYPES[given.type] !== TRANSPORT_TYPES[given.transport]
  )
    wrong(['transport'], `is ${given.transport}, but type is ${given.type}`)
  if (given.disabled !== undefined && given.disabled === given.enabled)
    wrong(['enabled'], `is ${given.enabled}, which contradicts disabled`)
}

/** Fields in use that belong to another kind, and that kind. */
const misplacedFields = (kind: Kind, given: Given): [key: string, kind: string][] =>
  KINDS.filter((other) => other !== kind).flatMap((other) =>
    FIELDS_OF[other]
      .filter((key) => !FIELDS_OF[kind].includes(key) && given[key as keyof Given] !== undefined)
      .map((key): [string, string] => [key, other]),
  )

export const endpointSchema = { fields, check }
