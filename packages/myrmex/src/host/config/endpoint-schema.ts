/** Where a server is, in the words of myrmex.json and of the clients whose blocks are pasted into it: a command, a URL, or a file. */
import * as z from 'zod'
import { withDescription } from '../../pipeline/rules/operator-schema.ts'

const FILLED = `$\{NAME} stands for the environment variable of that name.`
export const VARIABLE_NAME: RegExp = /^[A-Za-z_][A-Za-z0-9_]*$/
/** As RFC 9110 has them. */
export const HEADER_NAME: RegExp = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/

/** What clients call the ways to speak to a server. */
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
/** What may be said of each kind of place and of no other. */
const BELONGING: Readonly<Record<Kind, readonly string[]>> = {
  command: ['args', 'env', 'cwd', 'roots'],
  url: ['headers', 'roots'],
  module: [],
}

const secretText = z.string().min(1)
const prefix = withDescription(
  z.string().optional(),
  'Put in front of the value: "Bearer " for most Authorization headers.',
)

/** A text, or where a secret is had from. */
const value = z.union(
  [
    z.string(),
    z.number(),
    z.strictObject({
      from_env: withDescription(z.string().regex(VARIABLE_NAME), 'Name of an environment variable.'),
      prefix,
    }),
    z.strictObject({ from_file: withDescription(secretText, 'A file; spaces around its text do not count.'), prefix }),
    z.strictObject({
      from_command: withDescription(
        z.array(z.string()).min(1),
        'A program and its arguments, run without a shell for at most 10 seconds; what it prints is the value.',
      ),
      prefix,
    }),
  ],
  { error: 'must be a text, {"from_env": NAME}, {"from_file": PATH} or {"from_command": [PROGRAM, …]}' },
)
const SECRETS =
  'Give secrets as {"from_env": …}, {"from_file": …} or {"from_command": […]}: such values are never shown.'

const type = () => z.enum(TYPE_NAMES, { error: `must be one of ${TYPE_NAMES.join(', ')}` }).optional()

const fields = {
  command: withDescription(
    z.string().min(1).optional(),
    'A program that is started and spoken to on stdio. One with a slash in it is seen from the folder of this file.',
  ),
  args: withDescription(z.array(z.string()).optional(), `What the program is given. ${FILLED}`),
  env: withDescription(
    z.record(z.string().regex(VARIABLE_NAME, { error: 'is no name of an environment variable' }), value).optional(),
    `Environment of the program, beside PATH, HOME and the like; nothing else of ours is passed on. ${SECRETS}`,
  ),
  cwd: withDescription(z.string().min(1).optional(), 'Folder the program works in; that of this file unless told.'),
  url: withDescription(
    z.string().min(1).optional(),
    `A server that listens: Streamable HTTP, or SSE where it knows only that. ${FILLED}`,
  ),
  serverUrl: withDescription(z.string().min(1).optional(), 'The same as url, as Windsurf writes it.'),
  httpUrl: withDescription(z.string().min(1).optional(), 'The same as url, as Gemini CLI writes it; no SSE.'),
  headers: withDescription(
    z.record(z.string().regex(HEADER_NAME, { error: 'is no name of a header' }), value).optional(),
    `Sent with every request. ${SECRETS}`,
  ),
  type: withDescription(
    type(),
    'How to speak to it, as clients write it. It follows from command or url; sse and http are kept to.',
  ),
  transport: withDescription(type(), 'The same as type.'),
  module: withDescription(
    z.string().min(1).optional(),
    'In this process: a file that exports tools, such as ./shop.tools.ts, or what an installed package exports.',
  ),
  disabled: withDescription(z.boolean().optional(), 'True: it is left out.'),
  enabled: withDescription(z.boolean().optional(), 'False: it is left out.'),
  roots: withDescription(
    z.array(z.string().min(1)).optional(),
    'Folders the server is told when it asks for roots and no client is there to ask. Paths or file:// URLs.',
  ),
}

type Given = { readonly [Key in keyof typeof fields]?: z.output<(typeof fields)[Key]> }

/** Which of the three kinds it is; the check has seen to it that it is one. */
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
  for (const [key, other] of strangersTo(kind, given))
    wrong([key], `belongs to ${other}, and this server has ${there[0]}`)
  for (const key of ['type', 'transport'] as const) {
    const said = given[key]
    if (said !== undefined && (TRANSPORT_TYPES[said] === 'command') !== (kind === 'command'))
      wrong([key], `is ${said}, and this server has ${there[0]}`)
  }
  if (
    given.type !== undefined &&
    given.transport !== undefined &&
    TRANSPORT_TYPES[given.type] !== TRANSPORT_TYPES[given.transport]
  )
    wrong(['transport'], `is ${given.transport}, and type is ${given.type}`)
  if (given.disabled !== undefined && given.disabled === given.enabled)
    wrong(['enabled'], `is ${given.enabled}, and so is disabled`)
}

/** What is said that only another kind of place has, and which that is. */
const strangersTo = (kind: Kind, given: Given): [key: string, kind: string][] =>
  KINDS.filter((other) => other !== kind).flatMap((other) =>
    BELONGING[other]
      .filter((key) => !BELONGING[kind].includes(key) && given[key as keyof Given] !== undefined)
      .map((key): [string, string] => [key, other]),
  )

export const endpointSchema = { fields, check }
