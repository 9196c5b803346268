// The figures that the specification promises, measured on Myrmex alone. Any server must reach them; they are far below our aims.
// Each row states what was measured.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { Target } from '../targets.ts'
import type { Figure } from './figure.ts'
import { httpLatencies } from './http.ts'
import { median, quantile } from './spread.ts'
import { stdioLatencies } from './stdio.ts'

export type PromisedFigure = { what: string; measured: number; unit: 'ms' | 'calls/s'; promise: number }

const count = 1000
const modules = 100

/** `rates` are our figures from the scenarios that have run before; the rest is measured here. */
export async function measurePromisedFigures(
  ours: Target,
  rates: { stdio?: Figure | undefined; http?: Figure | undefined },
): Promise<PromisedFigure[]> {
  const floors = [...(await inProcessFloors()), await discoveryFloor()]
  const stdio = await stdioLatencies('ours', ours.stdio, count)
  const http = await httpLatencies('ours', ours.http, count)
  for (const [share, name] of [
    [0.5, 'p50'],
    [0.99, 'p99'],
  ] as const) {
    floors.push(below(`dispatch on stdio, one call at a time, ${name}`, quantile(stdio, share), 10))
    floors.push(below(`dispatch on HTTP, one call at a time, ${name}`, quantile(http, share), 100))
  }
  if (rates.stdio) floors.push({ what: 'stdio', measured: rates.stdio.median, unit: 'calls/s', promise: 1000 })
  if (rates.http) floors.push({ what: 'HTTP', measured: rates.http.median, unit: 'calls/s', promise: 100 })
  return floors
}

export function isPromiseMet({ measured, unit, promise }: PromisedFigure): boolean {
  return unit === 'ms' ? measured < promise : measured >= promise
}

async function inProcessFloors(): Promise<PromisedFigure[]> {
  const { Registry } = await import('myrmex')
  const { smallTool } = await import('../servers/ours.tools.ts')
  const registry = new Registry()
  const each = (work: (index: number) => unknown) =>
    Array.from({ length: count }, (_, index) => timed(() => work(index)))
  const registration = each((index) => registry.register(smallTool(`bench.tool_${index}`, index)))
  const first = timed(() => registry.list())
  const list = each(() => registry.list())
  const lookup = each((index) => registry.schema(`bench.tool_${index}`))
  const tool = registry.find('bench.tool_7')
  const valid = { value: 7, note: 'seven' }
  const validation = each(() => tool?.input.parse(valid).success || fail('valid arguments were refused'))
  return [
    below(`registration of one tool with its schemas, median of ${count}`, median(registration), 1),
    below(`list of ${count} tools, the first time`, first, 5),
    below(`list of ${count} tools, again, median`, median(list), 5),
    below(`schema lookup among ${count} tools, p99`, quantile(lookup, 0.99), 1),
    below('validation of valid arguments, p99', quantile(validation, 0.99), 1),
  ]
}

/** The folder is made inside the bench, where its modules find myrmex and zod, and taken away again. */
async function discoveryFloor(): Promise<PromisedFigure> {
  const { discover } = await import('myrmex')
  const results = new URL('../results/', import.meta.url).pathname
  mkdirSync(results, { recursive: true })
  const folder = mkdtempSync(`${results}discovery-`)
  try {
    for (let index = 0; index < modules; index++)
      writeFileSync(
        `${folder}/m${index}.tools.ts`,
        `import { smallTool } from '../../servers/ours.tools.ts'\nexport const it = smallTool('m${index}.it', ${index})\n`,
      )
    const start = performance.now()
    const found = await discover(folder)
    const milliseconds = performance.now() - start
    if (found.tools.length !== modules) fail(`discovery found ${found.tools.length} of ${modules} tools`)
    return below(`discovery of ${modules} modules`, milliseconds, 2000)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function below(what: string, measured: number, promise: number): PromisedFigure {
  return { what, measured, unit: 'ms', promise }
}

function timed(work: () => unknown): number {
  const start = performance.now()
  work()
  return performance.now() - start
}

function fail(what: string): never {
  throw new Error(what)
}
