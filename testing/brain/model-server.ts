/**
 * A language model's server on loopback that speaks the OpenAI-compatible or the Anthropic wire, and answers as scripted. It is
 * as strict as the real ones: path, key, model and the form of the messages must be right, else it answers with their errors.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type ModelApi = 'openai' | 'anthropic'
export const MODEL_APIS: readonly ModelApi[] = ['openai', 'anthropic']

export type Reply =
  | { readonly say: string; readonly finish?: 'cut' | 'filtered' }
  | { readonly refuse: string }
  | { readonly status: number; readonly message: string; readonly headers?: Record<string, string> }
  | { readonly raw: string }
  | 'hang'
  | 'drop'

export interface ModelRequest {
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: Record<string, unknown>
  /** the system prompt, and what the others said, whatever the wire */
  readonly system: string
  readonly messages: readonly { role: string; text: string }[]
}

export const KEY = 'sk-test-3f9c1d77e0b24a58'
export const MODEL = 'test-model:7b'
/** A name that the AI SDK knows something of: it gives at most 4096 tokens. */
export const SMALL_MODEL = 'claude-3-haiku-20240307'

export class ModelServer {
  readonly seen: ModelRequest[] = []
  readonly #wire: ModelApi
  readonly #server: Server
  #script: Reply[] = []
  #onAsked: (() => void) | undefined

  private constructor(wire: ModelApi) {
    this.#wire = wire
    this.#server = createServer((request, response) => void this.#answer(request, response))
  }

