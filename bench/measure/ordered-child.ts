// A process of the bench's own that opens something, warms it up and runs rounds of calls on request; and the other end of it,
// which gives the orders. A measurement in such a process shares no heap, no compiled code and no event loop with anything else.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import process from 'node:process'
import { type Pace, type Round, type Runner, timeRound, warmUp } from './rounds.ts'
import { type ServerProcess, serverEnv } from './server-process.ts'

/** Warm up at this pace and say how many calls fill a round; or run a round of so many calls. */
type Order = { pace: Pace } | { calls: number }
type Reply = { error: string } | { ready: true } | { callsPerRound: number } | Round

export class OrderedChild {
  readonly name: string
  readonly #child: ChildProcess
  readonly #ended: Promise<[code: number | null, signal: string | null]>

  private constructor(name: string, file: string, args: readonly string[]) {
    this.name = name
    this.#child = fork(file, args, { env: serverEnv(), execArgv: [], stdio: ['ignore', 2, 2, 'ipc'] })
    this.#ended = once(this.#child, 'exit') as Promise<[number | null, string | null]>
  }

  /** Started, and what it measures is open. */
  static async start(name: string, file: string, args: readonly string[]): Promise<OrderedChild> {
    const child = new OrderedChild(name, file, args)
    try {
      await child.#reply()
      return child
    } catch (error) {
      await child[Symbol.asyncDispose]()
      throw error
    }
  }

  /** How many calls fill a round, once all is warm. */
  async warmUp(pace: Pace): Promise<number> {
    return (await this.#reply<{ callsPerRound: number }>({ pace })).callsPerRound
  }

  round(calls: number): Promise<Round> {
    return this.#reply({ calls })
  }

  async #reply<T extends Reply>(order?: Order): Promise<T> {
    const answered = new Promise<Reply>((resolve) => this.#child.once('message', resolve as (message: unknown) => void))
    if (order) this.#child.send(order)
    const ended = this.#ended.then(([code, signal]) => ({
      error: `the process ended early (${signal ?? `exit code ${code}`})`,
    }))
    const reply = await Promise.race([answered, ended])
    if ('error' in reply) throw new Error(`${this.name}: ${reply.error}`)
    return reply as T
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.connected) this.#child.disconnect()
    await this.#ended
  }
}

/** What the child opened: how a round is made, and the server it is made with, if that is another process. */
export interface Opened {
  readonly runner: Runner
  readonly server?: ServerProcess
}

/** In the child: opens, then obeys until the parent lets go, and ends the process. */
export async function obeyOrders(open: () => Promise<Opened>): Promise<void> {
  const reply = async (work: () => Promise<Reply>): Promise<void> => {
    process.send?.(await work().catch((error: Error): Reply => ({ error: error.stack ?? error.message })))
  }
  let opened: Opened | undefined
  process.once('disconnect', async () => {
    await opened?.server?.leave()
    process.exit()
  })
  await reply(async () => {
    opened = await open()
    return { ready: true }
  })
  process.on('message', (order: Order) =>
    reply(async () => {
      if (opened === undefined) throw new Error('nothing is open')
      const { runner, server } = opened
      if ('calls' in order) return timeRound(runner, order.calls, server)
      return { callsPerRound: await warmUp(runner, order.pace) }
    }),
  )
}
