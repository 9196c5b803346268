// The results for people, as plain tables, and for machines, as the one JSON object that `--json` promises.
import type { Aim } from './aims.ts'
import { type Figure, ratioOf } from './measure/figure.ts'
import type { GateCost } from './measure/gates.ts'
import { isPromiseMet, type PromisedFigure } from './measure/promised-figures.ts'
import type { measureRuns } from './measure/runs.ts'

export type AimResult = { aim: Aim; ours: Figure | undefined; peer: Figure | undefined; ratio: number | null }

export function aimResult(aim: Aim, figures: ReadonlyMap<string, Figure>): AimResult {
  const ours = figures.get('ours')
  const peer = figures.get(aim.peer)
  if (ours === undefined || peer === undefined) return { aim, ours, peer, ratio: null }
  return { aim, ours, peer, ratio: ratioOf(ours, peer) }
}

export function aimsJson(outcomes: readonly AimResult[]): string {
  const rounded = (ratio: number | null) => (ratio === null ? null : Number(ratio.toFixed(3)))
  return JSON.stringify({
    aims: outcomes.map(({ aim, ratio }) => ({ id: aim.id, ratio: rounded(ratio), aim: aim.aim })),
  })
}

export function aimsTable(outcomes: readonly AimResult[]): string {
  const rows = outcomes.map(({ aim, ours, peer, ratio }) => [
    aim.id,
    show(ours),
    show(peer),
    ratio === null ? '' : ratio.toFixed(2),
    String(aim.aim),
    ratio === null ? 'not there yet' : ratio >= aim.aim ? 'yes' : 'NO',
  ])
  return table(['id', 'ours', 'peer', 'ratio', 'aim', 'met?'], rows)
}

export function figuresTable(figures: ReadonlyMap<string, Figure>): string {
  const micros = (value: number | undefined) => (value === undefined ? '' : `${value.toFixed(1)} µs`)
  const rows = [...figures].map(([name, figure]) => [
    name,
    show(figure),
    `${number(Math.min(...figure.rounds))} – ${number(Math.max(...figure.rounds))}`,
    micros(figure.serverMicros),
    micros(figure.driverMicros),
    figure.driverBusy === undefined ? '' : `${Math.round(figure.driverBusy * 100)} %`,
  ])
  return table(['server', 'median', 'low – high', 'server CPU/call', 'driver CPU/call', 'driver busy'], rows)
}

export function promisedFiguresTable(floors: readonly PromisedFigure[]): string {
  const rows = floors.map((floor) => [
    floor.what,
    `${number(floor.measured)} ${floor.unit}`,
    `${floor.unit === 'ms' ? '<' : '>='} ${number(floor.promise)} ${floor.unit}`,
    isPromiseMet(floor) ? 'yes' : 'NO',
  ])
  return table(['what the specification promises', 'measured', 'promise', 'met?'], rows)
}

export function gatesTable(costs: readonly GateCost[]): string {
  const micros = (value: number | undefined) => (value === undefined ? '' : Math.max(0, value).toFixed(2))
  const rows = costs.map(({ gate, plain, used, how }) => [gate, micros(plain), micros(used), how])
  return table(['gate', 'µs a plain call', 'µs where used', 'used by'], rows)
}

/** The aim of runs: journalling adds at most a tenth to the same calls. */
const RUN_AIM = 1.1

export function runsTable({ costs, check_ms }: Awaited<ReturnType<typeof measureRuns>>): string {
  const rows = costs.map(({ shape, steps, whole, keyed, plain }) => {
    const ratio = steps / keyed
    return [
      shape,
      steps.toFixed(0),
      keyed.toFixed(0),
      ratio.toFixed(2),
      ratio <= RUN_AIM ? 'met' : 'missed',
      whole.toFixed(0),
      (whole / keyed).toFixed(2),
      plain.toFixed(0),
    ]
  })
  const head = [
    'a run of',
    'µs a step',
    'the same calls',
    'ratio',
    `at most ${RUN_AIM}`,
    'whole run',
    'ratio',
    'calls without keys',
  ]
  return `${table(head, rows)}\na plan of 1,000 steps is checked in ${check_ms.toFixed(1)} ms`
}

/** Columns as wide as their widest cell; all but the first flush right, for most hold numbers. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((cell, column) => Math.max(cell.length, ...rows.map((row) => row[column]?.length ?? 0)))
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  ')
      .trimEnd()
  return [line(head), widths.map((width) => '-'.repeat(width)).join('  '), ...rows.map(line)].join('\n')
}

function show(figure: Figure | undefined): string {
  return figure === undefined ? '' : `${number(figure.value)} ${figure.unit}`
}

function number(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString('en-US') : String(Number(value.toPrecision(3)))
}
