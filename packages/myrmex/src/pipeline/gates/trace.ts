/**
 * trace: an OpenTelemetry span per call, by the conventions for MCP, if the program has registered an SDK. Otherwise the gate
 * is not in the chain and the API is not loaded. The caller's trace continues from `_meta`, and what a tool calls is below its span.
 */
import type { Attributes, Link, Span } from '@opentelemetry/api'
import { RpcError } from '../../protocol/errors.ts'
import { META } from '../../protocol/versions.ts'
import type { Tool } from '../../tool/tool.ts'
import type { Call } from '../call.ts'
import { type Gate, proceed } from '../gate.ts'
import { type CallEnd, Outcome } from '../outcome.ts'
import { carryTraceContext, readTraceContext, type TraceApi } from './trace-context.ts'

export const trace: Gate = (tool, next) => {
  const api = registered()
  if (api === undefined) return next
  const { context, trace: tracing } = api
  const tracer = tracing.getTracer('myrmex')

  return (call) => {
    const outer = context.active()
    // A sub-call is in the context of its tool, if a context manager keeps one.
    const inner = call.depth > 0 && tracing.getSpan(outer) !== undefined
    const parent = inner ? outer : readTraceContext(api, call.meta, outer)
    const span = tracer.startSpan(
      call.depth > 0 ? `execute_tool ${tool.name}` : `tools/call ${tool.name}`,
      {
        kind: call.depth > 0 ? api.SpanKind.INTERNAL : api.SpanKind.SERVER,
        attributes: attributesOf(tool, call),
        links: parent === outer ? [] : linksTo(api, outer),
      },
      parent,
    )
    if (api.isSpanContextValid(span.spanContext())) {
      Object.assign(call, { meta: carryTraceContext(span.spanContext(), call.meta) })
    }
    return proceed(
      call,
      () => context.with(tracing.setSpan(parent, span), next, undefined, call),
      (_call, ended) => finish(api, span, ended, call.notes.isWaiting),
      (_call, thrown) => {
        fault(api, span)
        throw thrown
      },
    )
  }
}

/** Every copy of the API package stores the registered SDK under this symbol. */
const GLOBAL = Symbol.for('opentelemetry.js.api.1')

let warned = false

/** The API, if a tracer provider was registered through any copy of it. */
function registered(): TraceApi | undefined {
  const found = (globalThis as { [GLOBAL]?: { version?: string; trace?: unknown } })[GLOBAL]
  if (found?.trace === undefined) return undefined
  const require = process.getBuiltinModule('node:module').createRequire(import.meta.url)
  const api = require('@opentelemetry/api') as TraceApi
  if (api.trace.getTracerProvider() === found.trace) return api
  // Chains are composed repeatedly; one warning is enough.
  if (!warned)
    process.emitWarning(
      `An OpenTelemetry SDK is registered through @opentelemetry/api ${found.version}, which the newer copy that myrmex has ` +
        'cannot use: there will be no spans. Install one version of @opentelemetry/api for both.',
      { code: 'MYRMEX_TRACE' },
    )
  warned = true
  return undefined
}

const TRANSPORTS: Readonly<Record<string, Attributes>> = {
  stdio: { 'network.transport': 'pipe' },
  http: { 'network.transport': 'tcp', 'network.protocol.name': 'http' },
}

function attributesOf(tool: Tool, call: Call): Attributes {
  const version = call.meta[META.protocolVersion]
  return {
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': tool.name,
    'myrmex.call_id': call.id,
    'myrmex.tool.version': tool.version,
    ...(call.isDryRun && { 'myrmex.dry_run': true }),
    ...(call.depth === 0 && { 'mcp.method.name': 'tools/call', ...TRANSPORTS[call.caller.transport] }),
    ...(call.depth === 0 && typeof version === 'string' && { 'mcp.protocol.version': version }),
  }
}

/** The HTTP request that carried the message may have its own trace, which is not the caller's. */
function linksTo(api: TraceApi, outer: ReturnType<TraceApi['context']['active']>): Link[] {
  const context = api.trace.getSpanContext(outer)
  return context === undefined ? [] : [{ context }]
}

/** Error messages may hold arguments of the caller: a span has only the type of an error, never its text. */
function finish(api: TraceApi, span: Span, ended: CallEnd, isWaiting: boolean): CallEnd {
  if (ended instanceof Outcome) {
    span.setAttribute('myrmex.outcome', isWaiting ? 'waiting' : ended.status)
    if (ended.status === 'failure' && !isWaiting) {
      const kind = ended.error?.error_type ?? 'ToolExecutionError'
      span.setAttributes({ 'error.type': 'tool_error', 'myrmex.error_type': kind })
      span.setStatus({ code: api.SpanStatusCode.ERROR, message: kind })
    }
  } else if (ended instanceof RpcError) {
    const code = String(ended.code)
    span.setAttributes({ 'myrmex.outcome': 'failure', 'error.type': code, 'rpc.response.status_code': code })
    span.setStatus({ code: api.SpanStatusCode.ERROR, message: ended.message })
  } else span.setAttribute('myrmex.outcome', 'input_required')
  span.end()
  return ended
}

function fault(api: TraceApi, span: Span): void {
  span.setAttributes({ 'myrmex.outcome': 'fault', 'error.type': '_OTHER' })
  span.setStatus({ code: api.SpanStatusCode.ERROR })
  span.end()
}
