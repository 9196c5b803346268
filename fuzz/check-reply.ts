/**
 * What a message may be answered with. Written from the specification and not from our code: a request gets one response with its
 * id, something that is no message one error, a notification and a response nothing. Every message that comes out is valid JSON-RPC.
 */

export class CaseFailure extends Error {}

type Id = string | number
type Fields = Record<string, unknown>

/** The answer that is due: none, or one with this id, or one for all messages of a batch. */
export type Due =
  | { readonly kind: 'none' }
  | { readonly kind: 'one'; readonly id: Id | undefined }
  | { readonly kind: 'batch'; readonly count: number }

const NONE: Due = { kind: 'none' }

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
/** A limit of the server (docs/serving.md): a longer id is not one, and is not repeated. */
const MAX_ID_LENGTH = 1000
const isId = (id: unknown): id is Id =>
  typeof id === 'string' ? id.length <= MAX_ID_LENGTH : typeof id === 'number' && Number.isSafeInteger(id)

/** A limit of the server (docs/serving.md): a longer batch is rejected as a whole, whatever is in it. */
const MAX_BATCH = 1000

/** `batches`: the revision of the session has batches. */
export function dueAnswer(value: unknown, batches = false): Due {
  if (Array.isArray(value)) {
    if (!batches || value.length === 0 || value.length > MAX_BATCH) return { kind: 'one', id: undefined }
    const count = value.filter((one) => Array.isArray(one) || dueAnswer(one).kind !== 'none').length
    return count === 0 ? NONE : { kind: 'batch', count }
  }
  if (!isObject(value)) return { kind: 'one', id: undefined }
  const id = isId(value.id) ? value.id : undefined
  if (value.jsonrpc !== '2.0') return { kind: 'one', id }
  if (typeof value.method === 'string') return Object.hasOwn(value, 'id') ? { kind: 'one', id } : NONE
  const isResponse = value.method === undefined && id !== undefined && (isObject(value.result) || isObject(value.error))
  return isResponse ? NONE : { kind: 'one', id }
}

/** Limits of the server (docs/serving.md): a larger message is not parsed, so that its id is not known. */
const MAX_CONTAINERS = 1_000_000
const MAX_LEVELS = 10_000
const MAX_WIDE_MEMBERS = 100_000
const WIDE = 1000
/** Shorter texts are always parsed. */
const SMALL_LENGTH = 65_536

export function isTooLarge(text: string, value: unknown): boolean {
  if (text.length <= SMALL_LENGTH) return false
  let [containers, wideMembers] = [0, 0]
  const open = [{ value, level: 1 }]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next.value !== 'object' || next.value === null) continue
    const items = Object.values(next.value)
    if (isObject(next.value)) wideMembers += Math.max(0, items.length - WIDE)
    if (++containers > MAX_CONTAINERS || next.level > MAX_LEVELS || wideMembers > MAX_WIDE_MEMBERS) return true
    for (const item of items) open.push({ value: item, level: next.level + 1 })
  }
  return false
}

/** Stays open until it is cancelled. */
export const isListen = (value: unknown): boolean =>
  isObject(value) && value.method === 'subscriptions/listen' && isId(value.id) && value.jsonrpc === '2.0'

export const hasListen = (value: unknown): boolean => (Array.isArray(value) ? value.some(isListen) : isListen(value))

/** The password is what a tool of the fuzz throws; no caller sends it. */
const LEAK = /node_modules|\.ts:\d+|hunter2/
const INTERNAL = -32603

export interface ReplyOptions {
  /** the code of an internal error may come from somewhere else */
  readonly mayBeInternal?: boolean
}

/** Throws unless it is a response, and none that reports a fault of ours. */
export function checkResponse(reply: unknown, options: ReplyOptions = {}): void {
  if (!isObject(reply) || reply.jsonrpc !== '2.0') throw new CaseFailure(`no JSON-RPC message: ${shown(reply)}`)
  if ('method' in reply) throw new CaseFailure(`a request or notification in place of a response: ${shown(reply)}`)
  const { id, result, error } = reply
  if ('result' in reply === 'error' in reply) throw new CaseFailure(`neither a result nor an error: ${shown(reply)}`)
  if ('result' in reply) {
    if (!isObject(result) || !isId(id)) throw new CaseFailure(`an invalid result: ${shown(reply)}`)
    return
  }
  if (!isObject(error) || !Number.isInteger(error.code) || typeof error.message !== 'string')
    throw new CaseFailure(`an invalid error: ${shown(reply)}`)
  if (id !== undefined && !isId(id)) throw new CaseFailure(`an invalid id: ${shown(reply)}`)
  if (error.code === INTERNAL && options.mayBeInternal !== true)
    throw new CaseFailure(`an internal error: ${shown(reply)}`)
  if (LEAK.test(error.message)) throw new CaseFailure(`an error that shows our code or a secret: ${shown(reply)}`)
}

/** What a server sends by itself. */
export function checkOwnMessage(message: unknown): void {
  const isWell =
    isObject(message) &&
    message.jsonrpc === '2.0' &&
    typeof message.method === 'string' &&
    (message.params === undefined || isObject(message.params)) &&
    (!('id' in message) || isId(message.id))
  if (!isWell) throw new CaseFailure(`no request or notification: ${shown(message)}`)
}

/** Throws unless `reply` is what was due. */
export function checkReply(due: Due, reply: unknown, options?: ReplyOptions): void {
  if (due.kind === 'none') {
    if (reply !== undefined) throw new CaseFailure(`an answer where none is due: ${shown(reply)}`)
    return
  }
  if (reply === undefined) throw new CaseFailure('no answer where one is due')
  if (due.kind === 'batch') {
    if (!Array.isArray(reply) || reply.length !== due.count)
      throw new CaseFailure(`a batch with ${due.count} requests was answered with ${shown(reply)}`)
    for (const one of reply) checkResponse(one)
    return
  }
  checkResponse(reply, options)
  const { id } = reply as Fields
  if (due.id !== undefined && id !== due.id)
    throw new CaseFailure(`an answer with the id ${shown(id)} instead of ${shown(due.id)}: ${shown(reply)}`)
}

const SHOWN = 500

export function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value))
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}… (${text.length} characters)` : text
}
