// What the host itself takes: from being started to the first answered `tools/list` with an upstream's tools, beside the
// upstream alone; and the memory it holds then, and after many calls.
import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { type Figure, timeFigure } from '../measure/figure.ts'
import { listText } from '../measure/messages.ts'
import { Pipe } from '../measure/pipe.ts'
import { interleave, type Pace } from '../measure/rounds.ts'
import type { Command } from '../measure/server-process.ts'
import { add, throughHost } from './upstreams.ts'

export interface StartTimes {
  readonly host: Figure
  readonly direct: Figure
  /** resident megabytes of the host alone, after its start and after the calls */
  readonly megabytes: number
  readonly afterCalls: number
}

const CALLS = 5000

export async function measureHostStart(pace: Pace): Promise<StartTimes> {
  const program = throughHost(add)
  const commands = new Map<string, Command>([
    ['direct', add.program],
    ['host', program],
  ])
  // The first start of each finds its files out of the disk cache, or not; it is not counted.
  await interleave(commands, 1, startOnce)
  const times = await interleave(commands, pace.starts, startOnce)
  return {
    direct: timeFigure(times.get('direct') ?? []),
    host: timeFigure(times.get('host') ?? []),
    ...(await memory(program)),
  }
}

async function startOnce(command: Command): Promise<number> {
  const start = performance.now()
  await using pipe = new Pipe('host', command)
  await pipe.initialize()
  await listed(pipe)
  const milliseconds = performance.now() - start
  await pipe.server.leave()
  return milliseconds
}

/** The name by which `add` is listed, as soon as it is. */
async function listed(pipe: Pipe): Promise<string> {
  for (;;) {
    const name = /"name":"(\w*add)"/.exec(await pipe.ask(listText(pipe.nextId++)))?.[1]
    if (name !== undefined) return name
    await pause(5)
  }
}

async function memory(command: Command): Promise<Pick<StartTimes, 'megabytes' | 'afterCalls'>> {
  await using pipe = new Pipe('host', command)
  await pipe.initialize()
  const name = await listed(pipe)
  const megabytes = resident(pipe)
  for (let done = 0; done < CALLS; done++) {
    const line = await pipe.ask(
      JSON.stringify({
        jsonrpc: '2.0',
        id: pipe.nextId++,
        method: 'tools/call',
        params: { name, arguments: { a: done, b: 1 } },
      }),
    )
    if (!line.includes(`"sum":${done + 1}`)) throw new Error(`a wrong answer: ${line.slice(0, 300)}`)
  }
  const afterCalls = resident(pipe)
  await pipe.server.leave()
  return { megabytes, afterCalls }
}

/** Not a number where the system does not tell. */
function resident({ server }: Pipe): number {
  try {
    const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.child.pid}/status`, 'latin1'))?.[1]
    return Number(kilobytes) / 1024
  } catch {
    return Number.NaN
  }
}
