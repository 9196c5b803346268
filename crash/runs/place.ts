/** One ledger and its world, as the parent sees them: opened, looked at, and decided in as people would. */
import { openLedger } from '../../packages/myrmex/src/ledger/open.ts'
import type { Chance } from '../chance.ts'
import type { Problems } from '../problems.ts'
import type { Home } from '../server-process.ts'
import { Check } from './check.ts'
import { Ground, homeFor } from './ground.ts'
import { ASKED } from './plans.ts'
import { toolsOf } from './tools.ts'
import { truthOf } from './truth.ts'
import { World } from './world.ts'

export class Place extends Ground {
  readonly check: Check
  readonly #world: World

  private constructor(home: Home, problems: Problems) {
    super(home, problems)
    this.#world = new World(home.effects)
    this.check = new Check(truthOf(this.#world, problems), problems)
  }

  /** New, empty, and with the tools trusted, so that calls of theirs wait for an approval and for nothing else. */
  static async create(engine: Home['engine'], database: string | undefined, problems: Problems): Promise<Place> {
    const home = homeFor(engine, 'world.db', database)
    const place = new Place(home, problems)
    const ledger = await openLedger(home.address, { keyFile: home.key })
    for (const tool of toolsOf(place.#world)) {
      if (tool.destructive) await ledger.vouchFor(tool, 'crash', { ask: true })
    }
    await ledger.close()
    return place
  }

  /** People decide some of what waits; some of it they leave for later. */
  async decide(chance: Chance, share: number): Promise<void> {
    const { approvals } = await this.ledger()
    for (const { id, principal } of await approvals.list('waiting', 1000)) {
      if (principal === ASKED && chance.often(share)) await approvals.approve(id, 'paul')
    }
  }

  override async remove(): Promise<string | undefined> {
    this.#world.close()
    return super.remove()
  }
}
