/**
 * What a hostile upstream says around one call: notifications, questions, stray answers and noise, then hostile answers to the call, and at
 * the end a valid one, so that a caller is never left waiting by the upstream itself. The host's side counts the same messages.
 */
import type { SeededRandom } from '../../crash/seeded-random.ts'
import { mutated } from './mutate.ts'
import { mutatedBytes, withoutNewlines } from './mutate-text.ts'
import { type Json, toText } from './odd-values.ts'

const TEXT = { type: 'text', text: 'hello' }

const RESULTS: readonly Json[] = [
  { content: [TEXT], structuredContent: { text: 'hello' } },
  { content: [TEXT, { type: 'image', data: 'AAAA', mimeType: 'image/png' }], isError: false, _meta: { a: 1 } },
  {
    content: [
      { type: 'resource', resource: { uri: 'test://a', text: 'x' } },
      { type: 'resource_link', uri: 'test://b', name: 'b' },
    ],
  },
  {
    content: [TEXT],
    isError: true,
    structuredContent: { error_type: 'FullError', error_message: 'full', error_details: null },
  },
  {
    resultType: 'complete',
    content: [],
    _meta: { 'myrmex/result': { status: 'success', explanation: null, call_id: 'x' } },
  },
  {
    resultType: 'input_required',
    inputRequests: {
      who: {
        method: 'elicitation/create',
        params: { message: 'Who?', requestedSchema: { type: 'object', properties: {} } },
      },
    },
    requestState: 'abc',
  },
  {
    resultType: 'task',
    taskId: 't1',
    status: 'working',
    ttlMs: 1000,
    pollIntervalMs: 10,
    createdAt: '2026-11-16T00:00:00Z',
  },
]

const NOTIFICATIONS: readonly Json[] = [
  { method: 'notifications/progress', params: { progressToken: 1, progress: 1, total: 2, message: 'half' } },
  { method: 'notifications/message', params: { level: 'info', logger: 'l', data: { a: 1 } } },
  { method: 'notifications/cancelled', params: { requestId: 99_999, reason: 'no' } },
  { method: 'notifications/resources/updated', params: { uri: 'test://a' } },
  { method: 'notifications/subscriptions/acknowledged', params: { notifications: {} } },
  { method: 'notifications/tasks', params: { taskId: 't1', status: 'completed' } },
]

const QUESTIONS: readonly Json[] = [
  { id: 'q1', method: 'ping' },
  { id: 'q2', method: 'roots/list', params: {} },
  {
    id: 'q3',
    method: 'elicitation/create',
    params: { message: 'Who?', requestedSchema: { type: 'object', properties: { name: { type: 'string' } } } },
  },
  { id: 'q4', method: 'sampling/createMessage', params: { messages: [{ role: 'user', content: TEXT }], maxTokens: 5 } },
]

const TOOL = {
  name: 'read_thing',
  title: 'Read',
  description: 'Reads a thing.',
  inputSchema: { type: 'object', properties: { a: { type: 'string' } } },
  outputSchema: { type: 'object', properties: { text: { type: 'string' } } },
  annotations: { readOnlyHint: true },
}

export const LISTINGS: Readonly<Record<string, { readonly key: string; readonly items: readonly Json[] }>> = {
  'tools/list': {
    key: 'tools',
    items: [TOOL, { ...TOOL, name: 'deleteThing', annotations: { destructiveHint: true } }],
  },
  'resources/list': { key: 'resources', items: [{ uri: 'test://a', name: 'a', mimeType: 'text/plain' }] },
  'resources/templates/list': { key: 'resourceTemplates', items: [{ uriTemplate: 'test://{id}/x', name: 't' }] },
  'prompts/list': {
    key: 'prompts',
    items: [{ name: 'p', description: 'P.', arguments: [{ name: 'a', required: true }] }],
  },
}

const message = (parts: Json): Json => ({ jsonrpc: '2.0', ...(parts as object) })

/** Lines without their newline. Few of them are no JSON: after a thousand of these in a row the host drops the connection. */
export function hostileLines(random: SeededRandom, id: Json): Buffer[] {
  const lines: Buffer[] = []
  const say = (value: Json): void => {
    const text = toText(value)
    const bytes = random.often(0.1) ? mutatedBytes(text, '{}', random) : Buffer.from(text)
    lines.push(withoutNewlines(bytes))
  }
  const some = (pool: readonly Json[], most: number): void => {
    for (let times = random.between(0, most); times > 0; times--)
      say(mutated(message(random.pick(pool)), random, random.between(0, 3)))
  }
  some(NOTIFICATIONS, 4)
  some(QUESTIONS, 1)
  some(
    [
      { id: 4711, result: {} },
      { id, error: { code: -1, message: 'no' } },
    ],
    1,
  )
  const answer = random.often(0.8)
    ? { id, result: random.pick(RESULTS) }
    : { id, error: { code: -32_099, message: 'no', data: {} } }
  const hostile = mutated(message(answer), random, random.between(1, 4)) as Record<string, Json> | null
  // Most keep the id, or nobody would look at the rest of it.
  say(typeof hostile === 'object' && hostile !== null && random.often(0.8) ? { ...hostile, id } : hostile)
  lines.push(Buffer.from(toText(message({ id, result: { content: [TEXT] } }))))
  return lines
}

export const hostileListing = (random: SeededRandom, method: string): Json => {
  const { key, items } = LISTINGS[method] as (typeof LISTINGS)[string]
  const list = Array.from({ length: random.between(0, 4) }, () =>
    mutated(random.pick(items), random, random.between(0, 3)),
  )
  // The tool that is called is always there.
  return { [key]: method === 'tools/list' ? [TARGET_TOOL, ...list] : list }
}

export const TARGET_TOOL = {
  name: 'target',
  description: 'Says what the fuzz says.',
  inputSchema: { type: 'object', properties: { case: { type: 'integer' } } },
  annotations: { readOnlyHint: true },
}
