// A thousand tools of an upstream, listed through the host: the first time a client asks, and later. Raw, from the request to
// the last byte of the answer, and by the official client, which also parses and checks what it reads.
import { setTimeout as pause } from 'node:timers/promises'
import { WrongAnswer } from '../measure/check-answer.ts'
import { type Figure, timeFigure } from '../measure/figure.ts'
import { listText } from '../measure/messages.ts'
import { Pipe } from '../measure/pipe.ts'
import { interleave, type Pace } from '../measure/rounds.ts'
import { type OpenedClient, open } from './clients.ts'
import { many, throughHost, type Upstream } from './upstreams.ts'

/** All in milliseconds. */
export interface ListTimes {
  readonly first: Figure
  readonly later: Figure
  readonly byClient: Figure
  /** the same client, without the host between */
  readonly direct: Figure
}

/** A host may answer before its upstream has told what it offers. */
const PATIENCE_MS = 30_000
const STARTS = 3

/** The host's own two, search and call, are no tools of the upstream. */
const isTheirs = (name: string): boolean => !/^(myrmex_)?(search_tools|call_tool)$/.test(name)

export async function measureManyTools(count: number, pace: Pace): Promise<ListTimes> {
  const upstream = many(count)
  const firsts: number[] = []
  const later: number[] = []
  for (let start = 0; start < STARTS; start++) {
    await using pipe = new Pipe('host', throughHost(upstream))
    await pipe.initialize()
    firsts.push(await firstWhole(pipe, count))
    for (let round = 0; round < pace.rounds; round++) {
      const { names, milliseconds } = await listOnce(pipe)
      if (names.length !== count) throw new WrongAnswer(`the host lists ${names.length} tools, not ${count}`)
      later.push(milliseconds)
    }
    await pipe.server.leave()
  }
  return { first: timeFigure(firsts), later: timeFigure(later), ...(await byClient(upstream, count, pace)) }
}

async function firstWhole(pipe: Pipe, count: number): Promise<number> {
  const end = performance.now() + PATIENCE_MS
  for (;;) {
    const { names, milliseconds } = await listOnce(pipe)
    const numbers = new Set(names.map((name) => name.replace(/^.*tool_/, '')))
    if (numbers.size === count) return milliseconds
    if (performance.now() > end) throw new WrongAnswer(`the host lists ${names.length} tools, not ${count}`)
    await pause(20)
  }
}

async function listOnce(pipe: Pipe): Promise<{ names: string[]; milliseconds: number }> {
  const names: string[] = []
  let milliseconds = 0
  let cursor: string | undefined
  do {
    const start = performance.now()
    const line = await pipe.ask(listText(pipe.nextId++, cursor))
    milliseconds += pipe.arrived - start
    const { result } = JSON.parse(line) as { result?: { tools: { name: string }[]; nextCursor?: string } }
    if (result === undefined) throw new WrongAnswer(`no list from ${pipe.server.name}: ${line.slice(0, 200)}`)
    names.push(...result.tools.map(({ name }) => name).filter(isTheirs))
    cursor = result.nextCursor
  } while (cursor !== undefined)
  return { names, milliseconds }
}

/** Both open at once, in turns. */
async function byClient(
  upstream: Upstream,
  count: number,
  pace: Pace,
): Promise<Pick<ListTimes, 'byClient' | 'direct'>> {
  await using clients = new AsyncDisposableStack()
  const opened = new Map<string, OpenedClient>()
  for (const [way, program] of [
    ['host', throughHost(upstream)],
    ['direct', upstream.program],
  ] as const) {
    const client = await open('sdk2', program)
    clients.defer(() => client.close())
    await client.named('tool_0')
    opened.set(way, client)
  }
  const times = await interleave(opened, pace.rounds, async (client) => {
    const start = performance.now()
    const found = (await client.list()).filter(isTheirs).length
    const milliseconds = performance.now() - start
    if (found !== count) throw new WrongAnswer(`the client received ${found} tools, not ${count}`)
    return milliseconds
  })
  return { byClient: timeFigure(times.get('host') ?? []), direct: timeFigure(times.get('direct') ?? []) }
}
