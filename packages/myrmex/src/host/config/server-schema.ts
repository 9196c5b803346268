/** What an operator says beyond what clients know: how a server is kept, what its tools may do, and what the host itself is. */
import * as z from 'zod'
import { toolPattern, withDescription } from '../../pipeline/rules/operator-schema.ts'

/** What holds where the file says nothing. */
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

const VOUCHED = ['none', 'verified', 'ask', 'trusted'] as const
/** Node's timers hold no more; beyond it they would fire at once. */
const LONGEST_MS = 2_147_483_647

const span = (least: number, description: string) =>
  withDescription(z.int().min(least).max(LONGEST_MS).optional(), `${description} In milliseconds.`)

export function serverOptionsSchema() {
  return {
    start: withDescription(
      z.enum(['eager', 'lazy']).optional(),
      'eager: with the host. lazy: by the first call, where it is known from last time what it offers. eager unless told.',
    ),
    idle_ms: span(0, `When a lazy one that nobody calls is ended; ${DEFAULTS.idle_ms} unless told, 0 for never.`),
    open_ms: span(1, `How long starting it or connecting to it may take; ${DEFAULTS.open_ms} unless told.`),
    timeout_ms: span(1, `How long a call may take without a word of progress; ${DEFAULTS.timeout_ms} unless told.`),
    health_ms: span(0, `How often it is asked whether it is well; ${DEFAULTS.health_ms} unless told, 0 for never.`),
    hung_ms: span(1, `How long it may take to say so before it is cut off; ${DEFAULTS.hung_ms} unless told.`),
    trust: withDescription(
      z.enum(VOUCHED, { error: `must be one of ${VOUCHED.join(', ')}` }).optional(),
      'What you vouch for when one of its tools is first seen. none: nobody may call it before you looked (the default). verified: ' +
        'what only reads may be called. ask: what changes state too, each call with a yes. trusted: without one. It holds for ' +
        'the definition seen first; whatever it becomes later is quarantined.',
    ),
    tools: withDescription(
      z
        .record(
          z.string().min(1),
          z
            .strictObject({
              enabled: withDescription(z.boolean().optional(), 'False: it is not offered.'),
              destructive: withDescription(
                z.boolean().optional(),
                'Whether it changes state, whatever the server says.',
              ),
              timeout_ms: span(1, 'How long a call of it may take without a word of progress.'),
            })
            .meta({ description: 'What holds for the tools of this name or pattern.' }),
        )
        .optional(),
      'Some of its tools, by their names as the server lists them or by a pattern with *. The first that fits holds.',
    ),
    instructions: withDescription(
      z.boolean().optional(),
      'Whether its instructions are told to clients; true unless told.',
    ),
  }
}

export function hostOptionsSchema() {
  return z.strictObject({
    name: withDescription(z.string().min(1).max(100).optional(), 'What the host calls itself; myrmex unless told.'),
    port: withDescription(
      z.int().min(0).max(65_535).optional(),
      'The port it listens on where the command line says neither --http nor --stdio; 0 for any free one.',
    ),
    address: withDescription(
      z.string().min(1).optional(),
      'The address it listens on; 127.0.0.1 unless told. Any other than loopback needs MYRMEX_TOKEN.',
    ),
    list: withDescription(
      z.enum(['all', 'search']).optional(),
      'all: every tool is listed. search: only a tool that finds tools and one that calls them, for clients that drown in tools.',
    ),
    always_list: withDescription(
      z.array(toolPattern()).optional(),
      'With search: tools that are listed all the same: github.create_issue, or all of a server, github.*.',
    ),
  })
}
