/** The deadline and the abort signal for opening a link. */
import { ToolError } from '../../protocol/errors.ts'

interface OpenDeadlineOptions {
  readonly name: string
  readonly openMs: number
  readonly signal?: AbortSignal
}

export class OpenDeadline {
  readonly #expired = Promise.withResolvers<never>()
  readonly #timer: NodeJS.Timeout
  readonly #signal: AbortSignal | undefined

  constructor(until: number, { name, openMs, signal }: OpenDeadlineOptions) {
    this.#signal = signal
    this.#expired.promise.catch(() => {})
    const late = ToolError.of('TransportError', `${name}: no connection within ${openMs} ms`, {
      peer: name,
      codes: ['REQUEST_TIMEOUT'],
    })
    this.#timer = setTimeout(() => this.#expired.reject(late), Math.max(0, until - performance.now()))
    signal?.addEventListener('abort', this.#stop)
    if (signal?.aborted) this.#stop()
  }

  async race<T>(work: Promise<T>): Promise<T> {
    // After the deadline nobody awaits the work any more.
    work.catch(() => {})
    return await Promise.race([work, this.#expired.promise])
  }

  end(): void {
    clearTimeout(this.#timer)
    this.#signal?.removeEventListener('abort', this.#stop)
  }

  readonly #stop = (): void => this.#expired.reject(openingStopped())
}

export const openingStopped = (): ToolError => ToolError.of('CancelledError', 'Opening the connection was stopped.')
