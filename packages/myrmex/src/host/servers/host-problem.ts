/** A problem with a server behind the host, or with one of its items. Other servers are not affected. */
import { toErrorDetail } from '../../protocol/errors.ts'

export interface HostProblem {
  readonly server: string
  /** the tool, resource or prompt as the server lists it; absent if the problem concerns the whole server */
  readonly item?: string
  readonly error_type: string
  readonly message: string
}

export function toHostProblem(server: string, thrown: unknown, item?: string): HostProblem {
  const { error_type, error_message } = toErrorDetail(thrown, server)
  // This is for the operator, so the original message of a module that failed to load is shown.
  const own = error_type === 'ToolExecutionError' && thrown instanceof Error
  return { server, ...(item !== undefined && { item }), error_type, message: own ? thrown.message : error_message }
}
