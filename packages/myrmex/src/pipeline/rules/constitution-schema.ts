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
      $schema: withDescription(z.string().optional(), 'Where the JSON Schema of this file is, for editors.'),
      time_zone: withDescription(
        z.string().refine(isTimeZone, { error: 'must be a time zone, such as UTC or Europe/Berlin' }).default('UTC'),
        'Where days and months begin: an IANA time zone. UTC if not said.',
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
        'What the article is called where it is breached. What was counted is counted under this name.',
      ),
      text: withDescription(z.string().trim().min(1).max(500), 'What it says, as a sentence for people.'),
      tools: withDescription(z.array(toolPattern()).min(1), 'Which tools it is about.'),
      when: withDescription(
        z.array(condition()).min(1).optional(),
        'The article is about calls for which all of these hold; about all calls of its tools if not said.',
      ),
      ask: withDescription(
        z.array(condition()).min(1).optional(),
        'When all of these hold, a human is asked about this very call, whatever plan or standing grant covers it.',
      ),
      forbid: withDescription(z.array(condition()).min(1).optional(), 'When all of these hold, the call is refused.'),
      at_most: ceiling().optional(),
      only_if: withDescription(
        z.array(fact()).min(1).optional(),
        'All of these must hold, or the call is refused; also where one of them cannot be found out.',
      ),
    })
    .refine((given) => DEMANDS.some((name) => given[name] !== undefined), {
      error: `must demand something: ${DEMANDS.join(', ')}`,
    })
    .meta({
      description: 'One sentence of the constitution, and what is done about it.',
      anyOf: DEMANDS.map((name) => ({ required: [name] })),
    })
}

function ceiling() {
  return withDescription(
    z.strictObject({
      argument: withDescription(
        jsonPointer('/budget').optional(),
        'JSON pointer to the argument that is counted. If not said, what the input schema marks as money (x-cost).',
      ),
      amount: withDescription(z.number().min(0), 'How much may pass.'),
      per: withDescription(
        z.enum(['call', 'day', 'month', 'ever']),
        'Over what it is counted: one call, a day or a month of the calendar, or all time.',
      ),
      in_all: withDescription(
        z.literal(true).optional(),
        'All tools of the article together. If not said, each tool has its own amount.',
      ),
    }),
    'No more than this may pass. What a call may spend counts before it runs, and not at all if its tool was never begun.',
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
            'The tool that knows it, by its canonical name. It must be one that changes nothing.',
          ),
          arguments: withDescription(
            z.record(z.string(), z.unknown()).default({}),
            'What it is called with. {"$argument": "/campaign_id"} stands for that argument of the call in question.',
          ),
          path: withDescription(jsonPointer('/rate'), 'JSON pointer to the number in what the tool answers.'),
        }),
        'A number that a tool knows. It is read through the pipeline, for the same caller, and kept for two seconds.',
      ),
      above: bound('greater than'),
      at_least: bound('greater than or equal to'),
      below: bound('less than'),
      at_most: bound('less than or equal to'),
    })
    .refine((given) => BOUNDS.some((name) => given[name] !== undefined), {
      error: `must say what the fact must be: ${BOUNDS.join(', ')}`,
    })
    .meta({ description: 'A fact, and what it must be.', minProperties: 2 })
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}
