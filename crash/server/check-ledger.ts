/** After a kill: compares the answers that clients got with the ledger, and both with what really happened. */
import { existsSync } from 'node:fs'
import type { AuditRecord } from '../../packages/myrmex/src/ledger/audit/call-record.ts'
import type { Ledger } from '../../packages/myrmex/src/ledger/ledger.ts'
import { describeAnswer, isUnknown } from './answer.ts'
import { AuditReader } from './audit-reader.ts'
import { checkApprovals } from './check-approvals.ts'
import type { ClientRecord, RecordedAnswer } from './client-record.ts'
import { type Effect, type Effects, readEffects } from './effects.ts'

/** Tools whose every run leaves an effect. */
const ACTING = new Set(['crash.charge', 'crash.put', 'crash.pay', 'crash.work'])
/** Tools of which one thing may happen once. crash.pay is bound by its approvals instead. */
const AT_MOST_ONCE = new Set(['crash.charge', 'crash.work'])

export class Check {
  readonly #book: ClientRecord
  readonly #file: string
  readonly trail: AuditReader
  /** answers up to here were found in the audit */
  #seen = 0

  constructor(book: ClientRecord, effectsFile: string) {
    this.#book = book
    this.#file = effectsFile
    this.trail = new AuditReader(book.problems)
  }

  async run(ledger: Ledger): Promise<void> {
    await this.trail.verify(ledger)
    const lines = await this.trail.read(ledger)
    const effects = existsSync(this.#file) ? readEffects(this.#file) : new Map<string, Effect[]>()
    for (const answer of this.#book.answers.slice(this.#seen)) this.#recorded(answer)
    this.#seen = this.#book.answers.length
    for (const line of lines) this.#happened(line, effects)
    for (const [name, done] of effects) this.#once(name, done)
    this.#keys(effects)
    await checkApprovals(ledger, this.#book, effects)
  }

  /** Every call that was answered is in the audit, as it was answered. */
  #recorded({ tool, id, told }: RecordedAnswer): void {
    const { problems } = this.#book
    // A call that waits for approval is answered with an error and is no failure.
    const isWaiting = told.details.status === 'waiting'
    const fits = (line: AuditRecord): boolean =>
      isWaiting ? line.outcome === 'waiting' : line.outcome === told.status && line.error_type === told.errorType
    if (told.callId === undefined) {
      if (!this.trail.about(tool, id).some(fits))
        problems.losing(`${tool} ${id} was answered by ${describeAnswer(told)}; the audit has no such line`)
      return
    }
    const line = this.trail.byCall(told.callId)
    if (line === undefined)
      problems.losing(`${tool} ${id} was answered by ${describeAnswer(told)}; the audit has no line of it`)
    else if (!fits(line) || line.tool !== tool)
      problems.losing(`${tool} ${id} was answered by ${describeAnswer(told)}; the audit says ${JSON.stringify(line)}`)
  }

  /** A line that says that a tool ran is of a call that did. */
  #happened(line: AuditRecord, effects: Effects): void {
    if (line.outcome !== 'success' || line.repeat_of !== undefined || !ACTING.has(line.tool)) return
    const { id } = line.args as { id: string }
    const done = effects.get(`${line.tool} ${id}`) ?? []
    if (!done.some(({ call }) => call === line.call_id))
      this.#book.problems.losing(`the audit says that call ${line.call_id} of ${line.tool} ${id} ran; it has no effect`)
  }

  #once(name: string, done: readonly Effect[]): void {
    const [tool = ''] = name.split(' ')
    const calls = done.map(({ call }) => call)
    if (AT_MOST_ONCE.has(tool) && done.length > 1)
      this.#book.problems.doubling(`${name} happened ${done.length} times, by the calls ${calls.join(', ')}`)
    // What may run again does so only if the process died that was at it. A call's id begins with its process.
    const processes = calls.map((call) => call.slice(0, call.lastIndexOf('-')))
    if (tool === 'crash.put' && new Set(processes).size < done.length)
      this.#book.problems.doubling(`${name} happened twice in one process, by the calls ${calls.join(', ')}`)
  }

  /** The answer to a key is what happened. */
  #keys(effects: Effects): void {
    for (const { tool, id, outcome } of this.#book.keyed) {
      if (outcome === undefined || tool === 'crash.look' || isUnknown(outcome)) continue
      const done = effects.get(`${tool} ${id}`) ?? []
      const { call } = (outcome.data ?? {}) as { call?: string }
      const last = done.at(-1)?.call
      if (last === undefined) this.#book.problems.losing(`${tool} ${id} was answered and has no effect`)
      else if (call !== undefined && call !== last)
        this.#book.problems.doubling(`${tool} ${id} was answered as call ${call}, and happened again by call ${last}`)
    }
  }
}
