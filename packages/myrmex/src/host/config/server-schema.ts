/** Settings beyond those of other clients: how a server is run, what its tools may do, and the host itself. */
import * as z from 'zod'
import { describedObject, toolPattern, withDescription } from '../../pipeline/rules/operator-schema.ts'
import { ACCEPTED_GRADES, SANDBOX_KINDS, TRUST_VALUES } from '../settings.ts'
import { signInSchema } from './sign-in-schema.ts'

export const DEFAULTS = {
  start: 'eager',
  idle_ms: 300_000,
  open_ms: 60_000,
  timeout_ms: 60_000,
  health_ms: 30_000,
  hung_ms: 10_000,
  trust: 'none',
  changes: 'harmless',
  instructions: true,
} as const

/** The maximum of Node's timers: longer ones would fire at once. */
const MAX_MS = 2_147_483_647

const milliseconds = (least: number, description: string) =>
  withDescription(z.int().min(least).max(MAX_MS).optional(), `${description} In milliseconds.`)

const KINDS_HINT = `must be one of ${SANDBOX_KINDS.join(', ')}`
const sandboxKind = () => z.enum(SANDBOX_KINDS, { error: KINDS_HINT })

/** A kind, or an object that says more. */
function sandboxSchema() {
  const detailed = describedObject(
    {
      kind: sandboxKind().optional(),
      user: z
        .union([z.string().regex(/^[A-Za-z_][A-Za-z0-9_.-]*$/), z.int().min(1).max(4_294_967_294)], {
          error: 'must be the name or number of a user other than root',
        })
        .optional(),
      write: z.array(z.string().min(1)).optional(),
      network: z.boolean().optional(),
    },
    {
      kind: 'Default: auto.',
      user: 'With kind user: the name or number of the user. Default: a number for each server.',
      write:
        'The only files and folders that the server can change, besides /tmp and a home folder of its own. With this, the ' +
        'server does not start without a sandbox.',
      network: 'False: no network. With this, the server does not start without a sandbox.',
    },
  ).superRefine(({ kind = 'auto', user, write, network }, ctx) => {
    const wrong = (path: string, message: string): void => ctx.addIssue({ code: 'custom', path: [path], message })
    if (user !== undefined && kind !== 'user') wrong('user', `belongs to kind user, but kind is ${kind}`)
    if (kind !== 'user' && kind !== 'none') return
    if (write !== undefined) wrong('write', `is not possible with kind ${kind}; use auto, bwrap or namespace`)
    if (network === false) wrong('network', `cannot be false with kind ${kind}; use auto, bwrap or namespace`)
  })
  return z.union([sandboxKind(), detailed], { error: `${KINDS_HINT}, or an object with one of these as kind` })
}

const SANDBOX_HINT =
  'What keeps a child from the state folder and the process of the host. auto (default): bwrap, namespace or user, the first ' +
  'that works here, otherwise none, with a warning. bwrap: bubblewrap. namespace: unshare of util-linux. user: another user, if the host ' +
  'runs as root. none: the child can read and do all that the host can. A kind that does not work here refuses to start the server.'

