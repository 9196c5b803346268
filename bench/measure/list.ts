// The time of `tools/list` over stdio with a thousand tools: from the request to the last byte of the last page, warm.
// A list is checked in full the first time; later ones must be the same text but for the id, or are checked again.
import { WrongAnswer } from './check-answer.ts'
import { type Figure, timeFigure } from './figure.ts'
import { listText } from './messages.ts'
import { Pipe } from './pipe.ts'
import { interleave, type Pace } from './rounds.ts'
import type { Command } from './server-process.ts'
import { median } from './spread.ts'

type Page = {
  id?: number
  result?: { tools?: { name: string; inputSchema?: object; outputSchema?: object }[]; nextCursor?: string }
}

class ListLane {
  readonly pipe: Pipe
  readonly count: number
  #known = new Set<string>()

  constructor(name: string, command: Command, count: number) {
    this.pipe = new Pipe(name, command)
    this.count = count
  }

  /** Milliseconds of one whole list. */
  async list(): Promise<number> {
    const pages: { line: string; id: number }[] = []
    let milliseconds = 0
    let cursor: string | undefined
    do {
      const id = this.pipe.nextId++
      const start = performance.now()
      const line = await this.pipe.ask(listText(id, cursor))
      milliseconds += this.pipe.arrived - start
      pages.push({ line, id })
      cursor = line.includes('"nextCursor"') ? (JSON.parse(line) as Page).result?.nextCursor : undefined
    } while (cursor !== undefined)
    this.#check(pages)
    return milliseconds
  }

  #check(pages: readonly { line: string; id: number }[]): void {
    const anonymous = pages.map(({ line, id }) => line.replace(`"id":${id}`, '"id":0')).join('\n')
    if (this.#known.has(anonymous)) return
    const tools = pages.flatMap(({ line, id }) => {
      const page: Page = JSON.parse(line)
      if (page.id !== id || !page.result?.tools)
        throw new WrongAnswer(`no list from ${this.pipe.server.name}: ${line.slice(0, 200)}`)
      return page.result.tools
    })
    const names = new Set(tools.map((tool) => tool.name))
    const complete = tools.every((tool) => tool.inputSchema && tool.outputSchema)
    for (let index = 0; index < this.count; index++)
      if (!names.has(`tool_${index}`) || !complete)
        throw new WrongAnswer(
          `${this.pipe.server.name} lists ${tools.length} tools; tool_${index} or a schema is missing`,
        )
    this.#known.add(anonymous)
  }
}

export async function measureList(
  commands: ReadonlyMap<string, Command>,
  count: number,
  pace: Pace,
): Promise<Map<string, Figure>> {
  await using servers = new AsyncDisposableStack()
  const lanes = new Map<string, ListLane>()
  for (const [name, command] of commands) {
    const lane = new ListLane(name, command, count)
    servers.use(lane.pipe)
    await lane.pipe.initialize()
    await listFor(lane, pace.warmSeconds)
    lanes.set(name, lane)
  }
  const rounds = await interleave(lanes, pace.rounds, async (lane) => median(await listFor(lane, pace.roundSeconds)))
  return new Map([...rounds].map(([name, times]) => [name, timeFigure(times)]))
}

async function listFor(lane: ListLane, seconds: number): Promise<number[]> {
  const times: number[] = []
  const end = performance.now() + seconds * 1000
  do times.push(await lane.list())
  while (performance.now() < end)
  return times
}
