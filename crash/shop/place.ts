/** One shop and the ledger of its runs, as the parent sees them, and the customers who order meanwhile. */
import { openShop } from '../../packages/dropship/src/index.ts'
import { openLedger } from '../../packages/myrmex/src/ledger/open.ts'
import type { Chance } from '../chance.ts'
import type { Problems } from '../problems.ts'
import { Check } from '../runs/check.ts'
import { Ground, homeFor } from '../runs/ground.ts'
import type { LeaderProcess } from '../runs/leader-process.ts'
import type { Home } from '../server-process.ts'
import { agentsOf, toolsOf } from './fleet.ts'
import { Forms } from './forms.ts'
import type { Placed } from './leader.ts'
import { before, copyShop, reading } from './shop-file.ts'
import { ShopTruth } from './truth.ts'

/** Of the moments at which somebody could order, so many: more than the shop serves before it is killed would hide its launches. */
const ORDERING = 0.2

export class ShopPlace extends Ground {
  readonly check: Check
  readonly truth: ShopTruth
  readonly forms: Forms

  private constructor(home: Home, problems: Problems) {
    super(home, problems)
    this.forms = new Forms(home.effects, problems)
    this.truth = new ShopTruth(home.effects, before(home.effects), problems)
    this.check = new Check(this.truth, problems)
  }

  /** A copy of a shop, with a new ledger in which the tools of its agents are trusted. */
  static async create(shopFile: string, problems: Problems): Promise<ShopPlace> {
    const home = homeFor('sqlite', 'shop.db')
    copyShop(shopFile, home.effects)
    const ledger = await openLedger(home.address, { keyFile: home.key })
    for (const tool of toolsOf(agentsOf(() => openShop({ file: home.effects })))) {
      if (tool.destructive) await ledger.vouchFor(tool, 'crash', { ask: true })
    }
    await ledger.close()
    return new ShopPlace(home, problems)
  }

  /** Customers send forms. In the last life no new ones: everything is to come to its end. */
  async decide(chance: Chance, share: number, leader?: LeaderProcess): Promise<void> {
    if (leader?.orders.atOnce === 0 || leader === undefined) await this.forms.sendAgain()
    else if (chance.often(share * ORDERING)) await this.forms.send(chance, leader)
  }

  override async look(): Promise<void> {
    for (const answer of this.answers.splice(0)) this.forms.heard(answer as Placed)
    reading(this.home.effects, (db) => this.forms.check(db))
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
