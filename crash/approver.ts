/** The human, beside the servers: decides on a connection of its own to the ledger, as the command line does. */
import type { Ledger } from '../packages/myrmex/src/ledger/ledger.ts'
import type { Book, Order } from './book.ts'

export class Approver {
  readonly #ledger: Ledger
  readonly #book: Book
  /** others are told to wait for them still, and nobody is asked twice */
  readonly #decided = new Set<string>()

  constructor(ledger: Ledger, book: Book) {
    this.#ledger = ledger
    this.#book = book
  }

  /** Decides one of the approvals that somebody was told to wait for. */
  async decide(order: Order, yes: boolean): Promise<void> {
    const [id] = order.waiting
    if (id === undefined) return
    order.waiting.delete(id)
    if (this.#decided.has(id)) return
    this.#decided.add(id)
    const approval = await this.#ledger.approvals.find(id)
    if (approval === undefined) this.#book.problems.losing(`approval ${id} of crash.pay ${order.id} is gone`)
    if (approval?.status !== 'waiting') return
    // Counted before: a yes of which nobody hears may be one all the same.
    if (yes) order.approved++
    await (yes ? this.#ledger.approvals.approve(id, 'crash') : this.#ledger.approvals.deny(id, 'crash'))
  }
}
