/** The AI SDK's model for the settings. Only the package of the wire that is spoken is loaded. */
import type { LanguageModel } from 'ai'
import type { BrainSettings } from './settings.ts'

export type Sdk = Pick<typeof import('ai'), 'generateText' | 'wrapLanguageModel'>
export type Model = Exclude<LanguageModel, string>

export async function openModel({ provider, model, wire, url, key }: BrainSettings): Promise<Model> {
  if (wire === 'anthropic') {
    const { createAnthropic } = await import('@ai-sdk/anthropic')
    return createAnthropic({ baseURL: url, apiKey: key ?? '', fetch: straight })(model)
  }
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
  return createOpenAICompatible({
    name: provider,
    baseURL: url,
    fetch: straight,
    ...(key === undefined ? {} : { apiKey: key }),
    ...(provider === 'openai' ? { transformRequestBody: renamed } : {}),
  })(model)
}

/** A thought is some thousand tokens; what is longer than this by far is no answer, and is not kept in memory to its end. */
const MAX_BYTES = 8_000_000

/** Follows no redirect: the key is for the host that the operator named, and `x-api-key` would be carried along. */
const straight: typeof fetch = async (input, init) => {
  const answer = await fetch(input, { ...init, redirect: 'manual' })
  if (answer.body === null) return answer
  const { status, statusText, headers } = answer
  return new Response(answer.body.pipeThrough(bounded()), { status, statusText, headers })
}

function bounded(): TransformStream<Uint8Array, Uint8Array> {
  let left = MAX_BYTES
  return new TransformStream({
    transform(chunk, controller) {
      left -= chunk.byteLength
      if (left >= 0) controller.enqueue(chunk)
      else controller.error(new Error(`the answer is longer than ${MAX_BYTES} bytes`))
    },
  })
}

/** OpenAI's newer models refuse `max_tokens`; all of them take the newer name, which other servers do not know. */
function renamed({ max_tokens, ...body }: Record<string, unknown>): Record<string, unknown> {
  return { ...body, max_completion_tokens: max_tokens }
}
