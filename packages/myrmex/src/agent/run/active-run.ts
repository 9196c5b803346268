/** What it takes to lead runs: the fleet's tools behind their pipeline, the ledger, and a brain. */
import type { Ledger } from '../../ledger/ledger.ts'
import type { RunRow } from '../../ledger/runs.ts'
import type { Call } from '../../pipeline/call.ts'
import { cancellation } from '../../pipeline/outcome.ts'
import type { Brain } from '../brain/brain.ts'
import type { Fleet } from '../fleet/fleet.ts'
import type { Journal } from './journal/journal.ts'
import type { RunState } from './journal/state.ts'
import type { RunSettings } from './settings.ts'
import type { RunBudget } from './steps/budget.ts'

export interface RunEnvironment {
  readonly fleet: Fleet
  readonly ledger: Ledger
  readonly brain: Brain
}

/**
 * cancelled: somebody pulled the switch. time: its budget of time is spent. deposed: another process leads. broken: the ledger
 * or we ourselves failed; the run can be taken up again.
 */
export interface Halt {
  readonly kind: 'cancelled' | 'time' | 'deposed' | 'broken'
  readonly why: Error
}

/** One run while it is led here: its journal, and everything that is on its way. */
export class ActiveRun {
  readonly office: RunEnvironment
  readonly row: RunRow
  readonly settings: RunSettings
  readonly journal: Journal
  readonly budget: RunBudget
  readonly inFlight = new Map<string, Call>()
  /** why everything must end at once */
  halt: Halt | undefined
  /** no new step is begun here; what is at work may end, and another process goes on */
  isReleasing = false
  /** the time it may take is over, and what it did is being taken back */
  isPastDeadline = false
  #abort = new AbortController()
  #bell = Promise.withResolvers<void>()

  constructor(parts: Pick<ActiveRun, 'office' | 'row' | 'settings' | 'journal' | 'budget'>) {
    this.office = parts.office
    this.row = parts.row
    this.settings = parts.settings
    this.journal = parts.journal
    this.budget = parts.budget
  }

  get id(): string {
    return this.row.id
  }

  get state(): RunState {
    return this.journal.state
  }

  get ledger(): Ledger {
    return this.office.ledger
  }

  /** For whatever is asked of a brain or an agent. */
  get signal(): AbortSignal {
    return this.#abort.signal
  }

  /** Ends everything that is on its way. */
  stop(kind: Halt['kind'], why: Error): void {
    if (this.halt !== undefined) return
    this.halt = { kind, why }
    const told = cancellation(why.message)
    for (const call of this.inFlight.values()) call.interrupt(told)
    this.#abort.abort(told)
    this.wake()
  }

  /** After a halt for want of time: things are not left half done. */
  continueToUndo(): void {
    this.halt = undefined
    this.isPastDeadline = true
    this.#abort = new AbortController()
  }

  release(): void {
    this.isReleasing = true
    this.wake()
  }

  /** To be asked by a call that was on its way in meanwhile. */
  interruptIfHalted(call: Call): void {
    if (this.halt !== undefined) call.interrupt(cancellation(this.halt.why.message))
  }

  /** False: the run was stopped meanwhile. */
  async pause(ms: number): Promise<boolean> {
    if (this.halt !== undefined) return false
    const { signal } = this
    await new Promise<void>((done) => {
      const end = (): void => {
        clearTimeout(timer)
        signal.removeEventListener('abort', end)
        done()
      }
      const timer = setTimeout(end, ms)
      signal.addEventListener('abort', end)
    })
    return this.halt === undefined
  }

  /** Something happened that whoever waits in `rung` should look at. */
  wake(): void {
    this.#bell.resolve()
  }

  async nextWake(): Promise<void> {
    await this.#bell.promise
    this.#bell = Promise.withResolvers<void>()
  }
}
