/** Shared by the schemas of the operator's files: descriptions, tool patterns, conditions on arguments, the check for duplicates. */
import * as z from 'zod'
import { ToolError } from '../../protocol/errors.ts'
import type { JsonObject } from '../../protocol/json.ts'
import { compileCondition, isPointer, OPERATOR_NAMES } from './condition.ts'

export const withDescription = <T extends z.ZodType>(schema: T, description: string, more: object = {}): T =>
  schema.meta({ description, ...more })

/** A strict object of fields, each with its description. */
export function describedObject<Shape extends Record<string, z.ZodType>>(
  shape: Shape,
  descriptions: { readonly [Name in keyof Shape]: string },
): z.ZodObject<Shape, z.core.$strict> {
  const fields = Object.entries(shape).map(([name, field]) => [name, withDescription(field, descriptions[name] ?? '')])
  return z.strictObject(Object.fromEntries(fields) as Shape)
}

/** Created on first use: a server without the file does not pay for it. The JSON Schema is draft-07, which editors support. */
export function lazySchema<T extends z.ZodType>(build: () => T): { schema: () => T; jsonSchema: () => JsonObject } {
  let made: T | undefined
  const schema = (): T => {
    made ??= build()
    return made
  }
  return {
    schema,
    jsonSchema: () => z.toJSONSchema(schema(), { target: 'draft-7', io: 'input' }) as unknown as JsonObject,
  }
}

/** Tools; resources of a server; prompts and agent methods, which have names like tools; methods of a program. */
const PATTERN =
  /^(\*|[a-z0-9_]+(\.[a-z0-9_]+)*\.\*|[a-z0-9_]+(\.[a-z0-9_]+)+|resource:(\*|[a-z0-9_.]+(:\S+)?)|(prompt|agent):(\*|[a-z0-9_]+(\.[a-z0-9_]+)*(\.\*)?)|method:\S+)$/

export const toolPattern = () =>
  withDescription(
    z.string().regex(PATTERN, {
      error: 'must be module.tool, module.*, resource:server, prompt:server.name or *, in canonical names',
    }),
    'A tool by its canonical name (shop.refund), all of a module and what is below it (shop.*), the resources of a server ' +
      '(resource:files), a prompt (prompt:files.greet, prompt:files.*), a method of an agent (agent:ops.plan), or everything (*).',
  )

export const jsonPointer = (example: string) =>
  z.string().refine(isPointer, { error: `must be a JSON pointer, such as ${example}` })

/** What one argument must be: all its operators must hold; see condition.ts. */
export type Condition = z.output<ReturnType<typeof operators>>

export function condition() {
  const given = operators().refine((said) => OPERATOR_NAMES.some((name) => said[name] !== undefined), {
    error: `must have an operator: ${OPERATOR_NAMES.join(', ')}`,
  })
  return withDescription(given, 'A condition on one argument. All its operators must hold.', { minProperties: 2 })
}

function operators() {
  const number = (what: string): string =>
    `The argument is ${what} this number. An argument that is missing or no number counts as such.`
  return describedObject(
    {
      argument: jsonPointer('/amount'),
      above: z.number().optional(),
      at_least: z.number().optional(),
      below: z.number().optional(),
      at_most: z.number().optional(),
      longer_than: z.int().min(0).optional(),
      matches: z.string().superRefine(usable).optional().meta({ format: 'regex' }),
      equals: z.unknown().optional(),
      not_equals: z.unknown().optional(),
      one_of: z.array(z.unknown()).min(1).optional(),
      not_one_of: z.array(z.unknown()).min(1).optional(),
      present: z.literal(true).optional(),
      absent: z.literal(true).optional(),
    },
    {
      argument: 'JSON pointer to the argument: /amount, /order/lines/0/price. Empty: all arguments.',
      above: number('greater than'),
      at_least: number('greater than or equal to'),
      below: number('less than'),
      at_most: number('less than or equal to'),
      longer_than: 'A text with more characters, or a list with more items, than this. Other values count as such.',
      matches:
        'Regular expression (JavaScript, flag u; no backreferences), matched anywhere in the text. A value ' +
        'that is missing, no text, or longer than 4096 characters counts as matching.',
      equals: 'The argument is exactly this JSON value. A missing one is not.',
      not_equals: 'The argument is not exactly this JSON value, or is missing.',
      one_of: 'The argument is exactly one of these JSON values.',
      not_one_of: 'The argument is none of these values, or is missing.',
      present: 'The argument is present, even if null.',
      absent: 'The argument is missing.',
    },
  )
}

function usable(source: string, ctx: z.RefinementCtx): void {
  try {
    compileCondition({ argument: '', matches: source })
  } catch (error) {
    if (!(error instanceof ToolError)) throw error
    ctx.addIssue({ code: 'custom', message: `is not a usable pattern: ${error.message}` })
  }
}

/** Of two entries with the same name it would be unclear which one counts. */
export function rejectDuplicates<Key extends string>(
  items: readonly Record<Key, string>[],
  key: Key,
  path: string[],
  ctx: z.RefinementCtx,
): void {
  const seen = new Set<string>()
  for (const [index, item] of items.entries()) {
    const value = item[key].toLowerCase()
    if (seen.has(value)) ctx.addIssue({ code: 'custom', path: [...path, index, key], message: 'is there twice' })
    seen.add(value)
  }
}
