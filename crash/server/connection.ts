/** A way to a server that may die at any moment: what is asked, and the answer, or nothing if none came any more. */

export type Era = 'modern' | 'legacy'

export interface Question {
  readonly method: string
  readonly params: Readonly<Record<string, unknown>>
  /** idempotency key */
  readonly key?: string
  /** the client speaks tasks, which only the modern era has */
  readonly tasks?: boolean
}

/** A JSON-RPC response, as far as anybody looks into it. */
export interface Response {
  readonly id?: unknown
  readonly result?: Readonly<Record<string, unknown>>
  readonly error?: { readonly code: number; readonly message: string }
}

export interface CrashConnection {
  /** false once the server was killed */
  readonly open: boolean
  /** Nothing is sent any more; what the server has sent is still read. */
  close(): void
  ask(question: Question): Promise<Response | undefined>
  /** The routes `/call` and `/batch` beside MCP; only over HTTP. */
  readonly post?: (path: string, body: object, key: string) => Promise<object | undefined>
}

export const INITIALIZE = {
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'crash', version: '1.0.0' } },
} as const

export const isModern = (era: Era, { tasks }: Question): boolean => era === 'modern' || tasks === true

export function messageOf(id: number, era: Era, question: Question): object {
  const { method, params, key, tasks } = question
  const keyed = key === undefined ? undefined : { 'myrmex/idempotencyKey': key }
  const modern = isModern(era, question) ? modernMeta(tasks === true) : undefined
  return { jsonrpc: '2.0', id, method, params: { ...params, _meta: { ...modern, ...keyed } } }
}

const modernMeta = (tasks: boolean): object => ({
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'crash', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': tasks ? { extensions: { 'io.modelcontextprotocol/tasks': {} } } : {},
})
