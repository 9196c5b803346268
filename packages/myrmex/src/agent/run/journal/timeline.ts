/**
 * What happened in a run, in order of time and each thing once: the journal, and the calls of its steps from the record of their
 * keys and from the audit. Only reads. What the audit no longer has is still there, without its arguments.
 */
import { type AuditRecord, readRecords } from '../../../ledger/audit/read.ts'
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
  /** as they were sent, without secrets; undefined where they are not known any more */
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
  /** it was told what came of this earlier call, and did not run again */
  readonly repeat_of?: string
}

export type TimelineEntry = RunEvent | CallStarted | CallFinished

/** Clocks of several machines agree to about this. */
const SLACK_MS = 60_000

export async function timelineOf(ledger: Ledger, run: RunRow): Promise<TimelineEntry[]> {
  const events = (await ledger.runs.events(run.id)).map(eventOf)
  const steps = await ledger.idempotency.steps(run.id)
  const range = { since: run.created_at - SLACK_MS, until: (run.ended_at ?? Date.now()) + SLACK_MS }
  const calls: AuditRecord[] = []
  for await (const line of readRecords(ledger.db, range)) if (isOf(run, line)) calls.push(line)
  return merged(events, callsOf(calls, steps))
}

/** Whoever comes over a wire may say that a call is a step of any run: the run's own calls are made where it is run. */
const isOf = (run: RunRow, line: AuditRecord): boolean =>
  line.run === run.id && line.principal === run.principal && line.transport === 'direct'

function callsOf(calls: readonly AuditRecord[], steps: readonly StepRow[]): (CallStarted | CallFinished)[] {
  const known = new Set(calls.map(({ call_id }) => call_id))
  const entries = [...calls.flatMap(fromAudit), ...steps.filter(({ call_id }) => !known.has(call_id)).flatMap(fromStep)]
  // A call that took no time began before it ended.
  return entries.sort((a, b) => a.time - b.time || order(a) - order(b))
}

const order = ({ kind }: CallStarted | CallFinished): number => (kind === 'started' ? 0 : 1)

function fromAudit(line: AuditRecord): (CallStarted | CallFinished)[] {
  const { time, step = '', tool, call_id, args, outcome, duration_ms: ms, data, error, approval, repeat_of } = line
  const ended: CallFinished = {
    kind: 'finished',
    time: time + ms,
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

/** Lines of the journal that come of a call's end, where both have the same millisecond. */
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

/** Neither list changes its order: the journal's is that of its numbers, whatever its clock says. */
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

/** A call that has ended is over when the next thing is decided; one that begins comes of what was. */
const comesBefore = (call: CallStarted | CallFinished, event: RunEvent): boolean =>
  call.time < event.time || (call.time === event.time && (call.kind === 'finished' || isAfterCalls(event)))

const isAfterCalls = (event: RunEvent): boolean =>
  AFTER_CALLS.has(event.kind) ||
  (event.kind === 'phase' && (event.body.phase === 'verify' || event.body.phase === 'learn'))
