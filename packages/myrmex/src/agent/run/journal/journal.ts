/** Writes the journal of a run that is led here. A line that cannot be written, because somebody else leads, ends the leading. */
import type { Ledger } from '../../../ledger/ledger.ts'
import type { RunChange } from '../../../ledger/runs.ts'
import type { EventBodies, EventKind, LiveEvent, RunEvent } from './events.ts'
import { applyEvent, type RunState } from './state.ts'

/** Another process leads the run by now. Nothing more may be done here. */
export class LeaseLost extends Error {
  constructor(run: string) {
    super(`Run ${run} is led by another process now.`)
  }
}

export class Journal {
  readonly run: string
  readonly leaseTerm: number
  readonly state: RunState
  readonly #ledger: Ledger
  readonly #tell: (happening: LiveEvent) => void
  /** lines are written one after the other: their order is their number */
  #last: Promise<unknown> = Promise.resolve()

  constructor(run: string, term: number, state: RunState, ledger: Ledger, tell: (happening: LiveEvent) => void) {
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
    return this.#inTurn(async (seq) => {
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

  /** What the run has shown of its tools, together with the line that says so. */
  learn(lessons: Parameters<Ledger['runs']['recordLessons']>[3]): Promise<void> {
    return this.#inTurn(async (seq) => {
      await this.#ledger.runs.recordLessons(this.run, this.leaseTerm, seq, lessons)
      this.#heard({ seq, time: Date.now(), kind: 'learned', step: null, body: { lessons: [...lessons] } })
    })
  }

  /** For listeners only: it is in the journal in another way, or it is nothing that must be kept. */
  notify(happening: LiveEvent): void {
    this.#tell(happening)
  }

  #inTurn(work: (seq: number) => Promise<void>): Promise<void> {
    const turn = this.#last.then(() => work(this.state.seq + 1))
    this.#last = turn.catch(() => {})
    return turn
  }

  #heard(event: RunEvent): void {
    applyEvent(this.state, event)
    this.#tell(event)
  }
}
