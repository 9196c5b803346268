// Calls over HTTP in the modern era: throughput over many kept-alive connections, one call at a time on each, and the
// time of single calls one after the other.
import { checkAnswer, checkParsed, mayHoldFailure, parse, WrongAnswer } from './check-answer.ts'
import { type Figure, rateFigure } from './figure.ts'
import { HttpConnection, httpCall } from './http-connection.ts'
import { freePort, listening } from './port.ts'
import { interleave, type Pace, type Runner, timeRound, warmUp } from './rounds.ts'
import { type Command, ServerProcess } from './server-process.ts'

class HttpLane {
  readonly server: ServerProcess
  readonly port: number
  connections: HttpConnection[] = []
  nextId = 1

  constructor(server: ServerProcess, port: number) {
    this.server = server
    this.port = port
  }

  /** One round: each connection takes the next call as soon as its last is answered. */
  readonly runner: Runner = (calls) => {
    const firstId = this.nextId
    this.nextId += calls
    const requests = Array.from({ length: calls }, (_, index) => httpCall(this.port, firstId + index))
    return () => this.#drive(requests, firstId)
  }

  /** Opens connections again that the server closed while other targets were measured. Not part of any measurement. */
  async reopen(): Promise<void> {
    for (const [index, connection] of this.connections.entries())
      if (connection.closed) this.connections[index] = await HttpConnection.open(this.port)
  }

  #drive(requests: readonly string[], firstId: number): Promise<void> {
    let sent = 0
    const one = (connection: HttpConnection) => {
      let asked = -1
      const next = () => {
        if (sent === requests.length) return undefined
        asked = firstId + sent
        return requests[sent++]
      }
      return connection.drive(next, (message) => {
        if (checkAnswer(message, 'add', mayHoldFailure(message)) !== asked)
          throw new WrongAnswer(`answer to another call than ${asked}: ${message}`)
      })
    }
    return this.server.during(() => Promise.all(this.connections.map(one)).then(() => undefined))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const connection of this.connections) connection.close()
    await this.server.stop()
  }
}

/** Starts a server on a free port, opens the connections, and checks one answer in full. */
async function open(name: string, command: (port: number) => Command, connections: number): Promise<HttpLane> {
  const port = await freePort()
  const server = new ServerProcess(name, command(port))
  await using lanes = new AsyncDisposableStack()
  const lane = lanes.use(new HttpLane(server, port))
  await server.during(async () => {
    await listening(port)
    const first = await HttpConnection.open(port)
    await first.drive(once(httpCall(port, lane.nextId++)), (message) => checkParsed(parse(message), 'add', 'modern'))
    lane.connections.push(first)
    while (lane.connections.length < connections) lane.connections.push(await HttpConnection.open(port))
  })
  // All is well: the server goes to the caller instead of being ended here.
  lanes.move()
  return lane
}

export async function measureHttp(
  commands: ReadonlyMap<string, (port: number) => Command>,
  connections: number,
  pace: Pace,
): Promise<Map<string, Figure>> {
  await using servers = new AsyncDisposableStack()
  const lanes = new Map<string, { lane: HttpLane; calls: number }>()
  for (const [name, command] of commands) {
    const lane = servers.use(await open(name, command, connections))
    lanes.set(name, { lane, calls: await warmUp(lane.runner, pace) })
  }
  const rounds = await interleave(lanes, pace.rounds, async ({ lane, calls }) => {
    await lane.reopen()
    return timeRound(lane.runner, calls, lane.server)
  })
  return new Map([...rounds].map(([name, list]) => [name, rateFigure(list)]))
}

/** Milliseconds of each of `calls` calls, one after the other, after as many again to warm up. */
export async function httpLatencies(
  name: string,
  command: (port: number) => Command,
  calls: number,
): Promise<number[]> {
  await using lane = await open(name, command, 1)
  await lane.runner(calls)()
  const times: number[] = []
  for (let call = 0; call < calls; call++) {
    const run = lane.runner(1)
    const start = performance.now()
    await run()
    times.push(performance.now() - start)
  }
  return times
}

function once(request: string): () => string | undefined {
  let left: string | undefined = request
  return () => {
    const now = left
    left = undefined
    return now
  }
}
