/**
 * What a piece of work may use: an amount of money alone, such as 5000, or limits of money, calls and time. Every place that takes a
 * budget reads both forms with this schema and gets the same one.
 */
import * as z from 'zod'
import { parseDuration } from './duration.ts'
import { pointerSteps } from './json.ts'
import { zodFaults } from './zod-issue.ts'

const TIME_FORMS = 'expected milliseconds, or a time such as "90s", "15m" or "2h"'

const money = z.number().nonnegative().describe('most that may be spent')
const milliseconds = z.int().positive()

const LimitsSchema = z.strictObject(
  {
    money: money.optional(),
    calls: z.int().nonnegative().optional().describe('most tool calls'),
    time: z
      .union([milliseconds, z.string().refine((text) => parseDuration(text) !== undefined, { error: TIME_FORMS })], {
        error: TIME_FORMS,
      })
      .optional()
      .describe('most time from start to end: milliseconds, or a text such as 15m; waiting for people does not count'),
    time_ms: milliseconds.optional().describe('the same in milliseconds'),
  },
  {
    error: ({ code }) =>
      code === 'invalid_type'
        ? 'expected an amount of money, such as 5000, or limits, such as {"money": 5000, "calls": 20, "time": "15m"}'
        : undefined,
  },
)

/** A budget as people and programs write it. */
export type BudgetInput = number | z.input<typeof LimitsSchema>

export interface Budget {
  money?: number | undefined
  calls?: number | undefined
  time_ms?: number | undefined
}

/** Not a union, whose errors would not say which limit is wrong. */
export const BudgetSchema = z
  .unknown()
  .transform((given, ctx): Budget => {
    const isAmount = typeof given === 'number'
    const limitsGiven = isAmount ? { money: given } : given
    const { data } = LimitsSchema.safeParse(limitsGiven)
    for (const { message, path } of data === undefined ? zodFaults(LimitsSchema, limitsGiven) : [])
      ctx.issues.push({ code: 'custom', message, path: isAmount ? [] : pointerSteps(path), input: given })
    if (data === undefined) return z.NEVER
    const { time, time_ms, ...limits } = data
    const long = time ?? time_ms
    if (long === undefined) return limits
    return { ...limits, time_ms: typeof long === 'number' ? long : (parseDuration(long) as number) }
  })
  .meta({ anyOf: [money, LimitsSchema].map(jsonSchema) }) as unknown as z.ZodType<Budget, BudgetInput>

function jsonSchema(schema: z.ZodType): object {
  const { $schema, ...json } = z.toJSONSchema(schema, { io: 'input' })
  return json
}
