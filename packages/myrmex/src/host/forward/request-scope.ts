/** Whoever serves a request is given a context; passing it on needs the whole of what stands behind that. */
import { RequestScope } from '../../pipeline/request-scope.ts'
import { ToolError } from '../../protocol/errors.ts'
import type { RequestContext } from '../../tool/context.ts'

export function requestScopeOf(ctx: RequestContext): RequestScope {
  if (ctx instanceof RequestScope) return ctx
  throw ToolError.of('ToolExecutionError', 'What is behind a host can only be reached through a server.')
}
