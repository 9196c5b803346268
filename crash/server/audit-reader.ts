/** The audit as the crash test reads it: what is new since it last looked, and that all of it is still in order. */
import { type AuditRecord, readGroups, recordsOf } from '../../packages/myrmex/src/ledger/audit/read.ts'
import { verifyJournal } from '../../packages/myrmex/src/ledger/audit/verify.ts'
import type { Db } from '../../packages/myrmex/src/ledger/db.ts'
import type { Problems } from '../problems.ts'

export class AuditReader {
  readonly #problems: Problems
  readonly #byCall = new Map<string, AuditRecord>()
  readonly #byThing = new Map<string, AuditRecord[]>()
  /** approvals, by the call that they let through */
  readonly #approvals = new Map<string, string>()
  #seq = 0
  #head: { seq: number; hash: string } | undefined

  constructor(problems: Problems) {
    this.#problems = problems
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

  /** The whole chain, and that what was its end is still in it. */
  async verify(db: Db): Promise<void> {
    const { ok, defect, head } = await verifyJournal(db, this.#head === undefined ? {} : { head: this.#head })
    if (!ok) this.#problems.losing(`the chain does not verify: ${defect?.message}`)
    else if (head.seq > 0) this.#head = head
  }

  /** Gives the lines that are new. */
  async read(db: Db): Promise<AuditRecord[]> {
    const found: AuditRecord[] = []
    for await (const page of readGroups(db, { after: this.#seq })) {
      for (const group of page) {
        this.#seq = group.seq
        for (const line of recordsOf(group)) {
          found.push(line)
          this.#take(line)
        }
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
