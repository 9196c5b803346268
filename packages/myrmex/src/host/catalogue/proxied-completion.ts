/** `completion/complete`, forwarded to the upstream that owns the prompt or the template, over the connection and account of the caller. */
import { isObject, type JsonObject } from '../../protocol/json.ts'
import { ForwardedResult } from '../../tool/forwarded-result.ts'
import type { Completer } from '../../tool/resource.ts'
import type { Forwarder } from '../forward/forwarder.ts'

/** Returns undefined if the upstream does not support completion. */
export function proxiedCompleter(forwarder: Forwarder, ref: JsonObject, name: string): Completer | undefined {
  if (!isObject(forwarder.upstream.listing?.capabilities.completions)) return undefined
  return async (value, others, ctx) => {
    const context = Object.keys(others).length > 0 && { context: { arguments: others } }
    const params = { ref, argument: { name, value }, ...context }
    return new ForwardedResult(await forwarder.send({ method: 'completion/complete', params }, ctx))
  }
}
