/**
 * Trace context in `_meta`: the keys `traceparent`, `tracestate` and `baggage`, which MCP reserves in the formats of the W3C.
 * They are read here and not by the SDK's propagators, because MCP fixes the format whatever an SDK is set up to send over
 * HTTP. Malformed values are ignored, as the W3C asks: a bad header must not fail a call.
 */
import type * as Api from '@opentelemetry/api'
import type { Params } from '../../protocol/jsonrpc.ts'

export type TraceApi = typeof Api

const TRACEPARENT = /^(?!ff)([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/
const MAX_BAGGAGE_LENGTH = 8192

/** `outer` with what `_meta` says; `outer` itself where it says nothing. */
export function readTraceContext(api: TraceApi, meta: Params, outer: Api.Context): Api.Context {
  const parent = parentIn(api, meta)
  const baggage = baggageIn(api, meta)
  const within = parent === undefined ? outer : api.trace.setSpanContext(outer, parent)
  return baggage === undefined ? within : api.propagation.setBaggage(within, baggage)
}

/** `_meta` for whatever is called from within this span. */
export function carryTraceContext(span: Api.SpanContext, meta: Params): Params {
  const { traceparent: _parent, tracestate: _state, ...rest } = meta
  const flags = span.traceFlags.toString(16).padStart(2, '0')
  const tracestate = span.traceState?.serialize()
  return {
    ...rest,
    traceparent: `00-${span.traceId}-${span.spanId}-${flags}`,
    ...(tracestate !== undefined && tracestate !== '' && { tracestate }),
  }
}

function parentIn(api: TraceApi, { traceparent, tracestate }: Params): Api.SpanContext | undefined {
  const found = typeof traceparent === 'string' ? TRACEPARENT.exec(traceparent) : null
  if (found === null) return undefined
  const [, version, traceId = '', spanId = '', flags = '', more] = found
  // A later version may say more; this one may not.
  if (version === '00' && more !== undefined) return undefined
  const parent: Api.SpanContext = {
    traceId,
    spanId,
    traceFlags: Number.parseInt(flags, 16) & api.TraceFlags.SAMPLED,
    isRemote: true,
    ...(typeof tracestate === 'string' && { traceState: api.createTraceState(tracestate) }),
  }
  return api.isSpanContextValid(parent) ? parent : undefined
}

function baggageIn(api: TraceApi, { baggage }: Params): Api.Baggage | undefined {
  if (typeof baggage !== 'string' || baggage === '' || baggage.length > MAX_BAGGAGE_LENGTH) return undefined
  const entries: Record<string, Api.BaggageEntry> = Object.create(null)
  for (const member of baggage.split(',')) {
    const [pair = '', ...properties] = member.split(';')
    const cut = pair.indexOf('=')
    const key = decoded(pair.slice(0, cut))
    const value = decoded(pair.slice(cut + 1))
    if (cut < 1 || key === undefined || value === undefined) continue
    entries[key] = {
      value,
      ...(properties.length > 0 && { metadata: api.baggageEntryMetadataFromString(properties.join(';')) }),
    }
  }
  return api.propagation.createBaggage(entries)
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text.trim())
  } catch {
    // No percent-encoding: the entry is none.
    return undefined
  }
}
