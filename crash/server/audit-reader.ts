/** The journal as the crash test reads it: what is new since it last looked, and that all of it is still in order. */
import type { AuditRecord } from '../../packages/myrmex/src/ledger/audit/call-record.ts'
import { JournalCursor, recordsOf } from '../../packages/myrmex/src/ledger/journal/read.ts'
import type { JournalStore } from '../../packages/myrmex/src/ledger/journal/store.ts'
import { type VerifyReport, verifyLedger } from '../../packages/myrmex/src/ledger/journal/verify.ts'
import type { Ledger } from '../../packages/myrmex/src/ledger/ledger.ts'
import type { Problems } from '../problems.ts'

export class AuditReader {
  readonly #problems: Problems
  readonly #byCall = new Map<string, AuditRecord>()
  readonly #byThing = new Map<string, AuditRecord[]>()
  /** approvals, by the call that they let through */
  readonly #approvals = new Map<string, string>()
  /** of every chain, the newest head that was ever seen */
  readonly #heads = new Map<string, VerifyReport['heads'][number]>()
  /** of the ledger as it is opened now: between two looks it may have been closed */
  #store: JournalStore | undefined
  readonly #cursor = new JournalCursor({
    segments: () => this.#opened.segments(),
    read: (segment, from) => this.#opened.read(segment, from),
    end: (segment) => this.#opened.end(segment),
    remove: (segment) => this.#opened.remove(segment),
  })

  constructor(problems: Problems) {
    this.#problems = problems
  }

  get #opened(): JournalStore {
    if (this.#store === undefined) throw new Error('the journal was never read')
    return this.#store
  }

  get lines(): number {
    return this.#byCall.size
  }

  byCall(id: string): AuditRecord | undefined {
    return this.#byCall.get(id)
  }

  /** Lines of one tool about one thing. */
  about(tool: string, id: string): readonly AuditRecord[] {
    return this.#byThing.get(`${tool} ${id}`) ?? []
  }

  /**
   * Every chain, by MAC and signature, with everything that was ever the end of one still in it, and the tables of decisions and
   * the index as the journal says.
   */
  async verify(ledger: Ledger): Promise<void> {
    const { ok, defect, heads, keyed } = await verifyLedger(ledger, {
      key: ledger.key,
      heads: [...this.#heads.values()],
    })
    if (!ok) this.#problems.losing(`the journal does not verify: ${defect?.message}`)
    else if (!keyed) this.#problems.losing('not every MAC of the journal was checked')
    for (const head of heads) this.#heads.set(head.chain, head)
  }

  /** Gives the records that are new. */
  async read(ledger: Ledger): Promise<AuditRecord[]> {
    this.#store = ledger.journal.store
    const found: AuditRecord[] = []
    for await (const { segment, group } of this.#cursor.read()) {
      for (const record of recordsOf(group, segment.chain)) {
        found.push(record)
        this.#take(record)
      }
    }
    return found
  }

  #take(line: AuditRecord): void {
    if (this.#byCall.has(line.call_id)) this.#problems.doubling(`call ${line.call_id} has two lines in the audit`)
    this.#byCall.set(line.call_id, line)
    const thing = `${line.tool} ${(line.args as { id?: string } | undefined)?.id ?? ''}`
    const known = this.#byThing.get(thing)
    if (known === undefined) this.#byThing.set(thing, [line])
    else known.push(line)
    if (line.tool !== 'crash.pay' || line.outcome !== 'success' || line.approval === undefined) return
    const other = this.#approvals.get(line.approval)
    if (other !== undefined)
      this.#problems.doubling(`approval ${line.approval} let two calls through: ${other} and ${line.call_id}`)
    this.#approvals.set(line.approval, line.call_id)
  }
}
