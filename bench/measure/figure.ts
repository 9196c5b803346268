// One measured figure of one target: the median over the rounds, its spread, and where the CPU time went.
import type { Round } from './rounds.ts'
import { ratioSpread, type Spread, spreadOf } from './spread.ts'

/** Median and quartiles over the rounds. */
export type Figure = Spread & {
  unit: 'calls/s' | 'ms' | 'µs'
  /** One value a round, in order, so that rounds next to each other can be compared. */
  rounds: readonly number[]
  /** CPU of the server and of the driver for one call, in µs. */
  serverMicros?: number | undefined
  driverMicros?: number | undefined
  /** The share of the time in which the driver had a core busy; near 1 the driver is the limit, not the server. */
  driverBusy?: number | undefined
}

export function rateFigure(rounds: readonly Round[]): Figure {
  const rates = rounds.map((round) => round.calls / round.seconds)
  const sum = (part: (round: Round) => number) => rounds.reduce((total, round) => total + part(round), 0)
  const calls = sum((round) => round.calls)
  // Over all rounds together: the system counts in hundredths of a second, which is much of one round.
  const server = sum(({ serverCpu }) => serverCpu ?? Number.NaN)
  return {
    unit: 'calls/s',
    rounds: rates,
    ...spreadOf(rates),
    serverMicros: Number.isNaN(server) ? undefined : (server * 1e6) / calls,
    driverMicros: (sum((round) => round.driverCpu) * 1e6) / calls,
    driverBusy: sum((round) => round.driverCpu) / sum((round) => round.seconds),
  }
}

export function timeFigure(rounds: readonly number[], unit: 'ms' | 'µs' = 'ms'): Figure {
  return { unit, rounds, ...spreadOf(rounds) }
}

/** How many times better `ours` is: the median over the rounds of each round's ratio to the peer beside it, and the spread of these. */
export function ratioOf(ours: Figure, peer: Figure): Spread {
  return ours.unit === 'calls/s' ? ratioSpread(ours.rounds, peer.rounds) : timesAsLong(peer, ours)
}

/** Of two times: how many times as long the first is as the one beside it, round by round. */
export function timesAsLong(time: Figure, other: Figure): Spread {
  return ratioSpread(time.rounds, other.rounds)
}

/** How many times less processor time a call takes our server than the peer. It moves less than the clock, but leaves waiting out. */
export function cpuRatioOf(ours: Figure, peer: Figure): number | undefined {
  if (ours.serverMicros === undefined || peer.serverMicros === undefined) return undefined
  return peer.serverMicros / ours.serverMicros
}
