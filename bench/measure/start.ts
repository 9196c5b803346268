// The time from spawning a stdio server to its first answered `tools/list`, through a proper handshake.
import { parse, WrongAnswer } from './check-answer.ts'
import { type Figure, timeFigure } from './figure.ts'
import { listText } from './messages.ts'
import { Pipe } from './pipe.ts'
import { interleave, type Pace } from './rounds.ts'
import type { Command } from './server-process.ts'

export async function measureStart(commands: ReadonlyMap<string, Command>, pace: Pace): Promise<Map<string, Figure>> {
  const named = new Map([...commands].map(([name, command]) => [name, { name, command }]))
  // The first start of each finds its files out of the disk cache, or not; it is not counted.
  await interleave(named, 1, startOnce)
  const rounds = await interleave(named, pace.starts, startOnce)
  return new Map([...rounds].map(([name, times]) => [name, timeFigure(times)]))
}

async function startOnce({ name, command }: { name: string; command: Command }): Promise<number> {
  const start = performance.now()
  await using pipe = new Pipe(name, command)
  await pipe.initialize()
  const line = await pipe.ask(listText(pipe.nextId))
  const milliseconds = performance.now() - start
  const { result } = parse(line) as { result?: { tools?: { name: string }[] } }
  const names = result?.tools?.map((tool) => tool.name) ?? []
  if (!names.includes('add') || !names.includes('echo'))
    throw new WrongAnswer(`${name} lists ${names}, not add and echo`)
  await pipe.server.leave()
  return milliseconds
}
