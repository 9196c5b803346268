/**
 * One launch, killed at every moment at which its shop commits something, right before and right after. Whoever goes on with it has to
 * end with the same shop, to the byte, as one that nobody killed.
 */
import { setTimeout as after } from 'node:timers/promises'
import { openShop } from '../../packages/dropship/src/index.ts'
import type { Problems } from '../problems.ts'
import type { KillMoment } from '../runs/kill-moment.ts'
import { WorkerProcess } from '../runs/worker-process.ts'
import { LAUNCHES } from './fleet.ts'
import type { ShopHook } from './shop-kill-switch.ts'
import { ShopSite } from './shop-site.ts'
import { type ShopWorkerOptions, WORKER_PROGRAM } from './worker-options.ts'

const NEVER: KillMoment<ShopHook> = { kind: 'later', ms: Number.MAX_SAFE_INTEGER }
const LOOK_EVERY_MS = 20
const ENDING_MS = 60_000
const [GOAL = ''] = LAUNCHES

export interface Sweep {
  readonly shopFile: string
  readonly problems: Problems
  /** most kills; a launch has some ten such moments */
  readonly most: number
  readonly onKill: () => void
}

/** Gives the places where it found something wrong. */
export async function sweep({ shopFile, problems, most, onKill }: Sweep): Promise<string[]> {
  const whole = await ShopSite.create(shopFile, problems)
  await live(whole, NEVER)
  const expected = await dumpOf(whole)
  const kept = [await whole.remove()]
  for (let count = 1; count <= most && !problems.any; count++) {
    const place = await ShopSite.create(shopFile, problems)
    const wasKilled = await live(place, { kind: 'at', hook: 'commit', count })
    if (wasKilled) {
      onKill()
      await live(place, NEVER)
      await place.look()
      await place.check.finish(await place.ledger())
      place.truth.finish()
      compare(expected, await dumpOf(place), count, problems)
    }
    kept.push(await place.remove())
    // There were fewer such moments than that.
    if (!wasKilled) break
  }
  return kept.filter((folder) => folder !== undefined)
}

/** A leader of this one launch, until it is over or its leader is dead. True: it killed itself, as planned. */
async function live(place: ShopSite, moment: KillMoment<ShopHook>): Promise<boolean> {
  const orders: ShopWorkerOptions = { home: place.home, seed: 'sweep', atOnce: 0, moment, only: GOAL }
  const leader = new WorkerProcess(orders, WORKER_PROGRAM)
  let isDead = false
  const gone = leader.gone.then(() => {
    isDead = true
  })
  try {
    const until = performance.now() + ENDING_MS
    while (!isDead && !(await isLaunched(place)) && performance.now() < until)
      await Promise.race([gone, after(LOOK_EVERY_MS)])
    if (leader.endedByItself) throw new Error(`A leader ended by itself. It says: ${leader.complaint}`)
    return isDead
  } finally {
    leader.kill()
    await gone
    for (const { id } of await place.ledBy(leader.owner)) place.cut.add(id)
    place.started.push(...leader.started)
    place.failures.push(...leader.failures)
  }
}

const isLaunched = async (place: ShopSite): Promise<boolean> =>
  (await (await place.ledger()).runs.list()).some(({ ended_at }) => ended_at !== null)

/** All that the shop holds. The run's id, which is in the names of its keys, is another every time. */
async function dumpOf(place: ShopSite): Promise<string[]> {
  const [run] = await (await place.ledger()).runs.list()
  const shop = await openShop({ file: place.home.effects })
  try {
    return shop.dump().replaceAll(String(run?.id), 'the run').split('\n')
  } finally {
    await shop.close()
  }
}

function compare(expected: readonly string[], found: readonly string[], count: number, problems: Problems): void {
  const when = `after a kill at commit ${count}`
  const [more] = without(found, expected)
  const [less] = without(expected, found)
  if (found.length > expected.length) problems.doubling(`${when} the shop also has: ${more}`)
  else if (less !== undefined) problems.losing(`${when} the shop lacks: ${less}\nand has: ${more}`)
}

function without(lines: readonly string[], others: readonly string[]): string[] {
  const known = new Set(others)
  return lines.filter((line) => !known.has(line))
}
