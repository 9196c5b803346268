/** The time that opening a link may take, and the word to stop it. */
import { ToolError } from '../../protocol/errors.ts'

interface LimitOptions {
  readonly name: string
  readonly openMs: number
  readonly signal?: AbortSignal
}

export class OpenDeadline {
  readonly #over = Promise.withResolvers<never>()
  readonly #timer: NodeJS.Timeout
  readonly #signal: AbortSignal | undefined

  constructor(until: number, { name, openMs, signal }: LimitOptions) {
    this.#signal = signal
    this.#over.promise.catch(() => {})
    const late = ToolError.of('TransportError', `${name}: it was not open within ${openMs} ms`, {
      peer: name,
      codes: ['REQUEST_TIMEOUT'],
    })
    this.#timer = setTimeout(() => this.#over.reject(late), Math.max(0, until - performance.now()))
    signal?.addEventListener('abort', this.#stop)
    if (signal?.aborted) this.#stop()
  }

  async race<T>(work: Promise<T>): Promise<T> {
    // Should the time be over first, nobody waits for it any more.
    work.catch(() => {})
    return await Promise.race([work, this.#over.promise])
  }

  end(): void {
    clearTimeout(this.#timer)
    this.#signal?.removeEventListener('abort', this.#stop)
  }

  readonly #stop = (): void => this.#over.reject(openingStopped())
}

export const openingStopped = (): ToolError => ToolError.of('CancelledError', 'Opening the connection was stopped.')
