// One measured figure of one target: the median over the rounds, its spread, and where the CPU time went.
import { median, type Round } from './rounds.ts'

export type Figure = {
  unit: 'calls/s' | 'ms'
  /** One value a round, in order, so that rounds next to each other can be compared. */
  rounds: readonly number[]
  /** The median over the rounds. */
  value: number
  /** CPU of the server and of the driver for one call, in µs. */
  serverMicros?: number | undefined
  driverMicros?: number | undefined
  /** The share of the time in which the driver had a core busy; near 1 the driver is the limit, not the server. */
  driverBusy?: number | undefined
}

export function rateFigure(rounds: readonly Round[]): Figure {
  const rates = rounds.map((round) => round.calls / round.seconds)
  const cpus = rounds.flatMap((round) => (round.serverCpu === undefined ? [] : [(round.serverCpu / round.calls) * 1e6]))
  return {
    unit: 'calls/s',
    rounds: rates,
    value: median(rates),
    serverMicros: cpus.length > 0 ? median(cpus) : undefined,
    driverMicros: median(rounds.map((round) => (round.driverCpu / round.calls) * 1e6)),
    driverBusy: median(rounds.map((round) => round.driverCpu / round.seconds)),
  }
}

export function timeFigure(milliseconds: readonly number[]): Figure {
  return { unit: 'ms', rounds: milliseconds, value: median(milliseconds) }
}

/** How many times better `ours` is: the median over the rounds of each round's ratio to the peer beside it. */
export function ratioOf(ours: Figure, peer: Figure): number {
  return median(
    ours.rounds.map((value, round) => {
      const other = peer.rounds[round] ?? Number.NaN
      return ours.unit === 'ms' ? other / value : value / other
    }),
  )
}
