/** Forwarding needs the whole request scope behind a handler's context. */
import { RequestScope } from '../../pipeline/request-scope.ts'
import { ToolError } from '../../protocol/errors.ts'
import type { RequestContext } from '../../tool/context.ts'

export function requestScopeOf(ctx: RequestContext): RequestScope {
  if (ctx instanceof RequestScope) return ctx
  throw ToolError.of('ToolExecutionError', 'A tool of an upstream can only be called through a server.')
}
