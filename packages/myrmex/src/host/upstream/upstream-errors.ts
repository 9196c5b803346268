/** The errors of an upstream, for callers, the log and the operator. None of them contains a secret. */
import type { StopSignal } from '../../pipeline/request-scope.ts'
import { CODE, messageOf, RpcError, ToolError } from '../../protocol/errors.ts'
import { isObject, type Json } from '../../protocol/json.ts'

/** Describes a thrown value in one line. */
export function describeFailure(thrown: unknown): string {
  if (thrown instanceof RpcError) return `error ${thrown.code}: ${thrown.message}`
  return messageOf(thrown)
}

/** The error of an answer. Nothing in it is trusted. */
export function toRpcError(error: unknown, otherwise: string): RpcError {
  const { code, message, data } = isObject(error) ? error : {}
  return new RpcError(
    typeof code === 'number' && Number.isSafeInteger(code) ? code : CODE.internal,
    typeof message === 'string' ? message : otherwise,
    data as Json | undefined,
  )
}

/** Whether the connection is lost: the request did not just time out, get cancelled, or return an error or an invalid result. */
export function isConnectionLost(thrown: unknown): boolean {
  if (!(thrown instanceof ToolError) || thrown.error_type !== 'TransportError') return false
  const codes = isObject(thrown.error_details) ? thrown.error_details.codes : undefined
  return !(Array.isArray(codes) && codes.includes('INVALID_RESULT'))
}

export const isTimeout = (thrown: unknown): boolean =>
  thrown instanceof ToolError && thrown.error_type === 'TimeoutError'

export const isCancelled = (thrown: unknown): boolean =>
  thrown instanceof ToolError && thrown.error_type === 'CancelledError'

/** Waits for `work` until the caller aborts. */
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

/** The definition that the call was checked against is no longer that of the server. */
export const definitionChanged = (
  server: string,
  name: unknown,
  kind: 'tool' | 'prompt' | 'resource' | 'template' = 'tool',
): ToolError =>
  ToolError.of(
    'PermissionError',
    `${server}: the server changed its ${kind} ${JSON.stringify(name)} before this call reached it. ` +
      `The ${kind} was not ${kind === 'tool' ? 'called' : 'used'}. List the ${kind}s again. \`npx myrmex trust status\` shows what changed.`,
    { server, tool: String(name) },
  )

/** The host is its own server. No other attempt ends otherwise. */
export class OwnServerError extends ToolError {
  constructor(server: string) {
    super(
      'ValidationError',
      `${server}: its URL leads back to this host, which cannot be its own server. Nothing of it is used, and it is not asked again. ` +
        `Correct its URL in myrmex.json, or remove it: npx myrmex host remove ${server}`,
      { server },
    )
  }
}

export const healthCheckTimeout = (ms: number): ToolError =>
  ToolError.of('TimeoutError', `no answer to the health check within ${ms} ms; the connection was cut`)
