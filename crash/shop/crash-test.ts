/**
 * The crash test of the shop: the real agents on a real shop, killed at random moments and at chosen ones and started again, until every
 * run is over and every customer served; then shop and ledger are compared. It stops at the first thing that is wrong.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Problems } from '../problems.ts'
import { SingleWorker, type SingleWorkerOptions } from '../runs/single-worker.ts'
import type { ShopCheck } from './check-shop.ts'
import { sweep } from './kill-every-commit.ts'
import { makeShop } from './shop-file.ts'
import { SHOP_MOSTS } from './shop-kill-switch.ts'
import { ShopSite } from './shop-site.ts'
import { WORKER_PROGRAM } from './worker-options.ts'

export interface ShopOptions {
  readonly kills: number
  /** the same seed gives the same decisions; how far a leader gets in the meantime is up to the machine */
  readonly seed: number
  /** after so many kills a new shop and a new ledger are begun */
  readonly killsPerShop: number
  /** whether one launch is killed at every commit first: those kills count too */
  readonly sweeps?: boolean
  readonly onProgress?: (kills: number) => void
}

export interface ShopTally extends Readonly<ShopCheck['tally']> {
  /** that are over, how many of them were being led as their leader was killed, and how many had several leaders */
  readonly runs: number
  readonly cut: number
  readonly takenOver: number
  readonly forms: number
}

export interface ShopResult {
  readonly kills: number
  readonly lost: number
  readonly doubled: number
  readonly tally: ShopTally
  /** what leaders said went wrong, though it was made good */
  readonly failures: readonly string[]
  /** the first thing that is wrong, and where its shop and ledger are */
  readonly problem: string | undefined
}

const WAYS: SingleWorkerOptions = {
  program: WORKER_PROGRAM,
  longest_ms: 600,
  start_ms: 800,
  mosts: SHOP_MOSTS,
}

export async function crashShop(options: ShopOptions): Promise<ShopResult> {
  const { kills, seed, killsPerShop, sweeps = false, onProgress } = options
  const problems = new Problems()
  const places: ShopSite[] = []
  const kept: string[] = []
  let done = 0
  const onKill = (): void => {
    done++
    onProgress?.(done)
  }
  const folder = mkdtempSync(join(tmpdir(), 'myrmex-crash-shop-'))
  try {
    const shopFile = join(folder, 'shop.db')
    await makeShop(shopFile)
    if (sweeps) kept.push(...(await sweep({ shopFile, problems, most: kills, onKill })))
    while (done < kills && !problems.any) {
      const place = await ShopSite.create(shopFile, problems)
      places.push(place)
      const most = Math.min(kills - done, killsPerShop)
      await killSome(place, `${seed}.shop${places.length}`, most, onKill)
      const left = await place.remove()
      if (left !== undefined) kept.push(left)
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  const { lost, doubled, first } = problems
  return {
    kills: done,
    lost,
    doubled,
    tally: tallyOf(places),
    failures: [...new Set(places.flatMap(({ failures }) => failures))],
    problem: first === undefined ? undefined : `${first}\nShop and ledger are kept in ${kept.join(' or ')}`,
  }
}

async function killSome(place: ShopSite, seed: string, kills: number, onKill: () => void): Promise<void> {
  const { problems } = place
  const leaders = new SingleWorker(place, seed, WAYS)
  try {
    for (let kill = 0; kill < kills && !problems.any; kill++) {
      await leaders.live(false)
      onKill()
    }
    if (!problems.any) await leaders.finish()
  } catch (error) {
    // Whatever keeps a leader from starting or a file from being read has lost what was in it.
    problems.losing(error instanceof Error ? (error.stack ?? error.message) : String(error))
  }
}

function tallyOf(places: readonly ShopSite[]): ShopTally {
  const sum = (count: (place: ShopSite) => number): number => places.reduce((all, place) => all + count(place), 0)
  return {
    runs: sum(({ check }) => check.over.length),
    cut: sum(({ cut }) => cut.size),
    takenOver: sum(({ check }) => check.takenOver),
    forms: sum(({ forms }) => forms.count),
    shipped: sum(({ truth }) => truth.tally.shipped),
    answered: sum(({ truth }) => truth.tally.answered),
    campaigns: sum(({ truth }) => truth.tally.campaigns),
    pages: sum(({ truth }) => truth.tally.pages),
    quotes: sum(({ truth }) => truth.tally.quotes),
    rivals: sum(({ truth }) => truth.tally.rivals),
    refusedTalks: sum(({ truth }) => truth.tally.refusedTalks),
  }
}
