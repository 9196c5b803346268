/** Messages to text. A list that was rendered once for its revision is not rendered again for every client. */
import type { Message } from '../protocol/jsonrpc.ts'

/** A result that many responses share: a plain object to whoever reads it, and its JSON at hand for the wire. */
export class SharedResult {
  readonly #json: string

  constructor(result: object) {
    this.#json = JSON.stringify(result)
    Object.assign(this, result)
    Object.freeze(this)
  }

  static json(result: SharedResult): string {
    return result.#json
  }
}

export function encode(message: Message | Message[]): string {
  if (!Array.isArray(message) && 'result' in message && message.result instanceof SharedResult) {
    return `{"jsonrpc":"2.0","id":${JSON.stringify(message.id)},"result":${SharedResult.json(message.result)}}`
  }
  return JSON.stringify(message)
}
