/** The human, beside the servers: decides on a connection of its own to the ledger, and now and then by the command line. */
import type { Ledger } from '../../packages/myrmex/src/ledger/ledger.ts'
import type { SeededRandom } from '../seeded-random.ts'
import { type ClientRecord, type Order, RECENT } from './client-record.ts'
import { command } from './command.ts'
import type { LedgerHome } from './server-process.ts'

export class Approver {
  readonly #ledger: Ledger
  readonly #book: ClientRecord
  readonly #home: LedgerHome
  /** so many of the next decisions are made by the command line: it takes longer than many a server lives */
  #byCommand: number
  /** other callers still wait for them, and nobody is asked twice */
  readonly #decided = new Set<string>()

  constructor(ledger: Ledger, book: ClientRecord, home: LedgerHome, byCommand: number) {
    this.#ledger = ledger
    this.#book = book
    this.#home = home
    this.#byCommand = byCommand
  }

  /** Decides one of the approvals that a caller waits for. */
  async decide(order: Order, yes: boolean): Promise<void> {
    const [id] = order.waiting
    if (id === undefined) return
    order.waiting.delete(id)
    if (this.#decided.has(id)) return
    this.#decided.add(id)
    const approval = await this.#ledger.approvals.find(id)
    if (approval === undefined) this.#book.problems.losing(`approval ${id} of crash.pay ${order.id} is gone`)
    if (approval?.status !== 'waiting') return
    // Counted before: an approval may be recorded although its answer was lost.
    if (yes) order.approved++
    const what = yes ? 'approve' : 'deny'
    if (this.#byCommand-- > 0) await command(this.#home, 'approvals', what, id)
    else await this.#ledger.approvals[what](id, 'crash')
  }

  /** Decides open approvals while no server is busy: approves some that callers still wait for, and denies the rest. */
  async decideAll(chance: SeededRandom): Promise<void> {
    const recent = [...this.#book.orders.values()].slice(-RECENT)
    for (const order of recent) if (chance.often(0.5)) await this.decide(order, true)
    const names = new Set(recent.map(({ id }) => id))
    for (const { id, args } of await this.#ledger.approvals.list('waiting', Number.MAX_SAFE_INTEGER)) {
      const { id: order } = JSON.parse(args) as { id: string }
      if (!names.has(order)) await this.#ledger.approvals.deny(id, 'crash')
    }
  }
}
