/** One shop and the ledger of its runs, as the parent sees them, and the customers who order meanwhile. */
import { openShop } from '../../packages/dropship/src/index.ts'
import { openLedger } from '../../packages/myrmex/src/ledger/open.ts'
import type { Problems } from '../problems.ts'
import { RunsCheck } from '../runs/check-runs.ts'
import { CrashLedger, homeFor } from '../runs/crash-ledger.ts'
import type { WorkerProcess } from '../runs/worker-process.ts'
import type { SeededRandom } from '../seeded-random.ts'
import type { LedgerHome } from '../server/server-process.ts'
import { ShopCheck } from './check-shop.ts'
import { agentsOf, toolsOf } from './fleet.ts'
import { OrderForms } from './order-forms.ts'
import { copyShop, readShop, snapshotShop } from './shop-file.ts'
import type { PlacedOrder } from './worker.ts'

/** Of the moments at which somebody could order, so many: more than the shop serves before it is killed would hide its launches. */
const ORDERING = 0.2

export class ShopSite extends CrashLedger {
  readonly check: RunsCheck
  readonly truth: ShopCheck
  readonly forms: OrderForms

  private constructor(home: LedgerHome, problems: Problems) {
    super(home, problems)
    this.forms = new OrderForms(home.effects, problems)
    this.truth = new ShopCheck(home.effects, snapshotShop(home.effects), problems)
    this.check = new RunsCheck(this.truth, problems)
  }

  /** A copy of a shop, with a new ledger in which the tools of its agents are trusted. */
  static async create(shopFile: string, problems: Problems): Promise<ShopSite> {
    const home = homeFor('sqlite', 'shop.db')
    copyShop(shopFile, home.effects)
    const ledger = await openLedger(home.address, { keyFile: home.key })
    for (const tool of toolsOf(agentsOf(() => openShop({ file: home.effects })))) {
      if (tool.destructive) await ledger.trustTool(tool, 'crash', { ask: true })
    }
    await ledger.close()
    return new ShopSite(home, problems)
  }

  /**
   * Customers send forms: now and then while a worker runs, and one after each kill, so that every life leaves something to ship. In the
   * last life nobody sends a new one, because everything is to come to its end.
   */
  async decide(chance: SeededRandom, share: number, leader?: WorkerProcess): Promise<void> {
    if (leader === undefined) {
      await this.forms.sendAgain()
      await this.forms.send(chance, undefined)
    } else if (leader.orders.atOnce === 0) await this.forms.sendAgain()
    else if (chance.often(share * ORDERING)) await this.forms.send(chance, leader)
  }

  override async look(): Promise<void> {
    for (const answer of this.answers.splice(0)) this.forms.heard(answer as PlacedOrder)
    readShop(this.home.effects, (db) => this.forms.check(db))
    await super.look()
  }

  /** No run is open, and no customer waits. */
  override async isOver(): Promise<boolean> {
    return (await super.isOver()) && this.forms.isSettled && this.truth.waiting === 0
  }

  override async finish(): Promise<void> {
    await super.finish()
    if (this.truth.waiting > 0) this.problems.losing(`${this.truth.waiting} customers were never served`)
    this.truth.finish()
  }

  override async detach(): Promise<void> {
    await this.forms.detach()
    await super.detach()
  }
}
