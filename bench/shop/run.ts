/**
 * `npm run bench -- shop`: the fleet against three naive ways and against one that sees what is hidden, over many worlds of 90 days;
 * how good the forecasts are; how well tickets are read. Prints tables with the worst seeds. The seeds are not those that anything was
 * tuned on (1 to 60); `--first` and `--seeds` choose others.
 */
import { FleetPlayer } from './fleet-player.ts'
import { type ForecastAccuracy, measureForecast } from './forecast.ts'
import { naivePlayers } from './naive-players.ts'
import { oracle } from './oracle-player.ts'
import { measureTickets } from './tickets.ts'
import { DAYS, type PlayResult, World } from './world.ts'

export interface ShopBench {
  readonly first: number
  readonly seeds: number
  readonly days?: number
}

/** How many products the fleet begins with. */
const WARES = 16
const HORIZON = 30
const WORST = 5

export interface SeedResult {
  readonly seed: number
  readonly fleet: PlayResult
  readonly naive: readonly PlayResult[]
  /** the same ways with as many products as the fleet begins with */
  readonly many: readonly PlayResult[]
  readonly oracle: PlayResult
}

/** `wares`: also the naive ways with as many products as the fleet has; a short look does without. */
export async function playSeed(seed: number, days = DAYS, wares = WARES): Promise<SeedResult> {
  const world = await World.create(seed)
  const fleet = new FleetPlayer({ wares: WARES })
  try {
    const naive: PlayResult[] = []
    const many: PlayResult[] = []
    for (const player of naivePlayers(seed)) naive.push(await world.play(player, days))
    for (const player of wares > 0 ? naivePlayers(seed, wares) : []) many.push(await world.play(player, days))
    return { seed, naive, many, oracle: await world.play(oracle(), days), fleet: await world.play(fleet, days) }
  } finally {
    await fleet.close()
    await world.close()
  }
}

const best = (played: readonly PlayResult[]): PlayResult =>
  [...played].sort((a, b) => b.profit - a.profit)[0] as PlayResult
const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length / 2
  return sorted.length % 2 === 1
    ? (sorted[Math.floor(middle)] as number)
    : ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2
}

/** A way that loses money is beaten by any profit; the ratio then is that to a profit of 1. */
const times = ({ profit }: PlayResult, other: PlayResult): number => profit / Math.max(1, other.profit)

export const figuresOf = (results: readonly SeedResult[]) => ({
  times_naive: median(results.map(({ fleet, naive }) => times(fleet, best(naive)))),
  times_many: median(results.map(({ fleet, many }) => times(fleet, best(many)))),
  of_oracle: median(results.map(({ fleet, oracle: all }) => times(fleet, all))),
})

export async function benchShop(
  { first, seeds, days = DAYS }: ShopBench,
  log: (line: string) => void,
): Promise<boolean> {
  const results: SeedResult[] = []
  log(`${seeds} worlds, seeds ${first} to ${first + seeds - 1}, ${days} days, profit in EUR\n`)
  log(HEAD)
  for (let seed = first; seed < first + seeds; seed++) {
    const result = await playSeed(seed, days)
    results.push(result)
    log(rowOf(result))
  }
  const { times_naive, times_many, of_oracle } = figuresOf(results)
  const profits = [
    judged('fleet over the best naive way, median', times_naive, '>= 3', times_naive >= 3),
    judged('fleet as a share of the oracle, median', of_oracle, '>= 0.6', of_oracle >= 0.6),
    `  (over the best naive way with ${WARES} products each: ${times_many.toFixed(2)})`,
  ]
  log(`\n${profits.join('\n')}`)
  const worst = [...results].sort((a, b) => times(a.fleet, a.oracle) - times(b.fleet, b.oracle)).slice(0, WORST)
  log(
    `  worst seeds: ${worst.map((one) => `${one.seed} (${(times(one.fleet, one.oracle) * 100).toFixed(0)} % of the oracle)`).join(', ')}`,
  )
  const forecasts = await measureForecast({ seeds, first, horizon: HORIZON })
  const isForecastWell = logForecasts(forecasts, log)
  await logTickets(first, seeds, log)
  return times_naive >= 3 && of_oracle >= 0.6 && isForecastWell
}

const HEAD = 'seed      fleet  products   ads   best naive                       oracle   times naive  of oracle'

function rowOf({ seed, fleet, naive, oracle: all }: SeedResult): string {
  const rival = best(naive)
  const share = `${(times(fleet, all) * 100).toFixed(0)} %`
  const naiveWords = `${rival.profit.toFixed(0).padStart(8)} ${rival.name}`
  return [
    String(seed).padEnd(6),
    fleet.profit.toFixed(0).padStart(8),
    String(fleet.products).padStart(9),
    fleet.ads.toFixed(0).padStart(5),
    naiveWords.padEnd(30),
    all.profit.toFixed(0).padStart(8),
    times(fleet, rival).toFixed(1).padStart(13),
    share.padStart(10),
  ].join(' ')
}

const judged = (what: string, figure: number, aim: string, isMet: boolean): string =>
  `  ${what}: ${figure.toFixed(2)} (aim ${aim}: ${isMet ? 'met' : 'MISSED'})`

function logForecasts(measured: readonly ForecastAccuracy[], log: (line: string) => void): boolean {
  const mase = median(measured.map((one) => one.mase))
  const coverage = measured.reduce((sum, one) => sum + one.coverage, 0) / measured.length
  const isCovered = coverage >= 0.75 && coverage <= 0.85
  log(`\nForecast of the shop's pieces and revenue, ${HORIZON} days ahead, ${measured.length} seeds`)
  log(judged('MASE, median', mase, '< 1', mase < 1))
  log(judged('share of days in their 80 % interval', coverage, '0.75 to 0.85', isCovered))
  log(
    `  (as a week ago: ${median(measured.map((one) => one.naive)).toFixed(2)}; five best products: MASE ${median(measured.map(({ products }) => products.mase)).toFixed(2)})`,
  )
  const worst = [...measured].sort((a, b) => b.mase - a.mase).slice(0, WORST)
  log(`  worst seeds: ${worst.map((one) => `${one.seed} (${one.mase.toFixed(2)})`).join(', ')}`)
  return mase < 1 && isCovered
}

const TICKET_SEEDS = 6

async function logTickets(first: number, seeds: number, log: (line: string) => void): Promise<void> {
  const count = Math.min(seeds, TICKET_SEEDS)
  const chosen = Array.from({ length: count }, (_, index) => first + index)
  const { tickets, answered, accuracy, accuracy_answered, ece } = await measureTickets({ seeds: chosen })
  const percent = (share: number): string => `${(share * 100).toFixed(1)} %`
  log(`\nTickets of ${count} worlds: ${tickets}`)
  log(
    `  intent right ${percent(accuracy)}; of the ${percent(answered)} with at least 70 % confidence ${percent(accuracy_answered)}; calibration error ${ece.toFixed(3)}`,
  )
}
