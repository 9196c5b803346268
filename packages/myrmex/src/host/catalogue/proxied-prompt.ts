/** A prompt of an upstream, registered on the host's server. The upstream fills and completes it. */
import { isObject, type JsonObject } from '../../protocol/json.ts'
import { ForwardedResult } from '../../tool/forwarded-result.ts'
import { type Prompt, type PromptArgument, prompt } from '../../tool/prompt.ts'
import { withUpstreamListing } from '../../tool/upstream-listing.ts'
import type { Forwarder } from '../forward/forwarder.ts'
import { proxiedCompleter } from './proxied-completion.ts'

/** `name` is its name on the host. */
export function proxiedPrompt(forwarder: Forwarder, name: string, listed: JsonObject): Prompt {
  const original = String(listed.name)
  const ref = { type: 'ref/prompt', name: original }
  const listedArguments = Array.isArray(listed.arguments)
    ? listed.arguments.filter((one): one is JsonObject => isObject(one))
    : []
  // The upstream checks which arguments are required.
  const args = listedArguments.map(({ name: argument }): PromptArgument => {
    const complete = proxiedCompleter(forwarder, ref, String(argument))
    return { name: String(argument), ...(complete !== undefined && { complete }) }
  })
  const made = prompt({
    name,
    arguments: args,
    async get(filled, ctx) {
      // Some servers require the field `arguments` even if it is empty. None rejects it.
      const params = { name: original, arguments: filled }
      return new ForwardedResult(await forwarder.send({ method: 'prompts/get', params }, ctx))
    },
  })
  return withUpstreamListing(made, listed)
}
