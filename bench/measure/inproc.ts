// Calls without bytes: message object in, message object out. Each engine runs in its own process and runs a round on request, so
// that no engine is measured in a heap or on code that another one has warmed up.
import { type Figure, rateFigure } from './figure.ts'
import { OrderedChild } from './ordered-child.ts'
import { interleave, type Pace, type Round } from './rounds.ts'

const childFile = new URL('inproc-child.ts', import.meta.url).pathname

export async function measureInProcess(modules: ReadonlyMap<string, string>, pace: Pace): Promise<Map<string, Figure>> {
  await using engines = new AsyncDisposableStack()
  const lanes = new Map<string, { child: OrderedChild; calls: number }>()
  for (const [name, module] of modules) {
    const child = engines.use(await OrderedChild.start(`${name} in process`, childFile, [module]))
    lanes.set(name, { child, calls: await child.warmUp(pace) })
  }
  const rounds = await interleave(lanes, pace.rounds, ({ child, calls }) => child.round(calls))
  return new Map([...rounds].map(([name, list]) => [name, inProcessFigure(list)]))
}

/** Engine and driver share one process here, so there is one CPU figure for both. */
function inProcessFigure(rounds: readonly Round[]): Figure {
  const { driverMicros, driverBusy: _, ...figure } = rateFigure(rounds)
  return { ...figure, serverMicros: driverMicros }
}
