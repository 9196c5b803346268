/** What is wrong with a server behind the host, or with one thing that it offers. The others are not concerned. */
import { toErrorDetail } from '../../protocol/errors.ts'

export interface HostProblem {
  readonly server: string
  /** the tool, resource or prompt, as the server lists it, where only this one is concerned */
  readonly item?: string
  readonly error_type: string
  readonly message: string
}

export function toHostProblem(server: string, thrown: unknown, item?: string): HostProblem {
  const { error_type, error_message } = toErrorDetail(thrown, server)
  // Here the operator reads, and not a caller: what somebody's file threw while it loaded is what is asked for.
  const own = error_type === 'ToolExecutionError' && thrown instanceof Error
  return { server, ...(item !== undefined && { item }), error_type, message: own ? thrown.message : error_message }
}
