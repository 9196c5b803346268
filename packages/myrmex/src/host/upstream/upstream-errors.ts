/** What a caller, the log and the operator are told of an upstream that is gone. No secret is in any of it. */
import type { StopSignal } from '../../pipeline/request-scope.ts'
import { CODE, RpcError, ToolError } from '../../protocol/errors.ts'
import { isObject, type JsonObject } from '../../protocol/json.ts'

/** What is said of whatever was thrown, on one line. */
export function describeFailure(thrown: unknown): string {
  if (thrown instanceof RpcError) return `it answered ${thrown.code}: ${thrown.message}`
  return thrown instanceof Error ? thrown.message : String(thrown)
}

/** The upstream is gone, and was not just slow, cancelled, of another opinion, or wrong in one answer. */
export function isConnectionLost(thrown: unknown): boolean {
  if (!(thrown instanceof ToolError) || thrown.error_type !== 'TransportError') return false
  const codes = isObject(thrown.error_details) ? thrown.error_details.codes : undefined
  return !(Array.isArray(codes) && codes.includes('INVALID_RESULT'))
}

export const isTimeout = (thrown: unknown): boolean =>
  thrown instanceof ToolError && thrown.error_type === 'TimeoutError'

export const isCancelled = (thrown: unknown): boolean =>
  thrown instanceof ToolError && thrown.error_type === 'CancelledError'

export function unavailable(server: string, why: string, retry_after_ms: number, cause?: unknown): ToolError {
  const text = `${why.replace(/[.\s]+$/, '')}. Try again in ${retry_after_ms} ms.`
  return ToolError.of('UnavailableError', text, { server, retry_after_ms }, { cause })
}

/** Waits for something as long as the caller does. */
export function untilAborted<T>(work: Promise<T>, signal: StopSignal | undefined): Promise<T> {
  if (signal === undefined) return work
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      const { reason } = signal
      reject(reason instanceof ToolError ? reason : ToolError.of('CancelledError', 'The request was cancelled.'))
    }
    if (signal.aborted) return stop()
    const listener = { handleEvent: stop }
    signal.addEventListener('abort', listener)
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', listener))
  })
}

/** Whoever let a call through had another definition of its tool before them than the server has now. */
export const definitionChanged = (server: string, tool: unknown): ToolError =>
  ToolError.of(
    'PermissionError',
    `${server}: its tool ${JSON.stringify(tool)} turned out to be another than it was when this call was let through. ` +
      'It was not called. List the tools again; `npx myrmex trust status` shows what changed.',
    { server, tool: String(tool) },
  )

/** Whoever gives no answers is asked nothing. */
export const rejectQuestion = (method: string): Promise<JsonObject> =>
  Promise.reject(new RpcError(CODE.methodNotFound, `Method not found: ${method}`))

export const healthCheckTimeout = (ms: number): ToolError =>
  ToolError.of('TimeoutError', `it did not answer within ${ms} ms when asked whether it is well, and was cut off`)
