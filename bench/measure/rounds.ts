// How a measurement is paced: every target in turn, round after round, in an order that rotates, so that whatever else the machine does
// hits all of them alike and no figure depends on who ran last; and what is kept of a round: rate, and who spent how much CPU.
import process from 'node:process'
import type { ServerProcess } from './server-process.ts'

export type Pace = { rounds: number; roundSeconds: number; warmSeconds: number; starts: number }
/** Many short rounds rather than few long ones: those next to each other then meet the same state of a shared machine. */
export const fullPace: Pace = { rounds: 30, roundSeconds: 0.175, warmSeconds: 2.5, starts: 11 }
export const quickPace: Pace = { rounds: 12, roundSeconds: 0.085, warmSeconds: 1, starts: 5 }

export type Round = { calls: number; seconds: number; serverCpu?: number | undefined; driverCpu: number }

/** Makes one round of `calls` calls ready and gives what is to be timed: all of them sent, answered and checked. */
export type Runner = (calls: number) => () => Promise<void>

export async function timeRound(runner: Runner, calls: number, server?: ServerProcess): Promise<Round> {
  const run = runner(calls)
  const serverBefore = server?.cpuSeconds()
  const driverBefore = process.cpuUsage()
  const start = performance.now()
  await run()
  const seconds = (performance.now() - start) / 1000
  const driver = process.cpuUsage(driverBefore)
  const serverAfter = server?.cpuSeconds()
  return {
    calls,
    seconds,
    serverCpu: serverBefore !== undefined && serverAfter !== undefined ? serverAfter - serverBefore : undefined,
    driverCpu: (driver.user + driver.system) / 1e6,
  }
}

/** Runs for a while until the code is hot, and says how many calls then fill one round. */
export async function warmUp(runner: Runner, pace: Pace): Promise<number> {
  const end = performance.now() + pace.warmSeconds * 1000
  let batch = 64
  let rate = 0
  do {
    const { seconds } = await timeRound(runner, batch)
    rate = batch / seconds
    batch = Math.max(64, Math.ceil(rate * 0.1))
  } while (performance.now() < end)
  return Math.max(64, Math.ceil(rate * pace.roundSeconds))
}

/**
 * The order of `count` targets in a round. It starts one place later each round and, after as many rounds as there are targets,
 * turns around: everybody has every place equally often, and nobody always runs after the same other.
 */
export function orderInRound(round: number, count: number): number[] {
  const order = Array.from({ length: count }, (_, place) => (place + round) % count)
  return Math.floor(round / count) % 2 === 0 ? order : order.reverse()
}

/**
 * Every item once a round, in turns: one result list for each name, in the order of the rounds. There are at least `rounds` of them, and as
 * many more as it takes until every item has had every place.
 */
export async function interleave<Item, Result>(
  items: ReadonlyMap<string, Item>,
  rounds: number,
  once: (item: Item) => Promise<Result>,
): Promise<Map<string, Result[]>> {
  const results = new Map<string, Result[]>([...items.keys()].map((name) => [name, []]))
  const lanes = [...items]
  const whole = lanes.length === 0 ? 0 : Math.ceil(rounds / lanes.length) * lanes.length
  for (let round = 0; round < whole; round++)
    for (const place of orderInRound(round, lanes.length)) {
      const [name, item] = lanes[place] as [string, Item]
      results.get(name)?.push(await once(item))
    }
  return results
}
