/** A result as somebody else's server gave it: it is told on as it is, with what the era and this server add to every result. */
import type { JsonObject } from '../protocol/json.ts'

export class ForwardedResult {
  readonly result: JsonObject

  constructor(result: JsonObject) {
    this.result = result
  }
}
