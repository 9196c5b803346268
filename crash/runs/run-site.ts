/** One ledger and its world, as the parent sees them: opened, looked at, and decided in as people would. */
import { openLedger } from '../../packages/myrmex/src/ledger/open.ts'
import type { Problems } from '../problems.ts'
import type { SeededRandom } from '../seeded-random.ts'
import type { LedgerHome } from '../server/server-process.ts'
import { effectsCheckOf } from './check-effects.ts'
import { RunsCheck } from './check-runs.ts'
import { CrashLedger, homeFor } from './crash-ledger.ts'
import { EffectsFile } from './effects-file.ts'
import { ASKED } from './ten-step-plans.ts'
import { toolsOf } from './tools.ts'

export class RunSite extends CrashLedger {
  readonly check: RunsCheck
  readonly #world: EffectsFile

  private constructor(home: LedgerHome, problems: Problems) {
    super(home, problems)
    this.#world = new EffectsFile(home.effects)
    this.check = new RunsCheck(effectsCheckOf(this.#world, problems), problems)
  }

  /** New, empty, and with the tools trusted, so that calls of theirs wait for an approval and for nothing else. */
  static async create(
    engine: LedgerHome['engine'],
    database: string | undefined,
    problems: Problems,
  ): Promise<RunSite> {
    const home = homeFor(engine, 'world.db', database)
    const place = new RunSite(home, problems)
    const ledger = await openLedger(home.address, { keyFile: home.key })
    for (const tool of toolsOf(place.#world)) {
      if (tool.destructive) await ledger.trustTool(tool, 'crash', { ask: true })
    }
    await ledger.close()
    return place
  }

  /** People decide some of what waits; some of it they leave for later. */
  async decide(chance: SeededRandom, share: number): Promise<void> {
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
