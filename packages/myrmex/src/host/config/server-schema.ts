/** Settings beyond those of other clients: how a server is run, what its tools may do, and the host itself. */
import * as z from 'zod'
import { describedObject, toolPattern, withDescription } from '../../pipeline/rules/operator-schema.ts'
import { TRUST_VALUES } from '../settings.ts'

export const DEFAULTS = {
  start: 'eager',
  idle_ms: 300_000,
  open_ms: 60_000,
  timeout_ms: 60_000,
  health_ms: 30_000,
  hung_ms: 10_000,
  trust: 'none',
  instructions: true,
} as const

/** The maximum of Node's timers: longer ones would fire at once. */
const MAX_MS = 2_147_483_647

const milliseconds = (least: number, description: string) =>
  withDescription(z.int().min(least).max(MAX_MS).optional(), `${description} In milliseconds.`)

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
        'the definition seen first. A changed definition is quarantined.',
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
      'Settings for some tools, by name as the server lists them or by a pattern with *. The first match applies.',
    ),
    instructions: withDescription(z.boolean().optional(), 'Whether clients see its instructions. Default: true.'),
  }
}

export const hostOptionsSchema = () =>
  describedObject(
    {
      name: z.string().min(1).max(100).optional(),
      port: z.int().min(0).max(65_535).optional(),
      address: z.string().min(1).optional(),
      list: z.enum(['all', 'search']).optional(),
      always_list: z.array(toolPattern()).optional(),
    },
    {
      name: 'Name of the host. Default: myrmex.',
      port: 'Port to listen on if the command line has neither --http nor --stdio. 0: any free port.',
      address: 'Address to listen on. Default: 127.0.0.1. Other than loopback requires MYRMEX_TOKEN.',
      list: 'all: every tool is listed. search: only a tool that finds tools and one that calls them, for clients with too many tools.',
      always_list:
        'With search: tools that are listed anyway, such as github.create_issue, or github.* for a whole server.',
    },
  )
