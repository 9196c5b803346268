/**
 * Messages to text. Most of what leaves is a tool's result or a list; both know how to write themselves faster than
 * JSON.stringify can find out what they are, and neither builds objects that only the wire would have read.
 */
import { CODE } from '../../protocol/errors.ts'
import { errorResponse, type Message } from '../../protocol/jsonrpc.ts'

/** A result that is written more cheaply than it is built. In-process peers get it built, the wire gets it written. */
export abstract class WireResult {
  /** The whole response: one piece of text is cheaper than two. `id` is JSON. */
  abstract toMessage(id: string): string
  abstract toObject(): object
  /** Writing it would first have to write its call's line; later, others may share that. */
  get isPending(): boolean {
    return false
  }
}

/** A result that many responses share, such as a list: rendered once for its revision, not for every client. */
export class SharedResult extends WireResult {
  readonly #object: object
  #text: string | undefined

  constructor(result: object) {
    super()
    this.#object = Object.freeze(result)
  }

  override toMessage(id: string): string {
    this.#text ??= JSON.stringify(this.#object)
    return `{"jsonrpc":"2.0","id":${id},"result":${this.#text}}`
  }

  override toObject(): object {
    return this.#object
  }
}

/** What cannot be written is our own fault, since everything was checked before; the peer still gets an answer. */
export function encode(message: Message | Message[]): string {
  try {
    return write(message)
  } catch {
    const id = Array.isArray(message) || !('id' in message) ? undefined : message.id
    return JSON.stringify(errorResponse(id, CODE.internal, 'Internal error: the answer could not be written.'))
  }
}

function write(message: Message | Message[]): string {
  if (!('result' in message) || !(message.result instanceof WireResult)) {
    return JSON.stringify(Array.isArray(message) ? message.map(toPlainMessage) : message)
  }
  const { id } = message
  return message.result.toMessage(typeof id === 'number' ? `${id}` : JSON.stringify(id))
}

/** The message as a plain object, for a peer in this process. */
export function toPlainMessage(message: Message): Message {
  if (!('result' in message) || !(message.result instanceof WireResult)) return message
  return { jsonrpc: '2.0', id: message.id, result: message.result.toObject() }
}