  static async start(wire: ModelApi): Promise<ModelServer> {
    const own = new ModelServer(wire)
    await new Promise<void>((resolve) => own.#server.listen(0, '127.0.0.1', resolve))
    return own
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v1`
  }

  /** The environment that leads here. */
  get env(): NodeJS.ProcessEnv {
    if (this.#wire === 'anthropic')
      return { MYRMEX_BRAIN: `anthropic:${MODEL}`, ANTHROPIC_BASE_URL: this.url, ANTHROPIC_API_KEY: KEY }
    return { MYRMEX_BRAIN: `openai-compatible:${MODEL}`, MYRMEX_BRAIN_URL: this.url, MYRMEX_BRAIN_KEY: KEY }
  }

  /** What it answers, one request after the other; more requests than that are an error of the test. */
  script(...replies: Reply[]): void {
    this.#script = replies
    this.seen.length = 0
  }

  get left(): number {
    return this.#script.length
  }

  /** Settles when the next request has arrived. */
  asked(): Promise<void> {
    return new Promise((resolve) => {
      this.#onAsked = resolve
    })
  }

  async close(): Promise<void> {
    if (!this.#server.listening) return
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = JSON.parse(Buffer.concat(chunks).toString('utf8')) as Record<string, unknown>
    const { system, messages, fault } = this.#wire === 'openai' ? readOpenAi(body) : readAnthropic(body)
    this.seen.push({ path: request.url ?? '', headers: request.headers, body, system, messages })
    const wrong = this.#refusal(request, body) ?? (fault === undefined ? undefined : { status: 400, message: fault })
    const reply = wrong ?? this.#script.shift() ?? { status: 418, message: 'the script of this test has ended' }
    this.#send(response, reply)
    this.#onAsked?.()
  }

  /** What both check before they look at a request. */
  #refusal({ method, url, headers }: IncomingMessage, body: Record<string, unknown>): Reply | undefined {
    const isOpenAi = this.#wire === 'openai'
    if (method !== 'POST' || url !== (isOpenAi ? '/v1/chat/completions' : '/v1/messages'))
      return { status: 404, message: `no such path: ${method} ${url}` }
    const key = isOpenAi ? headers.authorization : headers['x-api-key']
    // OpenAI quotes the key that it refuses; so does this server, in full.
    if (key !== (isOpenAi ? `Bearer ${KEY}` : KEY))
      return { status: 401, message: `Incorrect API key provided: ${key}` }
    if (!isOpenAi && headers['anthropic-version'] === undefined)
      return { status: 400, message: 'anthropic-version: required' }
    if (body.model !== MODEL && body.model !== SMALL_MODEL) return { status: 404, message: `model: ${body.model}` }
    return undefined
  }

  #send(response: ServerResponse, reply: Reply): void {
    if (reply === 'hang') return
    const json = { 'content-type': 'application/json' }
    if (reply === 'drop') {
      const text = JSON.stringify(this.#message('{"steps": [', 'stop'))
      response.writeHead(200, { ...json, 'content-length': text.length })
      response.write(text.slice(0, text.length / 2), () => response.destroy())
    } else if ('raw' in reply) {
      response.writeHead(200, json).end(reply.raw)
    } else if ('status' in reply) {
      const error = { message: reply.message, type: 'error', param: null, code: null }
      const shape =
        this.#wire === 'openai' ? { error } : { type: 'error', error: { type: 'api_error', message: reply.message } }
      // So that no test waits for the two seconds that the SDK would.
      response.writeHead(reply.status, { ...json, 'retry-after-ms': '1', ...reply.headers }).end(JSON.stringify(shape))
    } else {
      const message = 'refuse' in reply ? this.#refused(reply.refuse) : this.#message(reply.say, reply.finish ?? 'stop')
      response.writeHead(200, json).end(JSON.stringify(message))
    }
  }

  #message(text: string, finish: 'stop' | 'cut' | 'filtered'): object {
    if (this.#wire === 'openai') {
      const reason = { stop: 'stop', cut: 'length', filtered: 'content_filter' }[finish]
      return completion({ role: 'assistant', content: text, refusal: null }, reason)
    }
    const reason = { stop: 'end_turn', cut: 'max_tokens', filtered: 'refusal' }[finish]
    return answer(text === '' ? [] : [{ type: 'text', text }], reason)
  }

  #refused(text: string): object {
    if (this.#wire === 'openai') return completion({ role: 'assistant', content: null, refusal: text }, 'stop')
    return answer([{ type: 'text', text }], 'refusal')
  }
}

const completion = (message: object, finish_reason: string): object => ({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model: MODEL,
  choices: [{ index: 0, message, logprobs: null, finish_reason }],
  usage: { prompt_tokens: 120, completion_tokens: 34, total_tokens: 154 },
})

const answer = (content: object[], stop_reason: string): object => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: MODEL,
  content,
  stop_reason,
  stop_sequence: null,
  usage: { input_tokens: 120, output_tokens: 34 },
})

interface Form {
  system: string
  messages: { role: string; text: string }[]
  fault: string | undefined
}

const textOf = (content: unknown): string =>
  Array.isArray(content) ? content.map((part: { text?: string }) => part.text ?? '').join('') : String(content ?? '')

function formOf(body: Record<string, unknown>): { role: string; text: string }[] {
  const list = Array.isArray(body.messages) ? (body.messages as { role: string; content: unknown }[]) : []
  return list.map(({ role, content }) => ({ role, text: textOf(content) }))
}

function readOpenAi(body: Record<string, unknown>): Form {
  const all = formOf(body)
  const messages = all.filter(({ role }) => role !== 'system')
  const system = all
    .filter(({ role }) => role === 'system')
    .map(({ text }) => text)
    .join('\n')
  const isLimited = typeof body.max_tokens === 'number' || typeof body.max_completion_tokens === 'number'
  const known = all.every(({ role }) => ['system', 'user', 'assistant'].includes(role))
  return { system, messages, fault: known && isLimited && messages.length > 0 ? undefined : 'Invalid request.' }
}

function readAnthropic(body: Record<string, unknown>): Form {
  const messages = formOf(body)
  const alternate = messages.every(({ role }, index) => role === (index % 2 === 0 ? 'user' : 'assistant'))
  const filled = messages.length > 0 && messages.every(({ text }) => text.trim() !== '')
  const fault = alternate && filled && typeof body.max_tokens === 'number' ? undefined : 'messages: invalid'
  return { system: textOf(body.system), messages, fault }
}
