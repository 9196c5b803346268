/** A prompt of an upstream as one of this server's: filled and completed there. */
import { isObject, type JsonObject } from '../../protocol/json.ts'
import { ForwardedResult } from '../../tool/forwarded-result.ts'
import { type Prompt, type PromptArgument, prompt } from '../../tool/prompt.ts'
import type { Forwarder } from '../forward/forwarder.ts'
import { requestScopeOf } from '../forward/request-scope.ts'
import { proxiedCompleter } from './proxied-completion.ts'

/** `name` is what it is listed as here. */
export function proxiedPrompt(passage: Forwarder, name: string, listed: JsonObject): Prompt {
  const theirs = String(listed.name)
  const ref = { type: 'ref/prompt', name: theirs }
  const given = Array.isArray(listed.arguments)
    ? listed.arguments.filter((one): one is JsonObject => isObject(one))
    : []
  // Which of them it must have is for the upstream to say.
  const args = given.map(({ name: argument }): PromptArgument => {
    const complete = proxiedCompleter(passage.upstream, ref, String(argument))
    return { name: String(argument), ...(complete !== undefined && { complete }) }
  })
  return prompt({
    name,
    listing: listed,
    arguments: args,
    async get(filled, ctx) {
      // One that has arguments may insist on a list of them, were it empty.
      const isBare = args.length === 0 && Object.keys(filled).length === 0
      const params = isBare ? { name: theirs } : { name: theirs, arguments: filled }
      return new ForwardedResult(await passage.send({ method: 'prompts/get', params }, requestScopeOf(ctx)))
    },
  })
}
