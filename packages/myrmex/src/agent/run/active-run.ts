/** One run while this process executes it: its journal, its budget, its calls in flight, and why it must stop. */
import { setTimeout } from 'node:timers/promises'
import type { Ledger } from '../../ledger/ledger.ts'
import type { RunRow } from '../../ledger/runs.ts'
import type { Call } from '../../pipeline/call.ts'
import type { Caller } from '../../pipeline/caller.ts'
import { why } from '../../pipeline/gates/switches.ts'
import { cancellation } from '../../pipeline/outcome.ts'
import { plainCaller } from '../../server/exchange.ts'
import type { RunEnvironment } from './environment.ts'
import type { Journal } from './journal/journal.ts'
import type { RunState } from './journal/state.ts'
import { decryptSecrets, type PlanSecrets } from './planning/plan-secrets.ts'
import type { RunSettings } from './settings.ts'
import type { RunBudget } from './steps/budget.ts'

/**
 * cancelled: someone stopped the run. time: its time budget is spent. lease_lost: another process executes it. released: this process
 * is to end while the operator has stopped all calls. broken: the ledger or our own code failed. The last three can be resumed.
 */
export interface Halt {
  readonly kind: 'cancelled' | 'time' | 'lease_lost' | 'released' | 'broken'
  readonly why: Error
}

export class ActiveRun {
  readonly environment: RunEnvironment
  readonly row: RunRow
  readonly settings: RunSettings
  readonly journal: Journal
  readonly budget: RunBudget
  readonly inFlight = new Map<string, Call>()
  /** what the callers of all steps have in common */
  readonly caller: Caller
  /** why every call must end now */
  halt: Halt | undefined
  /** no new step starts here; started steps may end, and another process continues the run */
  isReleasing = false
  /** its time is over: it starts no step, and asks for more */
  isOutOfTime = false
  /** the time budget is spent and the run is being undone, which has no time limit */
  isPastDeadline = false
  #secrets: { readonly encrypted: string | undefined; readonly values: PlanSecrets } = {
    encrypted: undefined,
    values: new Map(),
  }
  #abort = new AbortController()
  #accepted: Promise<void> | undefined
  #woken = Promise.withResolvers<void>()

  constructor(parts: Pick<ActiveRun, 'environment' | 'row' | 'settings' | 'journal' | 'budget'>) {
    this.environment = parts.environment
    this.row = parts.row
    this.settings = parts.settings
    this.journal = parts.journal
    this.budget = parts.budget
    this.caller = plainCaller('direct', parts.settings.principal)
  }

  get id(): string {
    return this.row.id
  }

  get state(): RunState {
    return this.journal.state
  }

  /** The secrets of the plan's arguments. */
  get secrets(): PlanSecrets {
    const { encryptedSecrets } = this.state
    if (this.#secrets.encrypted !== encryptedSecrets)
      this.#secrets = {
        encrypted: encryptedSecrets,
        values: decryptSecrets(encryptedSecrets, this.id, this.ledger.key),
      }
    return this.#secrets.values
  }

  get ledger(): Ledger {
    return this.environment.ledger
  }

  /** Aborted by `stop`; passed to brains and agents. */
  get signal(): AbortSignal {
    return this.#abort.signal
  }

  /** Interrupts every call in flight. */
  stop(kind: Halt['kind'], why: Error): void {
    if (this.halt !== undefined) return
    this.halt = { kind, why }
    const interruption = cancellation(why.message)
    for (const call of this.inFlight.values()) call.interrupt(interruption)
    this.#abort.abort(interruption)
    this.wake()
  }

  /** After a halt because of time: finished steps are still undone. */
  continueToUndo(): void {
    this.halt = undefined
    this.isPastDeadline = true
    this.#abort = new AbortController()
  }

  release(): void {
    this.isReleasing = true
    // Nobody knows when calls are accepted again.
    if (this.#accepted !== undefined) this.stop('released', new Error('The run was released.'))
    this.wake()
  }

  /** While the operator has stopped all calls, the run waits, and its time does not count. Returns earlier if it halts. */
  async untilCallsAreAccepted(): Promise<void> {
    if (this.ledger.switches.state.stop === undefined || this.halt !== undefined) return
    // One wait for all steps.
    this.#accepted ??= this.#waitForSwitch().finally(() => {
      this.#accepted = undefined
    })
    if (this.isReleasing) this.release()
    await this.#accepted
  }

  async #waitForSwitch(): Promise<void> {
    const { switches } = this.ledger
    const { state, journal } = this
    const who = `the operator, who has stopped all calls${switches.state.stop === undefined ? '' : why(switches.state.stop)}`
    if (state.waitingSince === undefined) await journal.write('waiting', { for: [who] })
    await switches.resumed(this.signal)
    if (this.halt === undefined) await journal.write('resumed', { by: this.settings.principal.id })
  }

  /** For a call that was prepared while the run was stopped. */
  interruptIfHalted(call: Call): void {
    if (this.halt !== undefined) call.interrupt(cancellation(this.halt.why.message))
  }

  /** Returns false if the run was stopped during the pause. */
  async pause(ms: number): Promise<boolean> {
    // It rejects if the run is stopped, and then `halt` is set.
    await setTimeout(ms, undefined, { signal: this.signal }).catch(() => {})
    return this.halt === undefined
  }

  /** Makes `nextWake` return. */
  wake(): void {
    this.#woken.resolve()
  }

  async nextWake(): Promise<void> {
    await this.#woken.promise
    this.#woken = Promise.withResolvers<void>()
  }
}
