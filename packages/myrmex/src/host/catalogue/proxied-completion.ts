/** `completion/complete`, forwarded to the upstream that owns the prompt or the template. */
import { isObject, type JsonObject } from '../../protocol/json.ts'
import type { Completer } from '../../tool/resource.ts'
import type { Upstream } from '../upstream/upstream.ts'

/** Returns undefined if the upstream does not support completion. */
export function proxiedCompleter(upstream: Upstream, ref: JsonObject, name: string): Completer | undefined {
  if (!isObject(upstream.listing?.capabilities.completions)) return undefined
  return async (value, others) => {
    const context = Object.keys(others).length > 0 && { context: { arguments: others } }
    const params = { ref, argument: { name, value }, ...context }
    const result = await upstream.request('completion/complete', params, { timeoutMs: upstream.settings.timeoutMs })
    const { values, total, hasMore } = isObject(result.completion) ? result.completion : {}
    return {
      values: Array.isArray(values) ? values.filter((one) => typeof one === 'string') : [],
      ...(typeof total === 'number' && { total }),
      ...(typeof hasMore === 'boolean' && { hasMore }),
    }
  }
}
