// How a measurement is paced: every target in turn, round after round, so that whatever else the machine does hits
// all of them alike; and what is kept of a round: rate, and who spent how much CPU.
import process from 'node:process'
import type { ServerProcess } from './server-process.ts'

export type Pace = { rounds: number; roundSeconds: number; warmSeconds: number; starts: number }
export const fullPace: Pace = { rounds: 15, roundSeconds: 0.35, warmSeconds: 2.5, starts: 11 }
export const quickPace: Pace = { rounds: 5, roundSeconds: 0.2, warmSeconds: 1, starts: 5 }

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

/** A B C A B C …: one result list for each name, in the order of the rounds. */
export async function interleave<Item, Result>(
  items: ReadonlyMap<string, Item>,
  rounds: number,
  once: (item: Item) => Promise<Result>,
): Promise<Map<string, Result[]>> {
  const results = new Map<string, Result[]>([...items.keys()].map((name) => [name, []]))
  for (let round = 0; round < rounds; round++)
    for (const [name, item] of items) results.get(name)?.push(await once(item))
  return results
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5)
}

/** Nearest-rank quantile; NaN for no values. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}
