// A thousand tools of an upstream, listed through the host: the first time a client asks, and later. Raw, from the request to
// the last byte of the answer, and by the official client, which also parses and checks what it reads.
import { setTimeout as pause } from 'node:timers/promises'
import { WrongAnswer } from '../measure/check-answer.ts'
import { listText } from '../measure/messages.ts'
import { Pipe } from '../measure/pipe.ts'
import { median, type Pace } from '../measure/rounds.ts'
import { open } from './clients.ts'
import { many, type Program, throughHost } from './upstreams.ts'

/** All in milliseconds. */
export interface ListTimes {
  readonly first: number
  readonly later: number
  readonly byClient: number
  /** the same client, without the host between */
  readonly direct: number
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
  return {
    first: median(firsts),
    later: median(later),
    byClient: await byClient(throughHost(upstream), count, pace),
    direct: await byClient(upstream.program, count, pace),
  }
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

async function byClient(program: Program, count: number, pace: Pace): Promise<number> {
  const opened = await open('sdk2', program)
  try {
    await opened.named('tool_0')
    const times: number[] = []
    for (let round = 0; round < pace.rounds; round++) {
      const start = performance.now()
      const found = (await opened.list()).filter(isTheirs).length
      times.push(performance.now() - start)
      if (found !== count) throw new WrongAnswer(`the client received ${found} tools, not ${count}`)
    }
    return median(times)
  } finally {
    await opened.close()
  }
}
