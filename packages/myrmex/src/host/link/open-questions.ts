/** What the upstream asks us while it works: each question is answered once, at most so many are open at a time. */
import { CODE, RpcError, ToolError } from '../../protocol/errors.ts'
import type { JsonObject } from '../../protocol/json.ts'
import { errorResponse, fromRpcError, type RequestId, type Response } from '../../protocol/jsonrpc.ts'
import type { LinkHandlers } from './link.ts'

/** Each waits for a person or a model: nobody has more of them in earnest. */
const MOST_OPEN = 100

export class OpenQuestions {
  readonly #open = new Map<RequestId, AbortController>()
  readonly #ask: LinkHandlers['onRequest']
  readonly #send: (response: Response) => void
  readonly #tell: (line: string) => void

  constructor(ask: LinkHandlers['onRequest'], send: (response: Response) => void, tell: (line: string) => void) {
    this.#ask = ask
    this.#send = send
    this.#tell = tell
  }

  answer(id: RequestId, method: string, params: JsonObject): void {
    if (method === 'ping') return this.#send({ jsonrpc: '2.0', id, result: {} })
    if (this.#open.has(id)) {
      return this.#send(errorResponse(id, CODE.invalidRequest, `Invalid Request: ${id} is asked already`))
    }
    if (this.#open.size >= MOST_OPEN) {
      return this.#send(errorResponse(id, CODE.internal, `${MOST_OPEN} requests wait for an answer: no more are taken`))
    }
    void this.#answer(id, method, params)
  }

  /** The upstream does not want to know any more. */
  withdraw(id: unknown): void {
    const stop = this.#open.get(id as RequestId)
    if (stop === undefined) return
    this.#open.delete(id as RequestId)
    stop.abort(ToolError.of('CancelledError', 'The server took its question back.'))
  }

  /** The link is gone. */
  close(why: ToolError): void {
    const all = [...this.#open.values()]
    this.#open.clear()
    for (const stop of all) stop.abort(why)
  }

  async #answer(id: RequestId, method: string, params: JsonObject): Promise<void> {
    const stop = new AbortController()
    this.#open.set(id, stop)
    const response = await this.#asked(id, method, params, stop.signal)
    // Taken back in the meantime, or even asked anew: this answer is nobody's.
    if (this.#open.get(id) !== stop) return
    this.#open.delete(id)
    this.#send(response)
  }

  async #asked(id: RequestId, method: string, params: JsonObject, signal: AbortSignal): Promise<Response> {
    try {
      return { jsonrpc: '2.0', id, result: await this.#ask(method, params, signal) }
    } catch (thrown) {
      if (thrown instanceof RpcError) return fromRpcError(id, thrown)
      if (thrown instanceof ToolError) {
        return errorResponse(id, CODE.internal, thrown.message, { error_type: thrown.error_type })
      }
      // Our own fault: the upstream learns nothing of it, the log does.
      this.#tell(`(the answer to ${method} failed) ${thrown instanceof Error ? thrown.message : String(thrown)}`)
      return errorResponse(id, CODE.internal, 'Internal error')
    }
  }
}
