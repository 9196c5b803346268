/** Validates a definition in the lock file. Later comparisons rely on every field of it. */
import * as z from 'zod'
import { TOOL_NAME_PATTERN } from '../../protocol/envelope.ts'
import { isVersion } from '../../tool/version.ts'

const object = z.custom<object>((value) => typeof value === 'object' && value !== null && !Array.isArray(value), {
  error: 'must be an object',
})

const DEFINITION = z.looseObject({
  name: z.string().regex(TOOL_NAME_PATTERN, 'is not the name of a tool (module.tool)'),
  version: z.string().refine(isVersion, 'is not a semantic version (such as 1.2.0)'),
  title: z.string().optional(),
  description: z.string(),
  inputSchema: object,
  outputSchema: object,
  errors: object.refine((errors) => Object.values(errors).every((condition) => typeof condition === 'string'), {
    error: 'must have a text for every error type',
  }),
  idempotent: z.boolean(),
  destructive: z.boolean(),
  security: z.string(),
  examples: z.array(object),
  timeout: z.number().optional(),
  limit: z.looseObject({ calls: z.number(), per_ms: z.number() }).optional(),
  cacheTtl: z.number().optional(),
  deprecatedIn: z.string().optional(),
  replacedBy: z.string().optional(),
  keyed: z.literal(true).optional(),
  undo: z.literal(true).optional(),
  dryRun: z.literal(true).optional(),
  migration: z.string().optional(),
  errorDetails: object
    .refine((details) => Object.values(details).every((schema) => typeof schema === 'object' && schema !== null), {
      error: 'must have a schema for every error type',
    })
    .optional(),
  text: z.literal(true).optional(),
  openWorld: z.boolean().optional(),
  icons: z.array(object).optional(),
  meta: object.optional(),
  task: z.union([z.literal(false), z.enum(['allowed', 'required'])]).optional(),
})

export function definitionFaults(value: unknown): Pick<z.core.$ZodIssue, 'path' | 'message'>[] {
  const parsed = DEFINITION.safeParse(value)
  return parsed.success ? [] : parsed.error.issues.map(({ path, message }) => ({ path, message: `${message}.` }))
}
