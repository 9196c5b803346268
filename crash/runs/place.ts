/** One ledger and its world, as the parent sees them: opened, looked at, and decided in as people would. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { openExisting } from '../../packages/myrmex/src/ledger/existing.ts'
import type { Ledger } from '../../packages/myrmex/src/ledger/ledger.ts'
import { openLedger } from '../../packages/myrmex/src/ledger/open.ts'
import type { RunRow } from '../../packages/myrmex/src/ledger/runs.ts'
import type { Chance } from '../chance.ts'
import type { Problems } from '../problems.ts'
import type { Home } from '../server-process.ts'
import { Check } from './check.ts'
import { ASKED } from './plans.ts'
import { toolsOf } from './tools.ts'
import { World } from './world.ts'

export class Place {
  readonly home: Home
  readonly problems: Problems
  readonly check: Check
  /** runs that leaders said they have started */
  readonly started: string[] = []
  /** runs that were led by a leader as it died */
  readonly cut = new Set<string>()
  /** what leaders said went wrong */
  readonly failures: string[] = []
  readonly #world: World
  #ledger: Ledger | undefined

  private constructor(home: Home, problems: Problems) {
    this.home = home
    this.problems = problems
    this.#world = new World(home.effects)
    this.check = new Check(this.#world, problems)
  }

  /** New, empty, and with the tools trusted, so that calls of theirs wait for an approval and for nothing else. */
  static async create(engine: Home['engine'], database: string | undefined, problems: Problems): Promise<Place> {
    const folder = mkdtempSync(join(tmpdir(), 'myrmex-crash-runs-'))
    const address = database ?? join(folder, 'ledger.db')
    const home: Home = { engine, folder, address, key: join(folder, 'ledger.key'), effects: join(folder, 'world.db') }
    const place = new Place(home, problems)
    const ledger = await openLedger(address, { keyFile: home.key })
    for (const tool of toolsOf(place.#world)) {
      if (tool.destructive) await ledger.vouchFor(tool, 'crash', { ask: true })
    }
    await ledger.close()
    return place
  }

  async ledger(): Promise<Ledger> {
    this.#ledger ??= await openExisting(this.home.address)
    return this.#ledger
  }

  /** Lets go of the ledger, so that whoever comes next finds it alone. */
  async detach(): Promise<void> {
    await this.#ledger?.close()
    this.#ledger = undefined
  }

  /** Open runs that this owner leads, or led when it died. */
  async ledBy(owner: string | undefined): Promise<RunRow[]> {
    const open = await (await this.ledger()).runs.list({ open: true, limit: 1000 })
    return open.filter(({ leader }) => leader !== null && leader === owner)
  }

  /** Takes away what a neighbour could recognise the process by: that it is dead shows only when its lease has passed. */
  async hide(owner: string | undefined): Promise<void> {
    if (owner === undefined) return
    await (await this.ledger()).db.query('UPDATE owners SET place = NULL WHERE id = ? RETURNING id', [owner])
  }

  /** As if the time of its lease had passed. */
  async lapse(owner: string | undefined): Promise<void> {
    if (owner === undefined) return
    await (await this.ledger()).db.query('UPDATE owners SET alive_until = 0 WHERE id = ? RETURNING id', [owner])
  }

  /** Resolves when its lease is over. */
  async lapsed(owner: string | undefined): Promise<void> {
    if (owner === undefined) return
    const { db, owners } = await this.ledger()
    const isOver = `SELECT 1 AS yes FROM (SELECT CAST(? AS TEXT) AS id) AS one WHERE ${owners.gone('one.id')}`
    while ((await db.query(isOver, [owner])).length === 0) await after(50)
  }

  /** People decide some of what waits; some of it they leave for later. */
  async decide(chance: Chance, share: number): Promise<void> {
    const { approvals } = await this.ledger()
    for (const { id, principal } of await approvals.list('waiting', 1000)) {
      if (principal === ASKED && chance.often(share)) await approvals.approve(id, 'paul')
    }
  }

  async look(): Promise<void> {
    await this.check.run(await this.ledger(), this.started, this.cut)
  }

  async isOver(): Promise<boolean> {
    return (await (await this.ledger()).runs.list({ open: true, limit: 1 })).length === 0
  }

  /** Where it can be looked at; nowhere if nothing is wrong. */
  async remove(): Promise<string | undefined> {
    await this.detach()
    this.#world.close()
    if (this.problems.any) return this.home.folder
    if (existsSync(this.home.folder)) rmSync(this.home.folder, { recursive: true, force: true })
    return undefined
  }
}