export function serverOptionsSchema() {
  return {
    start: withDescription(
      z.enum(['eager', 'lazy']).optional(),
      'eager (default): started with the host. lazy: started by the first call if its listing is cached.',
    ),
    idle_ms: milliseconds(0, `When a lazy server without calls is ended. Default: ${DEFAULTS.idle_ms}. 0: never.`),
    open_ms: milliseconds(1, `Time limit for starting or connecting. Default: ${DEFAULTS.open_ms}.`),
    timeout_ms: milliseconds(1, `Time limit for a call; progress restarts it. Default: ${DEFAULTS.timeout_ms}.`),
    health_ms: milliseconds(0, `Interval of health checks. Default: ${DEFAULTS.health_ms}. 0: no checks.`),
    hung_ms: milliseconds(1, `Time limit for a health check. Default: ${DEFAULTS.hung_ms}.`),
    trust: withDescription(
      z.enum(TRUST_VALUES, { error: `must be one of ${TRUST_VALUES.join(', ')}` }).optional(),
      'The trust its tools get when they are first seen. none (default): rejected until you review them. verified: ' +
        'read-only tools may be called. ask: tools that change state too, each call with approval. trusted: without approval. It covers ' +
        'the definitions of the first listing. Later tools wait for review, and so do changed definitions (see changes).',
    ),
    changes: withDescription(
      z.enum(ACCEPTED_GRADES, { error: `must be one of ${ACCEPTED_GRADES.join(', ')}` }).optional(),
      'Which changes of its definitions are accepted without you. harmless (default): those that change neither what a call does nor ' +
        'what a model reads. wider: also those that accept more input or promise more output, with the same texts. none: no changes.',
    ),
    tools: withDescription(
      z
        .record(
          z.string().min(1),
          z
            .strictObject({
              enabled: withDescription(z.boolean().optional(), 'False: not listed and not callable.'),
              destructive: withDescription(
                z.boolean().optional(),
                'Whether it changes state. Overrides what the server says.',
              ),
              timeout_ms: milliseconds(1, 'Time limit for a call; progress restarts it.'),
            })
            .meta({ description: 'Settings for the tools of this name or pattern.' }),
        )
        .optional(),
      'Settings for some tools, by their canonical name (create_issue or github.create_issue) or by a pattern with *. The first match ' +
        'applies. A rule in the spelling of the server (createI*) can only turn a tool off or declare that it changes state.',
    ),
    instructions: withDescription(z.boolean().optional(), 'Whether clients see its instructions. Default: true.'),
    sandbox: withDescription(sandboxSchema().optional(), `${SANDBOX_HINT} Default: that of host.`),
    inherit_env: withDescription(
      z
        .union([z.boolean(), z.array(z.string().regex(/^[A-Za-z_*][A-Za-z0-9_*]*$/, { error: INHERIT_HINT }))], {
          error: 'must be true or a list of names and patterns, such as ["HTTP_PROXY", "AWS_*"]',
        })
        .optional(),
      'Variables of the host that its program gets too: names and patterns with *, or true for all. Variables of Myrmex are never ' +
        'passed on, and one that another server takes a secret from only by its full name. Default: PATH, HOME and similar ones only.',
    ),
    sessions: withDescription(
      z.enum(['shared', 'caller']).optional(),
      'caller: each caller session has a connection of its own (a process, or a session at a URL), for servers that keep state, such as a working directory. shared (default): all callers share one.',
    ),
    max_sessions: withDescription(
      z.int().min(1).max(1000).optional(),
      'With sessions caller, or auth.per_caller: how many connections of callers may be open. Default: 20.',
    ),
    strict: withDescription(
      z.boolean().optional(),
      'true: arguments that do not fit the schema of a tool are rejected here. false (default): they are passed on with a warning, and the server judges them. Arguments that a rule of yours reads must always fit.',
    ),
    results: withDescription(
      resultsSchema(),
      'mark: its results are scanned for instructions to the model and marked as data. unchanged (default): they are passed on.',
    ),
  }
}

const INHERIT_HINT = 'must be the name of an environment variable; * stands for any characters'

const resultsSchema = () => z.enum(['mark', 'unchanged']).optional()

const logsSchema = () =>
  z
    .union(
      [
        z.literal(false),
        z.strictObject({
          max_bytes: withDescription(
            z.int().min(1024).max(1_073_741_824).optional(),
            'A log is rotated when its file has this size. Default: 2097152.',
          ),
          files: withDescription(
            z.int().min(1).max(100).optional(),
            'Files of each log, including the current one. Default: 5.',
          ),
        }),
      ],
      { error: 'must be false or an object with max_bytes and files' },
    )
    .optional()

export const hostOptionsSchema = () =>
  describedObject(
    {
      name: z.string().min(1).max(100).optional(),
      port: z.int().min(0).max(65_535).optional(),
      address: z.string().min(1).optional(),
      list: z.enum(['all', 'search']).optional(),
      always_list: z.array(toolPattern()).optional(),
      sandbox: sandboxSchema().optional(),
      open: z.boolean().optional(),
      require_token: z.boolean().optional(),
      results: resultsSchema(),
      start_wait_ms: z.int().min(0).max(60_000).optional(),
      logs: logsSchema(),
      sign_in: signInSchema().optional(),
      strict: z.boolean().optional(),
    },
    {
      name: 'Name of the host. Default: myrmex.',
      port: 'Port to listen on if the command line has neither --http nor --stdio. 0: any free port.',
      address: 'Address to listen on. Default: 127.0.0.1. Other than loopback requires MYRMEX_TOKEN.',
      list: 'all: every tool is listed. search: only a tool that finds tools and one that calls them, for clients with too many tools.',
      always_list:
        'With search: tools that are listed anyway, such as github.create_issue, or github.* for a whole server.',
      sandbox: `For servers that do not set it. ${SANDBOX_HINT}`,
      open: 'true: trust tools that change state as this file says although the ledger has no operator (open mode), where any process of the user can approve their calls. Same as --open.',
      logs: 'Size of the log files in .myrmex/host/logs. false: no log files.',
      start_wait_ms:
        'How long the first lists wait for servers that are still starting, in milliseconds. Default: 8000. 0: lists never wait.',
      require_token:
        'true: every caller over HTTP needs a token, programs of your own user on this machine too. Default: those need none.',
      strict:
        'For servers that do not set it: true rejects arguments that do not fit the schema of a tool. Default: false.',
      results: 'mark: results of all servers are scanned and marked as data, unless a server says otherwise.',
      sign_in: 'Lets people sign in to this host, with an issuer that is part of it.',
    },
  )
