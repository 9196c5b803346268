/** Writes the journal of an active run. A write without the lease throws LeaseLost, which ends the execution here. */
import type { Ledger } from '../../../ledger/ledger.ts'
import type { RunChange } from '../../../ledger/runs.ts'
import { inTurn } from '../../../protocol/in-turn.ts'
import type { EventBodies, EventKind, LiveEvent, RunEvent } from './events.ts'
import { applyEvent, type RunState } from './state.ts'

/** Another process executes the run. This one must do nothing more. */
export class LeaseLost extends Error {
  constructor(run: string) {
    super(`Run ${run} is executed by another process now.`)
  }
}

export class Journal {
  readonly run: string
  readonly leaseTerm: number
  readonly state: RunState
  readonly #ledger: Ledger
  readonly #tell: (event: LiveEvent) => void
  /** events are written one after the other, in the order of their numbers */
  readonly #inTurn = inTurn()

  constructor(run: string, term: number, state: RunState, ledger: Ledger, tell: (event: LiveEvent) => void) {
    this.run = run
    this.leaseTerm = term
    this.state = state
    this.#ledger = ledger
    this.#tell = tell
  }

  write<K extends EventKind>(
    kind: K,
    body: EventBodies[K],
    change: Omit<RunChange, 'kind' | 'body'> & { step?: string | null } = {},
  ): Promise<void> {
    return this.#next(async (seq) => {
      const text = JSON.stringify(body)
      const written = await this.#ledger.runs.appendEvent(this.run, this.leaseTerm, seq, {
        ...change,
        kind,
        body: text,
      })
      if (!written) throw new LeaseLost(this.run)
      this.#heard({ seq, time: Date.now(), kind, step: change.step ?? null, body } as RunEvent)
    })
  }

  /** Stores durations and failures of tools together with the event that says so. */
  learn(lessons: Parameters<Ledger['runs']['recordLessons']>[3]): Promise<void> {
    return this.#next(async (seq) => {
      await this.#ledger.runs.recordLessons(this.run, this.leaseTerm, seq, lessons)
      this.#heard({ seq, time: Date.now(), kind: 'learned', step: null, body: { lessons: [...lessons] } })
    })
  }

  /** For listeners only: not written to the journal. */
  notify(event: LiveEvent): void {
    this.#tell(event)
  }

  #next(work: (seq: number) => Promise<void>): Promise<void> {
    return this.#inTurn(() => work(this.state.seq + 1))
  }

  #heard(event: RunEvent): void {
    applyEvent(this.state, event)
    this.#tell(event)
  }
}
