/** The result of another server, forwarded unchanged apart from what the era and this server add to every result. */
import type { JsonObject } from '../protocol/json.ts'

export class ForwardedResult {
  readonly result: JsonObject

  constructor(result: JsonObject) {
    this.result = result
  }
}
