/**
 * The questions of an upstream as the host passes them on: built member by member from what the specification knows, never copied.
 *
 * - A person sees which server asks: the message begins with its name, and so do the title and the description of every field. A title
 *   for the whole form is not part of the specification and is left out, as are all unknown members.
 * - Members of the wrong type are an error, which the upstream gets as the answer to its question.
 * - `includeContext` of sampling is left out: to the client `thisServer` is the host, and so every server behind it.
 */
import * as z from 'zod'
import type { InputRequest } from '../../protocol/content.ts'
import { type JsonObject, pointer } from '../../protocol/json.ts'
import { clip } from '../../protocol/text.ts'

/** Characters that hide or turn text around, and controls. Joiners stay: emoji and some scripts need them. */
const HIDDEN =
  /[\p{Cc}\p{Zl}\p{Zp}\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]/gu
const MAX_MESSAGE = 10_000
const MAX_LABEL = 200
const MAX_DESCRIPTION = 2000
const MAX_FIELDS = 100
const MAX_CHOICES = 1000

/** One line. */
const line = (text: string, most: number): string => clip(text.replace(/\s+/g, ' ').replace(HIDDEN, ''), most)

/** Several lines, but not so many that what is above them is out of sight. */
const lines = (text: string, most: number): string =>
  clip(
    text
      .split(/\r\n|[\n\r\u2028\u2029]/)
      .map((one) => one.replace(/\t/g, ' ').replace(HIDDEN, ''))
      .join('\n')
      .replace(/\s*\n\s*\n\s*/g, '\n\n'),
    most,
  )

const text = z.string()
const choices = z.array(text).min(1).max(MAX_CHOICES)
const titledChoices = z
  .array(z.object({ const: text, title: text.transform((title) => line(title, MAX_LABEL)) }))
  .min(1)
  .max(MAX_CHOICES)
const count = z.int().nonnegative()

const label = {
  title: text.optional(),
  description: text.optional(),
  /** marks that the answer is a secret; not part of the specification */
  'x-secret': z.boolean().optional(),
  writeOnly: z.boolean().optional(),
}

const field = z.union([
  z.object({
    ...label,
    type: z.literal('string'),
    enum: choices,
    enumNames: z.array(text).optional(),
    default: text.optional(),
  }),
  z.object({ ...label, type: z.literal('string'), oneOf: titledChoices, default: text.optional() }),
  z.object({
    ...label,
    type: z.literal('string'),
    minLength: count.optional(),
    maxLength: count.optional(),
    pattern: text.optional(),
    format: text.optional(),
    default: text.optional(),
  }),
  z.object({
    ...label,
    type: z.enum(['number', 'integer']),
    minimum: z.number().optional(),
    maximum: z.number().optional(),
    default: z.number().optional(),
  }),
  z.object({ ...label, type: z.literal('boolean'), default: z.boolean().optional() }),
  z.object({
    ...label,
    type: z.literal('array'),
    minItems: count.optional(),
    maxItems: count.optional(),
    items: z.union([z.object({ type: z.literal('string'), enum: choices }), z.object({ anyOf: titledChoices })]),
    default: z.array(text).optional(),
  }),
])

const formSchema = z.object({
  mode: z.literal('form').optional(),
  message: text,
  requestedSchema: z.object({
    $schema: text.optional(),
    type: z.literal('object'),
    properties: z
      .record(text.max(MAX_LABEL), field)
      .refine((all) => Object.keys(all).length <= MAX_FIELDS, `a form has at most ${MAX_FIELDS} fields`),
    required: z.array(text).max(MAX_FIELDS).optional(),
  }),
})

/** Other schemes could start programs, or run a script in the page of the client. */
const isWebPage = (url: string): boolean => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)

const urlSchema = z.object({
  mode: z.literal('url'),
  message: text,
  url: text.refine(isWebPage, 'the URL must begin with https: or http:'),
  elicitationId: text.optional(),
})

/** Content of messages is data for a model, and its kinds grow with the specification. */
const block = z.looseObject({ type: text })

const samplingSchema = z.object({
  messages: z.array(z.object({ role: z.enum(['user', 'assistant']), content: z.union([block, z.array(block)]) })),
  systemPrompt: text.optional(),
  maxTokens: z.number(),
  temperature: z.number().optional(),
  stopSequences: z.array(text).optional(),
  modelPreferences: z
    .object({
      hints: z.array(z.object({ name: text.optional() })).optional(),
      costPriority: z.number().optional(),
      speedPriority: z.number().optional(),
      intelligencePriority: z.number().optional(),
    })
    .optional(),
  metadata: z.looseObject({}).optional(),
  tools: z.array(z.looseObject({ name: text })).optional(),
  toolChoice: z.object({ mode: z.enum(['auto', 'required', 'none']).optional() }).optional(),
})

/** The question for the client, or why it is none, as the end of a sentence. */
export function buildQuestion(method: InputRequest['method'], params: unknown, server: string): InputRequest | string {
  switch (method) {
    case 'roots/list':
      return { method, params: {} }
    case 'sampling/createMessage': {
      const read = samplingSchema.safeParse(params)
      return read.success ? { method, params: read.data } : problemOf(read.error)
    }
    case 'elicitation/create':
      return isUrlMode(params) ? urlQuestion(params, server) : formQuestion(params, server)
  }
}

const isUrlMode = (params: unknown): boolean => (params as { mode?: unknown } | undefined)?.mode === 'url'

function urlQuestion(params: unknown, server: string): InputRequest | string {
  const read = urlSchema.safeParse(params)
  if (!read.success) return problemOf(read.error)
  return { method: 'elicitation/create', params: { ...read.data, message: attributed(read.data.message, server) } }
}

function formQuestion(params: unknown, server: string): InputRequest | string {
  const read = formSchema.safeParse(params)
  if (!read.success) return problemOf(read.error)
  const { message, requestedSchema, ...rest } = read.data
  const properties = Object.entries(requestedSchema.properties).map(([name, one]) => [
    name,
    labelled(name, one, server),
  ])
  return {
    method: 'elicitation/create',
    params: {
      ...rest,
      message: attributed(message, server),
      requestedSchema: { ...requestedSchema, properties: Object.fromEntries(properties) as JsonObject },
    },
  }
}

const attributed = (message: string, server: string): string =>
  `The server ${server} asks: ${lines(message, MAX_MESSAGE)}`

/** A field without a title is shown by its name, which the upstream chose too. */
function labelled(name: string, one: z.infer<typeof field>, server: string): object {
  const { title, description } = one
  return {
    ...one,
    title: `${server}: ${line(title ?? name, MAX_LABEL)}`,
    ...(description !== undefined && { description: `${server}: ${lines(description, MAX_DESCRIPTION)}` }),
    ...('enumNames' in one && one.enumNames && { enumNames: one.enumNames.map((choice) => line(choice, MAX_LABEL)) }),
  }
}

/** The first problem. Of a field that fits no type it says only that. */
function problemOf({ issues: [first] }: z.ZodError): string {
  return first === undefined
    ? 'is malformed'
    : `is malformed: ${clip(pointer(first.path) || '/', MAX_LABEL)}: ${first.message}`
}
