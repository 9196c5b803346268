/** `myrmex runs replay ID`: a past run, event by event, from the ledger. Changes nothing. */
import { createInterface } from 'node:readline/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { type TimelineEntry, timelineOf } from '../../agent/run/journal/timeline.ts'
import type { RunRow } from '../../ledger/runs.ts'
import { ToolError } from '../../protocol/errors.ts'
import { isObject } from '../../protocol/json.ts'
import { type LedgerFlags, withLedger } from '../../serve/ledger.ts'
import { oneLine, paint, print, wrap } from '../../serve/terminal.ts'
import { localTime } from '../audit/format.ts'
import { dataLines } from '../run/data-lines.ts'
import { describeEvent, formatDuration } from '../run/event-text.ts'
import { findRun } from './find-run.ts'

export interface ReplayOptions extends LedgerFlags {
  speed?: number
  step?: boolean
  json?: boolean
}

export async function replayRun(id: string, options: ReplayOptions): Promise<void> {
  if (options.step && !process.stdin.isTTY)
    throw ToolError.of('ValidationError', 'There is no terminal to wait for Enter at. Omit --step, or use --speed.')
  const { run, entries } = await withLedger(options, 'read-only', async (ledger) => {
    const run = await findRun(ledger, id)
    return { run, entries: await timelineOf(ledger, run) }
  })
  if (!options.json)
    print(`${paint('bold', run.id)}  ${oneLine(run.goal, 400)}  ${paint('dim', localTime(run.created_at))}`)
  const terminal = options.step ? createInterface({ input: process.stdin, output: process.stderr }) : undefined
  // Ctrl-C and Ctrl-D close it without an answer.
  const closed = new Promise<undefined>((resolve) => terminal?.once('close', () => resolve(undefined)))
  let last = run.created_at
  try {
    for (const entry of entries) {
      const since = entry.time - last
      last = entry.time
      if (options.speed !== undefined && since > 0) await pause(since / options.speed)
      print(options.json ? JSON.stringify({ run: run.id, ...entry }) : entryText(entry, run))
      if (terminal !== undefined && (await Promise.race([terminal.question(''), closed])) === undefined) return
    }
  } finally {
    terminal?.close()
  }
}

/** Column of arguments and results. */
const DETAIL_INDENT = 12
const TEXT_COLUMN = 23

function entryText(entry: TimelineEntry, run: RunRow): string {
  const { step, time } = entry
  const at = `+${formatDuration(Math.max(0, time - run.created_at))}`.padStart(9)
  const head = `${paint('dim', at)}  ${kindMark(entry)}${step === null || step === '' ? '' : `  ${paint('cyan', oneLine(step, 60))}`}`
  // The first line is shorter, because the step id comes before the text.
  const idWidth = (step ?? '').length + 2
  const text = wrap(`${'-'.repeat(idWidth)}${describeEvent(entry)}`, TEXT_COLUMN)
    .trimStart()
    .slice(idWidth)
  return [`${head}  ${text}`, ...detailLines(entry)].join('\n')
}

/** Arguments and results. */
function detailLines(entry: TimelineEntry): string[] {
  if (entry.kind === 'started') return isEmpty(entry.args) ? [] : dataLines(entry.args, DETAIL_INDENT)
  if (entry.kind === 'finished' && 'outcome' in entry)
    return isEmpty(entry.data) ? [] : dataLines(entry.data, DETAIL_INDENT)
  if (entry.kind === 'revised') return dataLines(entry.body.arguments, DETAIL_INDENT)
  if (entry.kind !== 'planned') return []
  return entry.body.plan.steps.map(
    ({ id, tool, needs }) =>
      `${' '.repeat(DETAIL_INDENT)}${oneLine(id, 60)}: ${oneLine(tool, 130)}${needs.length === 0 ? '' : paint('dim', ` after ${needs.join(', ')}`)}`,
  )
}

const isEmpty = (value: unknown): boolean => value === undefined || (isObject(value) && Object.keys(value).length === 0)

function kindMark({ kind, ...entry }: TimelineEntry): string {
  const isBad =
    kind === 'failed' || kind === 'unfit' || kind === 'retry' || ('error' in entry && entry.error !== undefined)
  const style = isBad
    ? 'red'
    : kind === 'asked' || kind === 'waiting' || kind === 'stopping'
      ? 'yellow'
      : kind === 'finished'
        ? 'green'
        : 'bold'
  return paint(style, kind.padEnd(10))
}
