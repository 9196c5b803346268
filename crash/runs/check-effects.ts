/** The report of a run that is over against the world: what it says was done was, once, with what it says came of it. */

import type { Report } from '../../packages/myrmex/src/agent/run/journal/report.ts'
import { canonical } from '../../packages/myrmex/src/protocol/canonical.ts'
import type { Problems } from '../problems.ts'
import type { EffectsCheck } from './check-runs.ts'
import type { Effect, EffectsFile } from './effects-file.ts'
import { type RunKind, tenSteps } from './ten-step-plans.ts'

type StepReport = Report['steps'][number]

/** Tools whose every effect is in the world's list. */
const LISTED = new Set(['world.charge', 'world.book', 'world.mail'])
/** Tools that can take back what they did. */
const UNDOABLE = new Set(['world.charge', 'world.book'])

export const effectsCheckOf = (world: EffectsFile, problems: Problems): EffectsCheck => ({
  checkAll() {
    for (const what of world.doubled()) problems.doubling(what)
  },
  checkRun({ id, goal }, report) {
    const kind = goal as RunKind
    const begun = world.timesBegun(id, 's8')
    if (begun > 1 && kind === 'risky') problems.doubling(`s8 of ${id} was begun ${begun} times`)
    checkReport(id, kind, report, world, problems)
  },
})

function checkReport(run: string, kind: RunKind, report: Report, world: EffectsFile, problems: Problems): void {
  const lose = (what: string): void => problems.losing(`${run} (${kind}): ${what}`)
  const effects = world.effectsOf(run)
  const doneBy = (step: string): Effect | undefined => effects.find((one) => one.step === step && one.kind === 'do')
  const undoneBy = (step: string): Effect | undefined => effects.find((one) => one.step === step && one.kind === 'undo')

  if (report.status === 'failed') checkFailure(kind, report, lose)
  else if (report.status !== 'succeeded') lose(`it ended as ${report.status}: ${report.summary}`)
  const ids = report.steps.map(({ id }) => id).join()
  if (
    ids !==
    tenSteps(kind)
      .steps.map(({ id }) => id)
      .join()
  )
    lose(`its report is about the steps ${ids}`)

  for (const step of report.steps) {
    const fault = faultOf(step, doneBy(step.id), undoneBy(step.id), world, run)
    if (fault !== undefined) lose(`the report says that ${step.id} is ${step.status}, but ${fault}`)
  }
  checkMade(report, doneBy, lose)
  checkOrderOfUndoing(effects, lose)
  // What was undone gave its money back.
  const standing = effects.filter(({ kind, step }) => kind === 'do' && undoneBy(step) === undefined)
  const cost = standing.reduce((sum, one) => sum + one.cost, 0)
  if (report.spent !== cost) lose(`the report says that ${report.spent} were spent; it were ${cost}`)
}

/** Only a step that may not be begun twice may fail, and only because nobody knows what it did. */
function checkFailure(kind: RunKind, { steps, summary, stands }: Report, lose: (what: string) => void): void {
  const unknown = steps.filter(({ status }) => status === 'unknown').map(({ id }) => id)
  if (kind !== 'risky' || unknown.join() !== 's8') lose(`it failed: ${summary} Unknown: ${unknown.join(', ')}`)
  const open = steps.filter(({ tool, status }) => UNDOABLE.has(tool) && !['undone', 'not_run'].includes(status))
  for (const { id, status } of open) lose(`it failed, and ${id}, which can be undone, is ${status}`)
  if (!stands.some((text) => text.startsWith('s8 '))) lose(`it failed, and what stands is ${stands.join('; ')}`)
}

/** How the world is otherwise. */
function faultOf(
  { id, tool, status, data, ms }: StepReport,
  done: Effect | undefined,
  undone: Effect | undefined,
  world: EffectsFile,
  run: string,
): string | undefined {
  if (status === 'unknown') return undone === undefined ? undefined : 'it was undone'
  if (status === 'not_run') return world.timesBegun(run, id) === 0 ? undefined : 'it was begun'
  if (status === 'failed') return 'no step of this plan fails'
  if (world.timesBegun(run, id) === 0) return 'it was never begun'
  if (ms === null || ms < 1) return `that took ${ms} ms, though every tool takes its time`
  if ((undone !== undefined) !== (status === 'undone')) return undone === undefined ? 'it was not' : 'it was undone'
  if (tool === 'world.shelve')
    return world.onShelf(run, id) === (data as { n: number }).n ? undefined : 'that is not on the shelf'
  if (!LISTED.has(tool)) return undefined
  if (done === undefined) return 'nothing happened'
  return canonical(done.data) === canonical(data) ? undefined : `it came to ${JSON.stringify(done.data)}`
}

/** The inputs of later steps are the results of earlier ones. */
function checkMade(report: Report, doneBy: (step: string) => Effect | undefined, lose: (what: string) => void): void {
  const made = (step: string, name: string): string =>
    String((doneBy(step)?.data as Record<string, unknown> | undefined)?.[name])
  const given = (step: string, name: string): string | undefined => {
    const args = doneBy(step)?.args as Record<string, string> | undefined
    return args?.[name]
  }
  const expected: [string, string, string][] = [
    ['s5', 'first', made('s2', 'receipt')],
    ['s5', 'second', made('s3', 'receipt')],
    ['s6', 'first', made('s5', 'booking')],
    ['s6', 'second', made('s2', 'receipt')],
  ]
  for (const [step, name, value] of expected) {
    const found = given(step, name)
    if (found !== undefined && found !== value) lose(`${step} was given ${found} as ${name}; it was to be ${value}`)
  }
  if (report.status !== 'succeeded') return
  const text = `${made('s2', 'receipt')}, ${made('s6', 'booking')}, ${made('s7', 'receipt')}`
  const [only] = report.made
  if (report.made.length !== 1 || only?.step !== 's10' || (only.data as { text: string }).text !== text)
    lose(`it made ${JSON.stringify(report.made)}; that should be ${text}`)
}

/** A step is undone before the steps that it needs. */
function checkOrderOfUndoing(effects: readonly Effect[], lose: (what: string) => void): void {
  const undone = effects.filter(({ kind }) => kind === 'undo').map(({ step }) => step)
  for (const [early, late] of [
    ['s2', 's5'],
    ['s3', 's5'],
    ['s5', 's6'],
    ['s6', 's7'],
  ] as const) {
    if (undone.includes(early) && undone.includes(late) && undone.indexOf(early) < undone.indexOf(late))
      lose(`${early} was undone before ${late}`)
  }
}
