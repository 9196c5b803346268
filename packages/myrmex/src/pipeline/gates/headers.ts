/**
 * headers: over HTTP, the headers of a call must repeat the arguments that its tool marks with `x-mcp-header`. The error names headers
 * and fields of the definition, so it comes after scopes and, for an upstream's definition, after trust.
 */
import type { Gate } from '../gate.ts'

export const headers: Gate = (tool, next) => {
  const parameters = tool.headers
  if (parameters.length === 0) return next
  return (call) => call.headerMismatch?.(parameters, call.args) ?? next(call)
}
