/** Valid messages of every method in both eras, for the server of fuzz.tools.ts. Everything hostile begins as one of them. */

export type Era = 'modern' | 'legacy'
type Params = Record<string, unknown>
interface Sent {
  readonly method: string
  readonly params?: Params
}

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'fuzz', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': {
    elicitation: { form: {} },
    sampling: {},
    roots: {},
    extensions: { 'io.modelcontextprotocol/tasks': {} },
  },
}

const call = (name: string, args: object, meta?: object): Sent => ({
  method: 'tools/call',
  params: { name, arguments: args, ...(meta && { _meta: meta }) },
})

const GOAL = 'Add 2 and 3, then echo the sum.'
const PLAN_STEP = { id: 's1', agent: 'fuzz', tool: 'fuzz.add', arguments: { a: 1, b: 2 }, needs: [], why: 'To know.' }

const CALLS: readonly Sent[] = [
  call('fuzz.add', { a: 1, b: 2 }),
  call('fuzz.add', { a: 1, b: 2 }, { 'myrmex/idempotencyKey': 'key-1', progressToken: 'p1' }),
  call('fuzz_echo', { text: 'hello', list: [1, 'a', null], map: { a: { b: 1 } } }, { 'myrmex/version': '^1.0.0' }),
  call('fuzz.order', { sku: 'chair-red', lines: [{ sku: 'a', count: 2 }], token: 'caller-token', when: '2026-11-16' }),
  call('fuzz.behave', { how: 'declared' }),
  call('fuzz.behave', { how: 'throw' }),
  call('fuzz.behave', { how: 'badOutput' }),
  call('fuzz.remove', { id: 'a' }),
  call('fuzz.remove', { id: 'a' }, { 'myrmex/undo': { data: { removed: true } }, 'myrmex/dryRun': true }),
  call('fuzz.ask', { question: 'Who?' }),
  call('fuzz.greet', {}),
  call('fuzz.later', { ms: 1 }),
]

const OTHERS: readonly Sent[] = [
  { method: 'tools/list', params: { cursor: undefined } },
  { method: 'resources/list' },
  { method: 'resources/templates/list' },
  { method: 'resources/read', params: { uri: 'fuzz://text' } },
  { method: 'resources/read', params: { uri: 'fuzz://item/42/data' } },
  { method: 'prompts/list' },
  { method: 'prompts/get', params: { name: 'letter', arguments: { to: 'Ada', tone: 'kind' } } },
  {
    method: 'completion/complete',
    params: { ref: { type: 'ref/prompt', name: 'letter' }, argument: { name: 'to', value: 'a' } },
  },
  {
    method: 'completion/complete',
    params: { ref: { type: 'ref/resource', uri: 'fuzz://item/{id}/data' }, argument: { name: 'id', value: '4' } },
  },
  {
    method: 'myrmex/batch',
    params: {
      calls: [
        { tool_name: 'fuzz.add', arguments: { a: 1, b: 2 } },
        { tool_name: 'fuzz.none', arguments: {} },
      ],
    },
  },
  { method: 'agent/plan', params: { goal: GOAL, context: { known: { a: 2 }, budget: { steps: 3 } } } },
  {
    method: 'agent/critique',
    params: { task: GOAL, output: { sum: 5 }, criteria: [{ name: 'right', kind: 'equals', path: '/sum', value: 5 }] },
  },
  {
    method: 'agent/plan',
    params: { goal: GOAL, plan: { goal: GOAL, steps: [PLAN_STEP], budget: {}, assumptions: [], questions: [] } },
  },
]

const MODERN: readonly Sent[] = [
  ...CALLS,
  ...OTHERS,
  { method: 'server/discover' },
  { method: 'tasks/get', params: { taskId: 'task-1' } },
  {
    method: 'tasks/update',
    params: { taskId: 'task-1', inputResponses: { name: { action: 'accept', content: { name: 'x' } } } },
  },
  { method: 'tasks/cancel', params: { taskId: 'task-1' } },
  {
    method: 'subscriptions/listen',
    params: { notifications: { toolsListChanged: true, resourceSubscriptions: ['fuzz://text'] } },
  },
  {
    method: 'tools/call',
    params: {
      name: 'fuzz.ask',
      arguments: { question: 'Who?' },
      requestState: 'eyJhIjoxfQ.c2ln',
      inputResponses: { who: { action: 'accept', content: { name: 'Ada' } } },
    },
  },
]

const LEGACY: readonly Sent[] = [
  ...CALLS,
  ...OTHERS,
  { method: 'ping' },
  { method: 'logging/setLevel', params: { level: 'debug' } },
  { method: 'resources/subscribe', params: { uri: 'fuzz://text' } },
  { method: 'resources/unsubscribe', params: { uri: 'fuzz://text' } },
  {
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'f', version: '1' } },
  },
]

const NOTIFICATIONS: readonly Sent[] = [
  { method: 'notifications/initialized' },
  { method: 'notifications/cancelled', params: { requestId: 'never', reason: 'tired' } },
  { method: 'notifications/progress', params: { progressToken: 'p1', progress: 1, total: 2 } },
  { method: 'notifications/roots/list_changed' },
]

const RESPONSES: readonly object[] = [
  { result: { action: 'accept', content: { name: 'Ada' } } },
  { result: { roots: [{ uri: 'file:///', name: 'root' }] } },
  { error: { code: -1, message: 'no', data: { a: 1 } } },
]

export const INITIALIZE = (protocolVersion: string): Sent => ({
  method: 'initialize',
  params: {
    protocolVersion,
    capabilities: { elicitation: { form: {} }, sampling: {}, roots: {} },
    clientInfo: { name: 'fuzz', version: '1.0.0' },
  },
})

export const toRequest = (id: string | number, { method, params = {} }: Sent, era: Era): Params => ({
  jsonrpc: '2.0',
  id,
  method,
  params: era === 'modern' ? { ...params, _meta: { ...META, ...(params._meta as object | undefined) } } : params,
})

/** All of one era. Requests have the id `ID`. */
export const ID = 'fuzz-id'
export const validMessages = (era: Era): readonly Params[] => [
  ...(era === 'modern' ? MODERN : LEGACY).map((one) => toRequest(ID, one, era)),
  ...NOTIFICATIONS.map(({ method, params }) => ({ jsonrpc: '2.0', method, ...(params && { params }) })),
  ...RESPONSES.map((one) => ({ jsonrpc: '2.0', id: 'ask-1', ...one })),
]
