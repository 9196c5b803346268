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

/** Follows no redirect: the key is for the host that the operator named, and `x-api-key` would be carried along. */
const straight: typeof fetch = (input, init) => fetch(input, { ...init, redirect: 'manual' })

/** OpenAI's newer models refuse `max_tokens`; all of them take the newer name, which other servers do not know. */
function renamed({ max_tokens, ...body }: Record<string, unknown>): Record<string, unknown> {
  return { ...body, max_completion_tokens: max_tokens }
}
