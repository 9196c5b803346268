// The same call by the same official client over several ways: directly, through a process that only copies bytes, through the host,
// through a gateway. All are open at once and take turns in an order that rotates; every answer is checked.
import { WrongAnswer } from '../measure/check-answer.ts'
import { ownCpu, processStat } from '../measure/cpu.ts'
import { type Figure, timeFigure } from '../measure/figure.ts'
import { interleave, type Pace } from '../measure/rounds.ts'
import { median } from '../measure/spread.ts'
import { type ClientName, type OpenedClient, open } from './clients.ts'
import type { Upstream, UpstreamTarget } from './upstreams.ts'

export interface Load {
  readonly client: ClientName
  readonly upstream: Upstream
  readonly inFlight: number
}

interface Lane {
  readonly way: string
  readonly opened: OpenedClient
  readonly name: string
  readonly load: Load
  next: number
  calls: number
}

interface CallRound {
  readonly micros: number
  readonly calls: number
  /** microseconds of the process that the client talks to, and of the client's own */
  readonly serverCpu: number
  readonly clientCpu: number
}

/**
 * Microseconds a call of each way; with many in flight, their common time over their number. `serverMicros` is the processor time of the
 * process that the client talks to, where it is not the client's own, and `driverMicros` that of the client.
 */
export async function measureCalls(
  load: Load,
  ways: ReadonlyMap<string, UpstreamTarget>,
  pace: Pace,
): Promise<Map<string, Figure>> {
  await using clients = new AsyncDisposableStack()
  const lanes = new Map<string, Lane>()
  for (const [way, to] of ways) {
    const opened = await open(load.client, to)
    clients.defer(() => opened.close())
    lanes.set(way, { way, opened, name: await opened.named(load.upstream.tool), load, next: 1, calls: 32 })
  }
  for (const lane of lanes.values()) await warmUp(lane, pace)
  const rounds = await interleave(lanes, pace.rounds, timed)
  return new Map([...rounds].map(([way, list]) => [way, figureOf(list)]))
}

function figureOf(rounds: readonly CallRound[]): Figure {
  const sum = (part: 'calls' | 'serverCpu' | 'clientCpu') => rounds.reduce((total, round) => total + round[part], 0)
  // Over all rounds together: the system counts in hundredths of a second, which is much of one round.
  const serverMicros = sum('serverCpu') / sum('calls')
  const times = rounds.map(({ micros }) => micros)
  return {
    ...timeFigure(times, 'µs'),
    serverMicros: Number.isNaN(serverMicros) ? undefined : serverMicros,
    driverMicros: sum('clientCpu') / sum('calls'),
  }
}

/** Until the code is hot; then a round is as many calls as fill its time. */
async function warmUp(lane: Lane, pace: Pace): Promise<void> {
  const end = performance.now() + pace.warmSeconds * 1000
  let micros = 1
  do micros = (await timed(lane)).micros
  while (performance.now() < end)
  lane.calls = Math.max(32, Math.ceil((pace.roundSeconds * 1e6) / micros))
}

async function timed(lane: Lane): Promise<CallRound> {
  await stirred(lane)
  const { calls, opened } = lane
  const serverCpu = () => ((opened.pid === undefined ? undefined : processStat(opened.pid)?.cpu) ?? Number.NaN) * 1e6
  const [server, client] = [serverCpu(), ownCpu()]
  const milliseconds = await (lane.load.inFlight === 1 ? oneAtATime(lane) : manyAtOnce(lane))
  return { micros: milliseconds * 1000, calls, serverCpu: serverCpu() - server, clientCpu: ownCpu() - client }
}

/** Milliseconds a call: the median of them all. */
async function oneAtATime(lane: Lane): Promise<number> {
  const times: number[] = []
  for (let call = 0; call < lane.calls; call++) {
    const start = performance.now()
    await callOnce(lane, lane.next++)
    times.push(performance.now() - start)
  }
  return median(times)
}

/** Milliseconds a call: their common time. */
async function manyAtOnce(lane: Lane): Promise<number> {
  const end = lane.next + lane.calls
  const start = performance.now()
  const keepCalling = async (): Promise<void> => {
    while (lane.next < end) await callOnce(lane, lane.next++)
  }
  await Promise.all(Array.from({ length: lane.load.inFlight }, keepCalling))
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
