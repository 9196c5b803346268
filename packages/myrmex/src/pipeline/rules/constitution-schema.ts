/**
 * The schema of a constitution: Zod for parsing it, and from that the JSON Schema with which editors complete and check it.
 */
import * as z from 'zod'
import type { JsonObject } from '../../protocol/json.ts'
import { condition, jsonPointer, rejectDuplicates, toolPattern, withDescription } from './operator-schema.ts'

export type Constitution = z.output<ReturnType<typeof build>>
export type ArticleSource = Constitution['articles'][number]
export type FactSource = NonNullable<ArticleSource['only_if']>[number]

/** What an article may demand. */
export const DEMANDS = ['ask', 'forbid', 'at_most', 'only_if'] as const
export const BOUNDS = ['above', 'at_least', 'below', 'at_most'] as const

let made: ReturnType<typeof build> | undefined

/** Created on first use: a server without a constitution does not pay for it. */
export function constitutionSchema(): ReturnType<typeof build> {
  made ??= build()
  return made
}

/** Draft-07, which editors support. */
export const constitutionJsonSchema = (): JsonObject =>
  z.toJSONSchema(constitutionSchema(), { target: 'draft-7', io: 'input' }) as unknown as JsonObject

function build() {
  return z
    .strictObject({
      $schema: withDescription(z.string().optional(), 'Location of the JSON Schema of this file, for editors.'),
      time_zone: withDescription(
        z.string().refine(isTimeZone, { error: 'must be a time zone, such as UTC or Europe/Berlin' }).default('UTC'),
        'The IANA time zone in which days and months begin; default UTC.',
      ),
      articles: withDescription(
        z.array(article()).default([]),
        'Rules for every call of every caller. All of them apply.',
      ),
    })
    .superRefine(({ articles }, ctx) => rejectDuplicates(articles, 'name', ['articles'], ctx))
    .meta({
      title: 'Myrmex constitution',
      description: 'What no call may do, however it was planned or approved, and what always needs a human.',
    })
}

function article() {
  return z
    .strictObject({
      name: withDescription(
        z.string().trim().min(1).max(100),
        'The name that a breach reports. Counts are kept under this name.',
      ),
      text: withDescription(z.string().trim().min(1).max(500), 'The rule as a sentence for people.'),
      tools: withDescription(z.array(toolPattern()).min(1), 'The tools that it applies to.'),
      when: withDescription(
        z.array(condition()).min(1).optional(),
        'It applies to calls for which all of these hold; default: to all calls of its tools.',
      ),
      ask: withDescription(
        z.array(condition()).min(1).optional(),
        'If all of these hold, a human must approve this call, even if a plan or grant covers it.',
      ),
      forbid: withDescription(z.array(condition()).min(1).optional(), 'If all of these hold, the call is refused.'),
      at_most: ceiling().optional(),
      only_if: withDescription(
        z.array(fact()).min(1).optional(),
        'The call is refused unless all of these hold. A fact that cannot be read does not hold.',
      ),
    })
    .refine((given) => DEMANDS.some((name) => given[name] !== undefined), {
      error: `must demand something: ${DEMANDS.join(', ')}`,
    })
    .meta({
      description: 'One rule of the constitution and how it is enforced.',
      anyOf: DEMANDS.map((name) => ({ required: [name] })),
    })
}

function ceiling() {
  return withDescription(
    z.strictObject({
      argument: withDescription(
        jsonPointer('/budget').optional(),
        'JSON pointer to the argument that is counted; default: the cost in the input schema (x-cost).',
      ),
      amount: withDescription(z.number().min(0), 'The highest amount.'),
      per: withDescription(
        z.enum(['call', 'day', 'month', 'ever']),
        'The period: one call, a calendar day or month, or all time.',
      ),
      in_all: withDescription(
        z.literal(true).optional(),
        'One amount for all tools of the article; default: one for each tool.',
      ),
    }),
    'The highest amount in a period. A call counts before it runs; if its tool did not start, it does not count.',
  )
}

function fact() {
  const bound = (what: string) => withDescription(z.number().optional(), `The fact must be ${what} this number.`)
  return z
    .strictObject({
      fact: withDescription(
        z.strictObject({
          tool: withDescription(
            z.string().regex(/^[a-z0-9_]+(\.[a-z0-9_]+)+$/, { error: 'must be a canonical name, module.tool' }),
            'Canonical name of the tool that returns it. The tool must not change state.',
          ),
          arguments: withDescription(
            z.record(z.string(), z.unknown()).default({}),
            'Arguments of that tool. {"$argument": "/campaign_id"} is replaced by that argument of the call.',
          ),
          path: withDescription(jsonPointer('/rate'), 'JSON pointer to the number in the data.'),
        }),
        'A number that a tool returns. It is read through the pipeline for the same caller, and cached for two seconds.',
      ),
      above: bound('greater than'),
      at_least: bound('greater than or equal to'),
      below: bound('less than'),
      at_most: bound('less than or equal to'),
    })
    .refine((given) => BOUNDS.some((name) => given[name] !== undefined), {
      error: `must have a bound for the fact: ${BOUNDS.join(', ')}`,
    })
    .meta({ description: 'A fact and its bounds.', minProperties: 2 })
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}
