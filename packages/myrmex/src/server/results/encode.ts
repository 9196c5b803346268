/**
 * Serialises messages. Most are tool results and lists, which write their own text faster than JSON.stringify and without building
 * objects first.
 */
import { CODE } from '../../protocol/errors.ts'
import { errorResponse, type Message } from '../../protocol/jsonrpc.ts'

/** A result that is cheaper to write than to build. In-process peers get the object, the wire gets the text. */
export abstract class WireResult {
  /** The whole response in one string, which is cheaper than two. `id` is JSON. */
  abstract toMessage(id: string): string
  abstract toObject(): object
  /** Its audit record is not written yet. Waiting lets several results share one write. */
  get isPending(): boolean {
    return false
  }
  /** About how long its text will be, as far as that is known already. */
  get knownLength(): number {
    return 0
  }
}

/** A result that many responses share, such as a list. It is serialised once. */
export class SharedResult extends WireResult {
  readonly #object: object
  #text: string | undefined

  constructor(result: object) {
    super()
    this.#object = Object.freeze(result)
  }

  get #json(): string {
    this.#text ??= JSON.stringify(this.#object)
    return this.#text
  }

  override toMessage(id: string): string {
    return `{"jsonrpc":"2.0","id":${id},"result":${this.#json}}`
  }

  override get knownLength(): number {
    return this.#json.length
  }

  override toObject(): object {
    return this.#object
  }
}

/** Everything was checked before, so a failure here is an internal error. The peer still gets an answer. */
export function encode(message: Message | Message[]): string {
  try {
    return write(message)
  } catch {
    const id = Array.isArray(message) || !('id' in message) ? undefined : message.id
    return JSON.stringify(errorResponse(id, CODE.internal, 'Internal error: the answer could not be serialised.'))
  }
}

function write(message: Message | Message[]): string {
  if (!('result' in message) || !(message.result instanceof WireResult)) {
    return JSON.stringify(Array.isArray(message) ? message.map(toPlainMessage) : message)
  }
  const { id } = message
  return message.result.toMessage(typeof id === 'number' ? `${id}` : JSON.stringify(id))
}

/** About how long the text of a message will be, as far as that is known already. */
export const knownLength = (message: Message | Message[]): number =>
  'result' in message && message.result instanceof WireResult ? message.result.knownLength : 0

export function toPlainMessage(message: Message): Message {
  if (!('result' in message) || !(message.result instanceof WireResult)) return message
  return { jsonrpc: '2.0', id: message.id, result: message.result.toObject() }
}
