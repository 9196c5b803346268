/**
 * What happened in a run, in order: journal events merged with the calls of its steps, from their idempotency records and the audit.
 * Read only. Calls that the audit no longer has are shown without arguments.
 */
import type { AuditRecord } from '../../../ledger/audit/call-record.ts'
import type { StepRow } from '../../../ledger/idempotency.ts'
import type { Ledger } from '../../../ledger/ledger.ts'
import type { RunRow } from '../../../ledger/runs.ts'
import type { ErrorDetail, ToolResult } from '../../../protocol/envelope.ts'
import { type EventKind, eventOf, type RunEvent } from './events.ts'

export interface CallStarted {
  readonly kind: 'started'
  readonly time: number
  readonly step: string
  readonly tool: string
  readonly call_id: string
  /** without secrets; undefined if the audit no longer has them */
  readonly args?: unknown
}

export interface CallFinished {
  readonly kind: 'finished'
  readonly time: number
  readonly step: string
  readonly tool: string
  readonly call_id: string
  readonly outcome: string
  readonly ms: number
  readonly data?: unknown
  readonly error?: ErrorDetail
  /** the approval or the grant that let it through */
  readonly approval?: string
  /** returned the result of this earlier call without running again */
  readonly repeat_of?: string
}

export type TimelineEntry = RunEvent | CallStarted | CallFinished

export async function timelineOf(ledger: Ledger, run: RunRow): Promise<TimelineEntry[]> {
  const events = (await ledger.runs.events(run.id)).map(eventOf)
  const steps = await ledger.idempotency.steps(run.id)
  const calls: AuditRecord[] = []
  for await (const line of ledger.index.search({ run: run.id, order: 'oldest' })) if (isOf(run, line)) calls.push(line)
  return merged(events, callsOf(calls, steps))
}

/** A remote caller can claim that a call belongs to any run. The run's own calls are always direct. A dry run did nothing. */
const isOf = (run: RunRow, line: AuditRecord): boolean =>
  line.run === run.id && line.principal === run.principal && line.transport === 'direct' && line.dry_run !== true

/** Starts and ends in order. In one millisecond calls keep the order of their records, and each starts before it ends. */
export function callsOf(calls: readonly AuditRecord[], steps: readonly StepRow[]): (CallStarted | CallFinished)[] {
  const known = new Set(calls.map(({ call_id }) => call_id))
  const entries = [...calls.flatMap(fromAudit), ...steps.filter(({ call_id }) => !known.has(call_id)).flatMap(fromStep)]
  return entries.sort((a, b) => a.time - b.time)
}

function fromAudit(line: AuditRecord): (CallStarted | CallFinished)[] {
  const { time, step = '', tool, call_id, args, outcome, duration_ms: ms, data, error, approval, repeat_of } = line
  const ended: CallFinished = {
    kind: 'finished',
    // Starts are whole milliseconds. With a fraction, this end could come after the start of a step that waited for it.
    time: Math.floor(time + ms),
    step,
    tool,
    call_id,
    outcome,
    ms,
    ...(data !== undefined && { data }),
    ...(error !== undefined && { error }),
    ...(approval !== undefined && { approval }),
    ...(repeat_of !== undefined && { repeat_of }),
  }
  if (repeat_of !== undefined) return [ended]
  return [{ kind: 'started', time, step, tool, call_id, ...(args !== undefined && { args }) }, ended]
}

function fromStep({ step, tool, call_id, started_at, finished_at, outcome }: StepRow): (CallStarted | CallFinished)[] {
  const begun: CallStarted = { kind: 'started', time: started_at, step, tool, call_id }
  if (outcome === null || finished_at === null) return [begun]
  const { status, data, error } = JSON.parse(outcome) as ToolResult
  const ms = Math.max(0, finished_at - started_at)
  const came = { ...(data != null && { data }), ...(error != null && { error }) }
  return [begun, { kind: 'finished', time: finished_at, step, tool, call_id, outcome: status, ms, ...came }]
}

/** Events that follow the end of a call if both have the same millisecond. */
const AFTER_CALLS: ReadonlySet<EventKind> = new Set<EventKind>([
  'asked',
  'ended',
  'failed',
  'learned',
  'retry',
  'stopping',
  'verdict',
  'waiting',
])

/** Keeps the order of both lists. Journal events are ordered by number, not by clock. */
function merged(events: readonly RunEvent[], calls: readonly (CallStarted | CallFinished)[]): TimelineEntry[] {
  const entries: TimelineEntry[] = []
  let next = 0
  for (const event of events) {
    for (let call = calls[next]; call !== undefined && comesBefore(call, event); call = calls[next]) {
      entries.push(call)
      next++
    }
    entries.push(event)
  }
  return [...entries, ...calls.slice(next)]
}

/** At the same time, the end of a call comes before an event, and its start after it. */
const comesBefore = (call: CallStarted | CallFinished, event: RunEvent): boolean =>
  call.time < event.time || (call.time === event.time && (call.kind === 'finished' || isAfterCalls(event)))

const isAfterCalls = (event: RunEvent): boolean =>
  AFTER_CALLS.has(event.kind) ||
  (event.kind === 'phase' && (event.body.phase === 'verify' || event.body.phase === 'learn'))
