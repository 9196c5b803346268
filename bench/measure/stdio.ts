// Calls over stdio: throughput with many calls in flight, in either era, small calls and 10 kB ones, and the time
// of single calls one after the other.
import { checkAnswer, checkParsed, mayHoldFailure, parse, WrongAnswer } from './check-answer.ts'
import { type Figure, rateFigure } from './figure.ts'
import { callText, type Era, type Work } from './messages.ts'
import { Pipe, type RequestPool } from './pipe.ts'
import { interleave, type Pace, type Runner, timeRound, warmUp } from './rounds.ts'
import type { Command } from './server-process.ts'

export type StdioLoad = { era: Era; work: Work; inFlight: number }

/** A started server that has given one answer, checked in full. */
export async function openStdio(name: string, command: Command, { era, work }: StdioLoad): Promise<Pipe> {
  await using servers = new AsyncDisposableStack()
  const pipe = servers.use(new Pipe(name, command))
  if (era === 'legacy') await pipe.initialize()
  checkParsed(parse(await pipe.ask(callText(era, work, pipe.nextId++))), work, era)
  // All is well: the server goes to the caller instead of being ended here.
  servers.move()
  return pipe
}

export function stdioRunner(pipe: Pipe, { era, work, inFlight }: StdioLoad): Runner {
  return (calls) => {
    const pool = requestPool(era, work, pipe.nextId, calls)
    pipe.nextId += calls
    return () =>
      pipe.drive(pool, inFlight, {
        suspicious: mayHoldFailure,
        answer: (text, suspicious, start, end) => checkAnswer(text, work, suspicious, start, end),
      })
  }
}

function requestPool(era: Era, work: Work, firstId: number, calls: number): RequestPool {
  const longest = callText(era, work, firstId + calls).length + 1
  const bytes = Buffer.allocUnsafe(longest * calls)
  const ends = new Uint32Array(calls)
  let end = 0
  for (let index = 0; index < calls; index++) {
    end += bytes.write(`${callText(era, work, firstId + index)}\n`, end, 'latin1')
    ends[index] = end
  }
  return { bytes, ends, firstId }
}

export async function measureStdio(
  commands: ReadonlyMap<string, Command>,
  load: StdioLoad,
  pace: Pace,
): Promise<Map<string, Figure>> {
  await using servers = new AsyncDisposableStack()
  const lanes = new Map<string, { pipe: Pipe; runner: Runner; calls: number }>()
  for (const [name, command] of commands) {
    const pipe = servers.use(await openStdio(name, command, load))
    const runner = stdioRunner(pipe, load)
    lanes.set(name, { pipe, runner, calls: await warmUp(runner, pace) })
  }
  const rounds = await interleave(lanes, pace.rounds, (lane) => timeRound(lane.runner, lane.calls, lane.pipe.server))
  return new Map([...rounds].map(([name, list]) => [name, rateFigure(list)]))
}

/** Milliseconds of each of `calls` calls, one after the other, after as many again to warm up. */
export async function stdioLatencies(name: string, command: Command, calls: number): Promise<number[]> {
  const load: StdioLoad = { era: 'legacy', work: 'add', inFlight: 1 }
  await using pipe = await openStdio(name, command, load)
  await stdioRunner(pipe, load)(calls)()
  const times: number[] = []
  for (let call = 0; call < calls; call++) {
    const id = pipe.nextId++
    const request = callText(load.era, load.work, id)
    const start = performance.now()
    const line = await pipe.ask(request)
    times.push(pipe.arrived - start)
    if (checkAnswer(line, load.work, mayHoldFailure(line)) !== id)
      throw new WrongAnswer(`${name} answered another call than ${id}: ${line}`)
  }
  return times
}
