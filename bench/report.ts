// The results for people, as plain tables, and for machines, as the one JSON object that `--json` promises. Every figure and every ratio
// is printed with its quartiles.
import type { Aim, AtMost } from './aims.ts'
import { cpuRatioOf, type Figure, ratioOf } from './measure/figure.ts'
import type { GateCost } from './measure/gates.ts'
import { isPromiseMet, type PromisedFigure } from './measure/promised-figures.ts'
import type { measureRuns } from './measure/runs.ts'
import type { Spread } from './measure/spread.ts'

export interface AimResult {
  readonly aim: Aim
  readonly ours: Figure | undefined
  readonly peer: Figure | undefined
  readonly ratio: Spread | null
  /** not judged: it says whether the ratio is that of the programs or of the machine */
  readonly cpuRatio: number | undefined
}

export function aimResult(aim: Aim, figures: ReadonlyMap<string, Figure>): AimResult {
  const ours = figures.get('ours')
  const peer = figures.get(aim.peer)
  if (ours === undefined || peer === undefined) return { aim, ours, peer, ratio: null, cpuRatio: undefined }
  return { aim, ours, peer, ratio: ratioOf(ours, peer), cpuRatio: cpuRatioOf(ours, peer) }
}

/** `aims` is one of ratios, and `costs` what must not be above its `atMost`. */
export function aimsJson(outcomes: readonly AimResult[], costs: readonly AtMost[] = []): string {
  const aims = outcomes.map(({ aim, ours, peer, ratio, cpuRatio }) => ({
    id: aim.id,
    ratio: ratio === null ? null : rounded(ratio.median),
    low: ratio === null ? null : rounded(ratio.low),
    high: ratio === null ? null : rounded(ratio.high),
    aim: aim.aim,
    ...(cpuRatio !== undefined && { cpuRatio: rounded(cpuRatio) }),
    ours: figureJson(ours),
    peer: figureJson(peer),
  }))
  return JSON.stringify({ aims, ...(costs.length > 0 && { costs: costs.map(atMostJson) }) })
}

export function costsJson(costs: readonly AtMost[]): string {
  return JSON.stringify({ aims: costs.map(atMostJson) })
}

const atMostJson = ({ id, measured, atMost }: AtMost) => ({
  id,
  measured: rounded(measured.median),
  low: rounded(measured.low),
  high: rounded(measured.high),
  atMost,
})

const figureJson = (figure: Figure | undefined) =>
  figure && {
    unit: figure.unit,
    median: rounded(figure.median),
    low: rounded(figure.low),
    high: rounded(figure.high),
    rounds: figure.rounds.length,
  }

const rounded = (value: number): number => Number(value.toFixed(3))

export function aimsTable(outcomes: readonly AimResult[]): string {
  const rows = outcomes.map(({ aim, ours, peer, ratio, cpuRatio }) => [
    aim.id,
    show(ours),
    show(peer),
    ratio === null ? '' : ratio.median.toFixed(2),
    ratio === null ? '' : quartiles(ratio, (value) => value.toFixed(2)),
    cpuRatio?.toFixed(2) ?? '',
    `>= ${aim.aim}`,
    ratio === null ? 'not there yet' : ratio.median >= aim.aim ? 'yes' : 'NO',
  ])
  return table(['id', 'ours', 'peer', 'ratio', 'quartiles', 'by server CPU', 'aim', 'met?'], rows)
}

export function atMostTable(aims: readonly AtMost[]): string {
  const rows = aims.map(({ id, measured, atMost }) => [
    id,
    measured.median.toFixed(2),
    quartiles(measured, (value) => value.toFixed(2)),
    `<= ${atMost}`,
    metOf(measured, atMost),
  ])
  return table(['id', 'measured', 'quartiles', 'aim', 'met?'], rows)
}

export function figuresTable(figures: ReadonlyMap<string, Figure>): string {
  const rows = [...figures].map(([name, figure]) => [
    name,
    show(figure),
    quartiles(figure, number),
    cpuText(figure.serverMicros),
    cpuText(figure.driverMicros),
    figure.driverBusy === undefined ? '' : `${Math.round(figure.driverBusy * 100)} %`,
  ])
  return table(['server', 'median', 'quartiles', 'server CPU/call', 'driver CPU/call', 'driver busy'], rows)
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
  const micros = (cost: Spread | undefined) =>
    cost === undefined ? '' : withQuartiles(cost, (value) => value.toFixed(2))
  const rows = costs.map(({ gate, plain, used }) => [
    gate,
    micros(plain),
    micros(used?.together),
    micros(used?.alone),
    used?.atMost === undefined ? '' : `<= ${used.atMost}`,
    used?.atMost === undefined ? '' : `${metOf(used.together, used.atMost)}, ${metOf(used.alone, used.atMost)}`,
    used?.how ?? '',
  ])
  const head = ['gate, CPU µs a call', 'plain', 'used, 64 in flight', 'used, one at a time', 'aim', 'met?', 'used by']
  return table(head, rows)
}

export function runsTable(
  { costs, check_ms }: Awaited<ReturnType<typeof measureRuns>>,
  aims: readonly AtMost[],
): string {
  const whole = (spread: Spread) => withQuartiles(spread, (value) => value.toFixed(0))
  const ratio = (spread: Spread) => withQuartiles(spread, (value) => value.toFixed(2))
  const rows = costs.map((cost) => {
    const aim = aims.find(({ id }) => id === cost.id)
    return [
      cost.shape,
      whole(cost.steps),
      whole(cost.keyed),
      ratio(cost.stepsOverKeyed),
      aim === undefined ? '' : `<= ${aim.atMost}`,
      aim === undefined ? '' : metOf(aim.measured, aim.atMost),
      whole(cost.whole),
      ratio(cost.wholeOverKeyed),
      whole(cost.plain),
    ]
  })
  const head = [
    'a run of, CPU µs',
    'a step',
    'the same call, with key',
    'ratio',
    'aim',
    'met?',
    'whole run',
    'ratio',
    'call without key',
  ]
  return `${table(head, rows)}\na plan of 1,000 steps is checked in ${check_ms.toFixed(1)} ms`
}

/** Processor time of a call, if it is known. */
export const cpuText = (micros: number | undefined): string =>
  micros === undefined ? '' : `${micros.toFixed(micros < 100 ? 1 : 0)} µs`

export const metOf = (measured: Spread, atMost: number): string => (measured.median <= atMost ? 'yes' : 'NO')

export const quartiles = ({ low, high }: Spread, format: (value: number) => string): string =>
  `${format(low)} – ${format(high)}`

export const withQuartiles = (spread: Spread, format: (value: number) => string): string =>
  `${format(spread.median)} (${quartiles(spread, format)})`

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
  return figure === undefined ? '' : `${number(figure.median)} ${figure.unit}`
}

function number(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString('en-US') : String(Number(value.toPrecision(3)))
}
