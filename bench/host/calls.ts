// The same call by the same official client: directly, through a process that only copies bytes, and through the host. All
// are open at once and take turns; every answer is checked.
import { WrongAnswer } from '../measure/check-answer.ts'
import { interleave, median, type Pace } from '../measure/rounds.ts'
import { type ClientName, type OpenedClient, open } from './clients.ts'
import type { Upstream, UpstreamTarget } from './upstreams.ts'

export interface Load {
  readonly client: ClientName
  readonly upstream: Upstream
  readonly inFlight: number
}

export interface CallRoute {
  readonly way: string
  /** microseconds a call, the median over the rounds; with many in flight, their common time over their number */
  readonly micros: number
  /** how many times as long as directly: the median over the rounds of each round's ratio */
  readonly ratio: number
}

interface Lane {
  readonly way: string
  readonly opened: OpenedClient
  readonly name: string
  readonly load: Load
  next: number
  calls: number
}

export const DIRECT = 'direct'

export async function measureCalls(
  load: Load,
  ways: ReadonlyMap<string, UpstreamTarget>,
  pace: Pace,
): Promise<readonly CallRoute[]> {
  await using clients = new AsyncDisposableStack()
  const lanes = new Map<string, Lane>()
  for (const [way, to] of ways) {
    const opened = await open(load.client, to)
    clients.defer(() => opened.close())
    lanes.set(way, { way, opened, name: await opened.named(load.upstream.tool), load, next: 1, calls: 32 })
  }
  for (const lane of lanes.values()) await warmUp(lane, pace)
  const rounds = await interleave(lanes, pace.rounds, timed)
  const direct = rounds.get(DIRECT) ?? []
  return [...rounds].map(([way, times]) => ({
    way,
    micros: median(times) * 1000,
    ratio: median(times.map((time, round) => time / (direct[round] ?? Number.NaN))),
  }))
}

/** Until the code is hot; then a round is as many calls as fill its time. */
async function warmUp(lane: Lane, pace: Pace): Promise<void> {
  const end = performance.now() + pace.warmSeconds * 1000
  let time = 1
  do time = await timed(lane)
  while (performance.now() < end)
  lane.calls = Math.max(32, Math.ceil((pace.roundSeconds * 1000) / time))
}

/** Milliseconds a call. One at a time, it is the median of them all; many at once, their common time. */
async function timed(lane: Lane): Promise<number> {
  const { inFlight } = lane.load
  await stirred(lane)
  if (inFlight === 1) {
    const times: number[] = []
    for (let call = 0; call < lane.calls; call++) {
      const start = performance.now()
      await callOnce(lane, lane.next++)
      times.push(performance.now() - start)
    }
    return median(times)
  }
  const end = lane.next + lane.calls
  const start = performance.now()
  const keepCalling = async (): Promise<void> => {
    while (lane.next < end) await callOnce(lane, lane.next++)
  }
  await Promise.all(Array.from({ length: inFlight }, keepCalling))
  return (performance.now() - start) / lane.calls
}

/** As many connections as a client may have left idle. */
const STALE = 32

/** While others had their turn, a server may have let go of connections that were idle; the client finds out by calls that fail. */
async function stirred(lane: Lane): Promise<void> {
  for (let left = STALE; ; left--) {
    try {
      return await callOnce(lane, lane.next++)
    } catch (error) {
      if (error instanceof WrongAnswer || left === 0) throw error
    }
  }
}

async function callOnce({ way, opened, name, load: { upstream } }: Lane, n: number): Promise<void> {
  const result = await opened.call(name, upstream.argumentsOf(n))
  if (upstream.isRight(n, result)) return
  throw new WrongAnswer(
    `${upstream.name} (${way}) gave a wrong answer to call ${n}: ${JSON.stringify(result).slice(0, 400)}`,
  )
}
