/** The schema of a constitution: Zod for parsing it, and from that the JSON Schema with which editors complete and check it. */
import * as z from 'zod'
import {
  condition,
  describedObject,
  jsonPointer,
  lazySchema,
  rejectDuplicates,
  toolPattern,
} from './operator-schema.ts'

export type Constitution = z.output<ReturnType<typeof build>>
export type ArticleSource = Constitution['articles'][number]
export type FactSource = NonNullable<ArticleSource['only_if']>[number]

/** What an article may demand. */
export const DEMANDS = ['ask', 'forbid', 'at_most', 'only_if'] as const
export const BOUNDS = ['above', 'at_least', 'below', 'at_most'] as const

export const { schema: constitutionSchema, jsonSchema: constitutionJsonSchema } = lazySchema(build)

function build() {
  return describedObject(
    {
      $schema: z.string().optional(),
      time_zone: z
        .string()
        .refine(isTimeZone, { error: 'must be a time zone, such as UTC or Europe/Berlin' })
        .default('UTC'),
      articles: z.array(article()).default([]),
    },
    {
      $schema: 'Location of the JSON Schema of this file, for editors.',
      time_zone: 'The IANA time zone in which days and months begin; default UTC.',
      articles: 'Rules for every call of every caller. All of them apply.',
    },
  )
    .superRefine(({ articles }, ctx) => rejectDuplicates(articles, 'name', ['articles'], ctx))
    .meta({
      title: 'Myrmex constitution',
      description: 'What no call may do, however it was planned or approved, and what always needs a human.',
    })
}

function article() {
  const conditions = () => z.array(condition()).min(1).optional()
  return describedObject(
    {
      name: z.string().trim().min(1).max(100),
      text: z.string().trim().min(1).max(500),
      tools: z.array(toolPattern()).min(1),
      when: conditions(),
      ask: conditions(),
      forbid: conditions(),
      at_most: ceiling().optional(),
      only_if: z.array(fact()).min(1).optional(),
    },
    {
      name: 'The name that a breach reports. Counts are kept under this name.',
      text: 'The rule as a sentence for people.',
      tools: 'The tools that it applies to.',
      when: 'It applies to calls for which all of these hold; default: to all calls of its tools.',
      ask: 'If all of these hold, a human must approve this call, even if a plan or grant covers it.',
      forbid: 'If all of these hold, the call is refused.',
      at_most:
        'The highest amount in a period. A call counts before it runs; if its tool did not start, it does not count.',
      only_if: 'The call is refused unless all of these hold. A fact that cannot be read does not hold.',
    },
  )
    .refine((given) => DEMANDS.some((name) => given[name] !== undefined), {
      error: `must demand something: ${DEMANDS.join(', ')}`,
    })
    .meta({
      description: 'One rule of the constitution and how it is enforced.',
      anyOf: DEMANDS.map((name) => ({ required: [name] })),
    })
}

const ceiling = () =>
  describedObject(
    {
      argument: jsonPointer('/budget').optional(),
      amount: z.number().min(0),
      per: z.enum(['call', 'day', 'month', 'ever']),
      in_all: z.literal(true).optional(),
    },
    {
      argument: 'JSON pointer to the argument that is counted; default: the cost in the input schema (x-cost).',
      amount: 'The highest amount.',
      per: 'The period: one call, a calendar day or month, or all time.',
      in_all: 'One amount for all tools of the article; default: one for each tool.',
    },
  )

function fact() {
  const source = describedObject(
    {
      tool: z.string().regex(/^[a-z0-9_]+(\.[a-z0-9_]+)+$/, { error: 'must be a canonical name, module.tool' }),
      arguments: z.record(z.string(), z.unknown()).default({}),
      path: jsonPointer('/rate'),
    },
    {
      tool: 'Canonical name of the tool that returns it. The tool must not change state.',
      arguments: 'Arguments of that tool. {"$argument": "/campaign_id"} is replaced by that argument of the call.',
      path: 'JSON pointer to the number in the data.',
    },
  )
  const bound = z.number().optional()
  return describedObject(
    { fact: source, above: bound, at_least: bound, below: bound, at_most: bound },
    {
      fact: 'A number that a tool returns. It is read through the pipeline for the same caller, and cached for two seconds.',
      above: 'The fact must be greater than this number.',
      at_least: 'The fact must be greater than or equal to this number.',
      below: 'The fact must be less than this number.',
      at_most: 'The fact must be less than or equal to this number.',
    },
  )
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
