/** Questions that an upstream asks during its work. Each is answered once, and the number of open ones is limited. */
import { CODE, messageOf, RpcError, ToolError } from '../../protocol/errors.ts'
import type { JsonObject } from '../../protocol/json.ts'
import { errorResponse, fromRpcError, type RequestId, type Response } from '../../protocol/jsonrpc.ts'
import type { RawLinkOptions } from './raw-link.ts'

/** Each waits for a person or a model, so more is abuse. */
const MAX_OPEN = 100

export class OpenQuestions {
  readonly #open = new Map<RequestId, AbortController>()
  readonly #options: Pick<RawLinkOptions, 'handlers' | 'log'>
  readonly #send: (response: Response) => void

  constructor(options: Pick<RawLinkOptions, 'handlers' | 'log'>, send: (response: Response) => void) {
    this.#options = options
    this.#send = send
  }

  answer(id: RequestId, method: string, params: JsonObject): void {
    if (method === 'ping') return this.#send({ jsonrpc: '2.0', id, result: {} })
    if (this.#open.has(id)) {
      return this.#send(errorResponse(id, CODE.invalidRequest, `Invalid Request: ${id} is already in use`))
    }
    if (this.#open.size >= MAX_OPEN) {
      return this.#send(
        errorResponse(id, CODE.internal, `${MAX_OPEN} requests are waiting for an answer, which is the limit`),
      )
    }
    void this.#answerLater(id, method, params)
  }

  /** The upstream withdrew its question. */
  withdraw(id: unknown): void {
    const stop = this.#open.get(id as RequestId)
    if (stop === undefined) return
    this.#open.delete(id as RequestId)
    stop.abort(ToolError.of('CancelledError', 'The server withdrew its question.'))
  }

  /** The link is closed. */
  close(why: ToolError): void {
    const all = [...this.#open.values()]
    this.#open.clear()
    for (const stop of all) stop.abort(why)
  }

  async #answerLater(id: RequestId, method: string, params: JsonObject): Promise<void> {
    const stop = new AbortController()
    this.#open.set(id, stop)
    const response = await this.#asked(id, method, params, stop.signal)
    // Withdrawn meanwhile, or even asked again: drop this answer.
    if (this.#open.get(id) !== stop) return
    this.#open.delete(id)
    this.#send(response)
  }

  async #asked(id: RequestId, method: string, params: JsonObject, signal: AbortSignal): Promise<Response> {
    try {
      return { jsonrpc: '2.0', id, result: await this.#options.handlers.onRequest(method, params, signal) }
    } catch (thrown) {
      if (thrown instanceof RpcError) return fromRpcError(id, thrown)
      if (thrown instanceof ToolError) {
        return errorResponse(id, CODE.internal, thrown.message, { error_type: thrown.error_type })
      }
      // An internal error: it goes to the log, not to the upstream.
      this.#options.log(`(answering ${method} failed) ${messageOf(thrown)}`)
      return errorResponse(id, CODE.internal, 'Internal error')
    }
  }
}
