/** The timeline of a run that is over: its journal, its steps in the ledger, and the audit, each whole and in agreement. */

import { eventOf, PHASES, type RunEvent } from '../../packages/myrmex/src/agent/run/journal/events.ts'
import type { AuditRecord } from '../../packages/myrmex/src/ledger/audit/call-record.ts'
import type { StepRow } from '../../packages/myrmex/src/ledger/idempotency.ts'
import type { EventRow, RunRow } from '../../packages/myrmex/src/ledger/runs.ts'

export interface Timeline {
  readonly row: RunRow
  readonly events: readonly EventRow[]
  readonly steps: readonly StepRow[]
  /** of this run */
  readonly lines: readonly AuditRecord[]
  /** its leader was killed */
  readonly wasCut: boolean
}

/** Everything that is wrong with it, in sentences. */
export function timelineDefects(timeline: Timeline): string[] {
  const { row, events, steps, lines, wasCut } = timeline
  const journal = events.map(eventOf)
  const found = [...numbered(events), ...told(row, journal), ...ordered(row, journal, steps)]
  if (wasCut && !events.some(({ kind }) => kind === 'taken_over'))
    found.push('its leader was killed, and nothing says that it was taken over')
  for (const { step, call_id, outcome } of steps) {
    if (outcome === null) continue
    const own = lines.some((line) => line.step === step && (line.call_id === call_id || line.repeat_of === call_id))
    if (!own) found.push(`the call ${call_id} of ${step} ended and the audit has no line of it`)
  }
  return found
}

/** Lines are counted without gaps, and who leads later has the greater term. */
function numbered(events: readonly EventRow[]): string[] {
  const found: string[] = []
  for (const [index, { seq, term, kind }] of events.entries()) {
    if (seq !== index + 1) found.push(`line ${index + 1} of the journal has the number ${seq}`)
    const before = events[index - 1]
    if (before !== undefined && before.term > term)
      found.push(`line ${seq} (${kind}) is of term ${term}, after one of term ${before.term}`)
  }
  return found
}

/** From its creation to its end, through every phase, each thing that may be said once said once. */
function told(row: RunRow, events: readonly RunEvent[]): string[] {
  const found: string[] = []
  if (events[0]?.kind !== 'created') found.push('the journal does not begin with its creation')
  const last = events.at(-1)
  if (last?.kind !== 'ended' || last.body.status !== row.status)
    found.push(`the journal ends with ${JSON.stringify(last)} and the run is ${row.status}`)
  for (const kind of ['created', 'planned', 'learned', 'ended'] as const) {
    const times = events.filter((event) => event.kind === kind).length
    if (times !== 1) found.push(`${kind} stands ${times} times in the journal`)
  }
  const phases = new Set(events.flatMap((event) => (event.kind === 'phase' ? [event.body.phase] : [])))
  const wanted = row.status === 'succeeded' ? PHASES : PHASES.filter((phase) => phase !== 'verify')
  if ([...phases].join() !== wanted.join()) found.push(`its phases are ${[...phases].join(', ')}`)
  return found
}

/** Every step began after those it needs had ended, and ended after it began. */
function ordered(row: RunRow, events: readonly RunEvent[], steps: readonly StepRow[]): string[] {
  const found: string[] = []
  const planned = events.find((event) => event.kind === 'planned')
  if (planned === undefined) return ['the journal has no plan']
  const known = new Map(steps.map((step) => [step.step, step]))
  for (const { id, needs } of planned.body.plan.steps) {
    const own = known.get(id)
    if (own === undefined) {
      if (row.status === 'succeeded') found.push(`${id} has no beginning`)
      continue
    }
    const { started_at, finished_at } = own
    if (finished_at === null && row.status === 'succeeded') found.push(`${id} has no end`)
    if (finished_at !== null && finished_at < started_at) found.push(`${id} ended before it began`)
    for (const need of needs) {
      const end = known.get(need)?.finished_at ?? Number.POSITIVE_INFINITY
      if (end > started_at) found.push(`${id} began at ${started_at}, and ${need}, which it needs, ended at ${end}`)
    }
  }
  return found
}
