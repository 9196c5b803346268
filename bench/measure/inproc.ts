// Calls without bytes: message object in, message object out. Each engine runs in its own process and runs a round on request, so
// that no engine is measured in a heap or on code that another one has warmed up.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { type Figure, rateFigure } from './figure.ts'
import { interleave, type Pace, type Round } from './rounds.ts'
import { serverEnv } from './server-process.ts'

/** Warm up at this pace and say how many calls fill a round; or run a round of so many calls. */
export type InProcessOrder = { pace: Pace } | { calls: number }
export type InProcessReply = { error: string } | { ready: true } | { callsPerRound: number } | Round

const childFile = new URL('inproc-child.ts', import.meta.url).pathname

class InProcessLane {
  readonly name: string
  readonly child: ChildProcess
  calls = 0
  #ended: Promise<unknown>

  constructor(name: string, module: string) {
    this.name = name
    this.child = fork(childFile, [module], { env: serverEnv(), execArgv: [], stdio: ['ignore', 2, 2, 'ipc'] })
    this.#ended = once(this.child, 'exit')
  }

  /** Sends an order, if there is one, and waits for what the child has to say next. */
  async reply<T extends InProcessReply>(order?: InProcessOrder): Promise<T> {
    const answered = new Promise<InProcessReply>((resolve) =>
      this.child.once('message', resolve as (message: unknown) => void),
    )
    if (order) this.child.send(order)
    const ended = this.#ended.then(() => ({ error: 'the process ended early' }))
    const reply = await Promise.race([answered, ended])
    if ('error' in reply) throw new Error(`${this.name} in process: ${reply.error}`)
    return reply as T
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.child.kill()
    await this.#ended
  }
}

export async function measureInProcess(modules: ReadonlyMap<string, string>, pace: Pace): Promise<Map<string, Figure>> {
  await using engines = new AsyncDisposableStack()
  const lanes = new Map<string, InProcessLane>()
  for (const [name, module] of modules) {
    const lane = engines.use(new InProcessLane(name, module))
    lanes.set(name, lane)
    await lane.reply()
    lane.calls = (await lane.reply<{ callsPerRound: number }>({ pace })).callsPerRound
  }
  const rounds = await interleave(lanes, pace.rounds, (lane) => lane.reply<Round>({ calls: lane.calls }))
  return new Map([...rounds].map(([name, list]) => [name, inProcessFigure(list)]))
}

/** Engine and driver share one process here, so there is one CPU figure for both. */
function inProcessFigure(rounds: readonly Round[]): Figure {
  const { driverMicros, driverBusy: _, ...figure } = rateFigure(rounds)
  return { ...figure, serverMicros: driverMicros }
}
