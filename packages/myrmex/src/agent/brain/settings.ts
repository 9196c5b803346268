/**
 * The language model that the environment names: `MYRMEX_BRAIN=provider:model`. An invalid setting is an error that says what to
 * set. Nothing falls back silently, and no error contains a key.
 */
import { ToolError } from '../../protocol/errors.ts'

export interface BrainSettings {
  /** `provider:model`, as it was asked for */
  readonly name: string
  readonly provider: string
  readonly model: string
  readonly wire: 'openai' | 'anthropic'
  readonly url: string
  readonly key: string | undefined
  /** for one thought: both rounds and the retry together */
  readonly timeout_ms: number
}

interface Provider {
  readonly wire: BrainSettings['wire']
  readonly url?: string
  /** of the variables with its URL and key; a provider without one needs no key */
  readonly prefix?: string
}

const PROVIDERS: ReadonlyMap<string, Provider> = new Map([
  ['openai', { wire: 'openai', url: 'https://api.openai.com/v1', prefix: 'OPENAI' }],
  ['anthropic', { wire: 'anthropic', url: 'https://api.anthropic.com/v1', prefix: 'ANTHROPIC' }],
])
/** All others use the OpenAI-compatible wire at a URL that the operator sets. */
const OTHER: Provider = { wire: 'openai' }

const TIMEOUT_MS = 60_000
/** What a timer can hold. */
const MAX_TIMER_MS = 2 ** 31 - 1

const wrong = (message: string): ToolError => ToolError.of('ValidationError', message)

/** Blank counts as unset, as it does in a shell. */
const set = (env: NodeJS.ProcessEnv, name: string | undefined): string | undefined =>
  (name === undefined ? undefined : env[name]?.trim()) || undefined

/** undefined: no model is asked for. */
export function brainSettings(env: NodeJS.ProcessEnv): BrainSettings | undefined {
  const name = set(env, 'MYRMEX_BRAIN')
  if (name === undefined || name === 'rules') return undefined
  // The first colon only: models have colons in their names too (llama3.2:3b).
  const [, provider, model] = /^([a-z0-9][a-z0-9_.-]*):(\S+)$/i.exec(name) ?? []
  if (provider === undefined || model === undefined) {
    throw wrong(
      `MYRMEX_BRAIN is ${JSON.stringify(name)}, but wants provider:model, such as openai:gpt-5, anthropic:claude-sonnet-4-5 ` +
        'or ollama:llama3.2. Unset it to plan by rules.',
    )
  }
  const known = PROVIDERS.get(provider) ?? OTHER
  const keyVariable = known.prefix && `${known.prefix}_API_KEY`
  const key = set(env, 'MYRMEX_BRAIN_KEY') ?? set(env, keyVariable)
  if (key === undefined && keyVariable !== undefined) {
    throw wrong(`MYRMEX_BRAIN is ${name}, which needs a key. Set ${keyVariable} (or MYRMEX_BRAIN_KEY).`)
  }
  // It goes into a header. The error for an invalid header would contain it.
  if (key !== undefined && !/^[\x21-\x7e]+$/.test(key)) {
    throw wrong(
      `The key for MYRMEX_BRAIN=${name} has blanks, line breaks or other characters that no key has. Set it again.`,
    )
  }
  return {
    name,
    provider,
    model,
    wire: known.wire,
    url: urlOf(env, name, known),
    key,
    timeout_ms: timeoutOf(env),
  }
}

function urlOf(env: NodeJS.ProcessEnv, name: string, provider: Provider): string {
  const own = provider.prefix && `${provider.prefix}_BASE_URL`
  const variable = set(env, 'MYRMEX_BRAIN_URL') !== undefined ? 'MYRMEX_BRAIN_URL' : own
  // The SDK of this wire reads the variable by itself, and breaks on a blank one before it is asked anything.
  if (provider.wire === 'anthropic' && env.ANTHROPIC_BASE_URL?.trim() === '')
    throw wrong('ANTHROPIC_BASE_URL is set, but blank. Unset it, or give it a URL.')
  const text = set(env, variable) ?? provider.url
  if (text === undefined) {
    throw wrong(
      `MYRMEX_BRAIN is ${name}, and no URL for that provider is known. Set MYRMEX_BRAIN_URL to its OpenAI-compatible ` +
        'base URL, such as http://127.0.0.1:11434/v1 for Ollama.',
    )
  }
  const url = URL.parse(text)
  if (url === null || !['http:', 'https:'].includes(url.protocol)) {
    throw wrong(`${variable} wants an http or https URL.`)
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw wrong(`${variable} has a user, a password, a query or a fragment in it. Give the key in MYRMEX_BRAIN_KEY.`)
  }
  const base = url.href.replace(/\/+$/, '')
  // Anthropic's own tools write this variable without the version, the AI SDK with it. Both are understood.
  return provider.wire === 'anthropic' && !base.endsWith('/v1') ? `${base}/v1` : base
}

function timeoutOf(env: NodeJS.ProcessEnv): number {
  const text = set(env, 'MYRMEX_BRAIN_TIMEOUT_MS')
  if (text === undefined) return TIMEOUT_MS
  const number = Number(text)
  if (Number.isInteger(number) && number > 0 && number <= MAX_TIMER_MS) return number
  throw wrong(`MYRMEX_BRAIN_TIMEOUT_MS is ${JSON.stringify(text)}, but wants whole milliseconds, such as 60000.`)
}
