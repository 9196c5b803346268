/** record: one line a call, written before its answer leaves. A call that cannot be recorded fails. */
import type { Status } from '../protocol/envelope.ts'
import { RpcError, toErrorDetail } from '../protocol/errors.ts'
import { META } from '../protocol/versions.ts'
import type { Call } from './call.ts'
import type { TransportName } from './caller.ts'
import type { Gate } from './gate.ts'
import { type Ended, failure, isPromise, Outcome } from './outcome.ts'

export interface CallLine {
  readonly call_id: string
  /** milliseconds since the epoch */
  readonly time: number
  readonly principal: string
  readonly transport: TransportName
  readonly tool: string
  /** null where no tool was found */
  readonly version: string | null
  readonly outcome: Status | 'input_required' | 'fault'
  readonly error_type: string | null
  /** whole milliseconds: a finer clock would cost a tenth of a small call */
  readonly duration_ms: number
  readonly run: string | null
  readonly step: string | null
}

/** Where lines go. A promise holds the answer back until it is kept. The ledger is one; MemoryRecorder is another. */
export interface Recorder {
  record(line: CallLine): void | Promise<void>
}

export const recordInto =
  (recorder: Recorder): Gate =>
  (_tool, next) => {
    const write = (call: Call, time: number, ended: Ended): Ended | Promise<Ended> => {
      try {
        const kept = recorder.record(lineOf(call, time, ended))
        return kept instanceof Promise ? kept.then(() => ended, unrecorded) : ended
      } catch {
        return unrecorded()
      }
    }
    const fault = (call: Call, time: number, thrown: unknown): never => {
      recorder.record({ ...lineOf(call, time, failure(OWN_FAULT)), outcome: 'fault' })
      throw thrown
    }
    return (call) => {
      const time = Date.now()
      let ended: Ended | Promise<Ended>
      try {
        ended = next(call)
      } catch (thrown) {
        return fault(call, time, thrown)
      }
      if (!isPromise(ended)) return write(call, time, ended)
      return ended.then(
        (value) => write(call, time, value),
        (thrown) => fault(call, time, thrown),
      )
    }
  }

const OWN_FAULT = { error_type: 'InternalError', error_message: 'fault' }

const unrecorded = (): Outcome =>
  failure({
    error_type: 'UnavailableError',
    error_message: 'The call could not be recorded, so its result is withheld. Try again, or ask the operator.',
    error_details: { retry_after_ms: 1000 },
  })

function lineOf(call: Call, time: number, ended: Ended): CallLine {
  const hasContext = call.meta[META.context] !== undefined
  return {
    call_id: call.id,
    time,
    principal: call.principal.id,
    transport: call.caller.transport,
    tool: call.tool.name,
    version: call.tool.version,
    outcome: outcomeOf(ended),
    error_type: errorTypeOf(ended),
    // The clock may be set back meanwhile.
    duration_ms: Math.max(0, Date.now() - time),
    run: hasContext ? (call.context.run ?? null) : null,
    step: hasContext ? (call.context.step ?? null) : null,
  }
}

const outcomeOf = (ended: Ended): CallLine['outcome'] =>
  ended instanceof Outcome ? ended.status : ended instanceof RpcError ? 'failure' : 'input_required'

function errorTypeOf(ended: Ended): string | null {
  if (ended instanceof Outcome) return ended.error === null ? null : ended.error.error_type
  return ended instanceof RpcError ? toErrorDetail(ended, '').error_type : null
}

/** Keeps the newest lines in memory: for tests, and until there is a ledger. */
export class MemoryRecorder implements Recorder {
  readonly #lines: CallLine[] = []
  readonly #capacity: number
  #next = 0
  /** how many were ever recorded */
  count = 0

  constructor(capacity = 1000) {
    this.#capacity = capacity
  }

  record(line: CallLine): void {
    this.#lines[this.#next] = line
    this.#next = (this.#next + 1) % this.#capacity
    this.count++
  }

  /** oldest first */
  lines(): CallLine[] {
    return [...this.#lines.slice(this.#next), ...this.#lines.slice(0, this.#next)]
  }
}
