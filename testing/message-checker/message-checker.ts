/**
 * Holds every message a server sends against the official schemas of `@modelcontextprotocol/core`: the frame by its
 * JSON-RPC schema, the rest by the schema of the method it belongs to. Core's schemas serve both eras and are loose
 * about what only the modern one demands, so `modern.ts` adds that. Taps feed it; a test reads its verdict.
 */
import {
  CallToolResultSchema,
  CancelledNotificationSchema,
  CancelTaskResultSchema,
  CompleteResultSchema,
  CreateMessageRequestSchema,
  CreateTaskResultSchema,
  DiscoverResultSchema,
  ElicitRequestSchema,
  EmptyResultSchema,
  GetPromptResultSchema,
  GetTaskResultSchema,
  InitializeResultSchema,
  JSONRPCErrorResponseSchema,
  JSONRPCNotificationSchema,
  JSONRPCRequestSchema,
  JSONRPCResultResponseSchema,
  ListPromptsResultSchema,
  ListResourcesResultSchema,
  ListResourceTemplatesResultSchema,
  ListRootsRequestSchema,
  ListTasksResultSchema,
  ListToolsResultSchema,
  LoggingMessageNotificationSchema,
  ProgressNotificationSchema,
  PromptListChangedNotificationSchema,
  ReadResourceResultSchema,
  ResourceListChangedNotificationSchema,
  ResourceUpdatedNotificationSchema,
  ResultSchema,
  SubscriptionsAcknowledgedNotificationSchema,
  SubscriptionsListenResultSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/core'
import * as z from 'zod'
import { createdTaskSchema, inputRequiredSchema, isModern, modernSchema, taskSchema } from './modern-schemas.ts'

const RESULTS: Record<string, z.ZodType> = {
  initialize: InitializeResultSchema,
  ping: EmptyResultSchema,
  'server/discover': DiscoverResultSchema,
  'tools/list': ListToolsResultSchema,
  'tools/call': CallToolResultSchema,
  'resources/list': ListResourcesResultSchema,
  'resources/templates/list': ListResourceTemplatesResultSchema,
  'resources/read': ReadResourceResultSchema,
  'resources/subscribe': EmptyResultSchema,
  'resources/unsubscribe': EmptyResultSchema,
  'prompts/list': ListPromptsResultSchema,
  'prompts/get': GetPromptResultSchema,
  'completion/complete': CompleteResultSchema,
  'logging/setLevel': EmptyResultSchema,
  'subscriptions/listen': SubscriptionsListenResultSchema,
  'tasks/get': taskSchema,
  'tasks/update': ResultSchema,
  'tasks/cancel': ResultSchema,
  // Methods of our own: all that is official about them is that they give a result.
  'myrmex/batch': ResultSchema,
  'agent/plan': ResultSchema,
  'agent/critique': ResultSchema,
}

/** Tasks of 2025-11-25. */
const LEGACY_TASKS: Record<string, z.ZodType> = {
  'tasks/get': GetTaskResultSchema,
  'tasks/list': ListTasksResultSchema,
  'tasks/cancel': CancelTaskResultSchema,
  'tasks/result': CallToolResultSchema.extend({
    _meta: z.looseObject({ 'io.modelcontextprotocol/related-task': z.strictObject({ taskId: z.string() }) }),
  }),
}

const NOTIFICATIONS: Record<string, z.ZodType> = {
  'notifications/cancelled': CancelledNotificationSchema,
  'notifications/progress': ProgressNotificationSchema,
  'notifications/message': LoggingMessageNotificationSchema,
  'notifications/resources/updated': ResourceUpdatedNotificationSchema,
  'notifications/resources/list_changed': ResourceListChangedNotificationSchema,
  'notifications/tools/list_changed': ToolListChangedNotificationSchema,
  'notifications/prompts/list_changed': PromptListChangedNotificationSchema,
  'notifications/subscriptions/acknowledged': SubscriptionsAcknowledgedNotificationSchema,
  'notifications/tasks': z.looseObject({ params: taskSchema }),
}

const REQUESTS: Record<string, z.ZodType> = {
  'elicitation/create': ElicitRequestSchema,
  'sampling/createMessage': CreateMessageRequestSchema,
  'roots/list': ListRootsRequestSchema,
}

export interface MessageFault {
  why: string
  message: unknown
}

type Id = string | number
type Message = {
  id?: Id
  method?: string
  params?: { _meta?: object; task?: unknown }
  result?: { resultType?: unknown }
  error?: { code: number }
}

export class MessageChecker {
  readonly faults: MessageFault[] = []
  /** messages of the server that were held against a schema */
  judged = 0
  /** what the client sent, by method */
  readonly sent = new Map<string, number>()
  /** what the server sent on its own, by method */
  readonly received = new Map<string, number>()
  /** with which codes it refused */
  readonly codes = new Set<number>()

  /** One space of request ids: a stdio connection, a legacy session, a modern POST. */
  conversation(): Conversation {
    return new Conversation(this)
  }

  fault(why: string, message: unknown): void {
    this.faults.push({ why, message })
  }
}

const count = (counts: Map<string, number>, key: string): unknown => counts.set(key, (counts.get(key) ?? 0) + 1)

export class Conversation {
  readonly #judge: MessageChecker
  readonly #open = new Map<Id, Message>()

  constructor(judge: MessageChecker) {
    this.#judge = judge
  }

  isOpen(id: Id): boolean {
    return this.#open.has(id)
  }

  /** Messages of the client are not checked, but they decide which answers are valid. */
  fromClient(text: string): void {
    const message = JSON.parse(text) as Message
    if (typeof message.method !== 'string') return
    count(this.#judge.sent, message.method)
    if (message.id !== undefined) this.#open.set(message.id, message)
  }

  fromServer(text: string): void {
    this.#judge.judged++
    let message: Message
    try {
      message = JSON.parse(text) as Message
    } catch {
      return this.#judge.fault('not JSON', text)
    }
    this.#judgeMessage(message)
  }

  /** By its method where its request is known, by its frame where the request was no message that could be. */
  judge(text: string): void {
    let message: unknown
    try {
      message = JSON.parse(text)
    } catch {
      return this.#judge.fault('not JSON', text)
    }
    const { id, method } = message as Message
    if (method !== undefined || (id !== undefined && this.isOpen(id))) this.fromServer(text)
    else this.stray(message)
  }

  /** An answer to something that is no request: only its frame can be checked against a schema. */
  stray(message: unknown): void {
    this.#judge.judged++
    const frame = z.union([JSONRPCResultResponseSchema, JSONRPCErrorResponseSchema])
    for (const one of Array.isArray(message) ? message : [message]) this.#hold(one as Message, one, frame)
  }

  #judgeMessage(message: Message): void {
    const { id, method } = message
    if (method !== undefined) {
      count(this.#judge.received, method)
      const known = id === undefined ? NOTIFICATIONS : REQUESTS
      this.#hold(message, message, id === undefined ? JSONRPCNotificationSchema : JSONRPCRequestSchema)
      this.#hold(message, message, known[method] ?? unheardOf(method))
    } else if ('result' in message) {
      this.#hold(message, message, JSONRPCResultResponseSchema)
      this.#holdResult(message)
    } else {
      this.#hold(message, message, JSONRPCErrorResponseSchema)
      if (message.error !== undefined) this.#judge.codes.add(message.error.code)
      if (id !== undefined) this.#request(id, message)
    }
  }

  #holdResult(message: Message): void {
    const request = this.#request(message.id as Id, message)
    if (request === undefined) return
    const method = request.method as string
    const { result } = message
    if (!isModern(request)) return this.#hold(message, result, legacySchema(request))
    this.#hold(message, result, modernSchema(method))
    if (result?.resultType === 'input_required') this.#hold(message, result, inputRequiredSchema(REQUESTS))
    else if (result?.resultType === 'task') this.#hold(message, result, createdTaskSchema)
    else this.#hold(message, result, RESULTS[method] ?? unheardOf(method))
  }

  /** A request is answered once, and nothing is answered that was not asked. */
  #request(id: Id, answer: Message): Message | undefined {
    const request = this.#open.get(id)
    if (!this.#open.delete(id)) this.#judge.fault('answers a request that is not open', answer)
    return request
  }

  #hold(message: Message, part: unknown, schema: z.ZodType): void {
    const parsed = schema.safeParse(part)
    if (!parsed.success) this.#judge.fault(z.prettifyError(parsed.error), message)
  }
}

function legacySchema({ method = '', params }: Message): z.ZodType {
  if (method === 'tools/call' && params?.task !== undefined) return CreateTaskResultSchema
  return LEGACY_TASKS[method] ?? RESULTS[method] ?? unheardOf(method)
}

const unheardOf = (method: string): z.ZodType => z.never({ error: `${method} is no method of the protocol` })
