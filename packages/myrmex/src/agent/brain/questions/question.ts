/** A question to a model: our instructions, the data of others in fences, and how an answer is read. */
import * as z from 'zod'
import { zodFaults } from '../../../protocol/zod-issue.ts'
import { FENCE_RULE, fenced } from '../fence.ts'

export interface ModelQuestion<T> {
  /** the system prompt: ours alone */
  readonly instructions: string
  /** the user's message: nothing but fenced data */
  readonly data: string
  readonly maxOutputTokens: number
  /** what somebody should know of how it was asked, such as what was left out */
  readonly notes: readonly string[]
  read(answer: Record<string, unknown>): ReadResult<T>
}

export type ReadResult<T> = { ok: true; value: T } | { ok: false; problems: string[] }

/** A kind of question: its task and rules, and the schema that an answer must fit before it is read. */
export function questionKind<A>(task: string, rules: readonly string[], schema: z.ZodType<A>) {
  const instructions = instructionsOf(task, rules, schema)
  return <T>(values: Record<string, unknown>, read: (answer: A) => ReadResult<T>): ModelQuestion<T> => ({
    instructions,
    ...fencedAll(values),
    maxOutputTokens: 4096,
    read(answer) {
      const parsed = parseAnswer(schema, answer)
      return parsed.ok ? read(parsed.value) : parsed
    },
  })
}

/** The system prompt: the task, how to treat data, the rules, and the schema of the answer. */
export function instructionsOf(task: string, rules: readonly string[], answer: z.ZodType): string {
  const { $schema: _, ...json } = z.toJSONSchema(answer, { unrepresentable: 'any' })
  return [
    task,
    FENCE_RULE,
    'Rules:',
    ...rules.map((rule) => `- ${rule}`),
    'Answer with one JSON object and nothing else: no prose, no Markdown. It must fit this JSON Schema:',
    JSON.stringify(json),
  ].join('\n')
}

export function parseAnswer<T>(schema: z.ZodType<T>, answer: unknown): ReadResult<T> {
  const { success, data } = schema.safeParse(answer)
  if (success) return { ok: true, value: data }
  return { ok: false, problems: zodFaults(schema, answer).map(({ path, message }) => `${path || '/'}: ${message}`) }
}

/** In characters of JSON, for one value. */
const MAX_LENGTH = 40_000

/** Puts values into fences, each no longer than a model can be expected to read; notes say what was cut. */
export function fencedAll(values: Record<string, unknown>): { data: string; notes: string[] } {
  const notes: string[] = []
  const parts = Object.entries(values)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => {
      const json = JSON.stringify(value) ?? 'null'
      if (json.length <= MAX_LENGTH) return fenced(name, value)
      notes.push(`The model was shown the first ${MAX_LENGTH} of ${json.length} characters of the ${name}.`)
      return fenced(`${name}, cut off`, json.slice(0, MAX_LENGTH))
    })
  return { data: parts.join('\n'), notes }
}
