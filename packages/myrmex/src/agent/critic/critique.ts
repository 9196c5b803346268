/**
 * The rules critic: measures an output by named criteria and decides. Pure and synchronous; the same request, the same
 * verdict, whatever the order of the criteria. What it cannot measure it calls unknown, and that never counts as passed.
 */

import { listInWords } from '../../english/words.ts'
import { getOrMake } from '../../protocol/get-or-make.ts'
import { isObject, pointerSteps, valueAtPath } from '../../protocol/json.ts'
import { plural } from '../../protocol/text.ts'
import { nearest } from '../../tool/nearest.ts'
import type { Criterion } from '../plan/plan.ts'
import { CRITERIA, criterionNamed } from './criteria/registry.ts'
import { type Measurement, unmeasured } from './criterion.ts'
import { parameterProblems } from './parameters.ts'
import { isEmpty } from './reading/passages.ts'
import { firstFew, quoted, quotedList, roundedScore } from './reading/quote.ts'
import { type OutputReading, readOutput } from './reading/reading.ts'
import type { CritiqueRequest, Judgement, Verdict } from './verdict.ts'

/** The criterion of a request without criteria: it applies to any output. */
const DEFAULT = 'completeness'

interface WeightedJudgement extends Judgement {
  readonly weight: number
}

export function critiqueByRules(request: CritiqueRequest): Verdict {
  const asked = Array.isArray(request.criteria) ? request.criteria : []
  const reader = readerOf(request.output)
  const criteria = asked.length === 0 ? [DEFAULT] : asked
  const judged = criteria.map((criterion) => judge(request, criterion, reader))
  const verdict = decide(judged, isNothing(reader('')))
  const judgements = judged.map(({ weight: _, ...judgement }) => judgement)
  return { verdict, score: meanOf(judged), judgements, summary: summary(verdict, judgements, asked.length === 0) }
}

/** Reads each place once, however many criteria look at it. */
function readerOf(output: unknown): (path: string) => OutputReading {
  const readings = new Map<string, OutputReading>()
  return (path) => getOrMake(readings, path, () => readOutput(valueAtPath(output, pointerSteps(path))))
}

function judge(
  request: CritiqueRequest,
  criterion: Criterion,
  reader: (path: string) => OutputReading,
): WeightedJudgement {
  const given: Record<string, unknown> = isObject(criterion) ? criterion : { name: criterion }
  const name = typeof given.name === 'string' ? given.name : ''
  const method = criterionNamed(name)
  const label = method?.name ?? (quoted(name, 80).slice(1, -1) || 'unnamed')
  if (method === undefined) return { criterion: label, weight: 1, ...unknown(name) }
  const problems = parameterProblems(given, method.parameters)
  if (problems.length > 0) return { criterion: label, weight: 1, ...wrong(problems) }
  const path = (given.path as string | undefined) ?? ''
  const reading = reader(path)
  const weight = (given.weight as number | undefined) ?? 1
  if (isNothing(reading)) return { criterion: label, weight, ...nothingAt(path, request.output) }
  const measured = method.measure({ task: String(request.task), reading, facts: request.facts, parameters: given })
  const suggestion = measured.verdict === 'pass' ? null : measured.suggestion
  return { criterion: label, weight, ...measured, suggestion }
}

/** Nothing was made, or nothing that anybody could see. */
const isNothing = ({ value, passages }: OutputReading): boolean =>
  isEmpty(value) || (typeof value === 'string' && passages.every(({ text }) => text.trim() === ''))

function unknown(name: string): Measurement {
  const known = [...CRITERIA.keys()]
  const [near] = nearest(name, known, 1)
  return unmeasured(
    `${name === '' ? 'A criterion without a name' : quoted(name, 60)} is no criterion that is known here; known are ${listInWords(known)}${near === undefined ? '' : `, and the nearest is ${near}`}.`,
    `Use ${near === undefined ? 'a' : `${near} or another`} known criterion, or have a person judge this one.`,
  )
}

const wrong = (problems: readonly string[]): Measurement =>
  unmeasured(firstFew(problems), 'Correct the parameters of the criterion.')

function nothingAt(path: string, output: unknown): Measurement {
  const fields = isObject(output) ? Object.keys(output) : []
  const has = fields.length === 0 ? '' : `; the output has ${quotedList(fields, 6, 40)}`
  const says = path === '' ? 'The output is empty.' : `There is nothing at ${quoted(path, 60)}${has}.`
  return {
    score: 0,
    verdict: 'fail',
    evidence: [says],
    suggestion: 'Make the output first; there is nothing to judge.',
  }
}

/** One failure fails it, and it passes only when everything did. */
export function decide(judged: readonly Judgement[], isEmptyOutput: boolean): Verdict['verdict'] {
  if (isEmptyOutput || judged.some(({ verdict }) => verdict === 'fail')) return 'fail'
  return judged.every(({ verdict }) => verdict === 'pass') ? 'pass' : 'revise'
}

/** Summed in order of size, so that the order of the criteria does not show in the last digit. */
export function meanOf(judged: readonly Pick<WeightedJudgement, 'score' | 'weight'>[]): number {
  const known = judged
    .flatMap(({ score, weight }) => (score === null ? [] : [{ score, weight }]))
    .sort((a, b) => a.score - b.score || a.weight - b.weight)
  const total = known.reduce((sum, { weight }) => sum + weight, 0)
  const weighted = total === 0 ? known.map(({ score }) => ({ score, weight: 1 })) : known
  const sum = weighted.reduce((so, { score, weight }) => so + score * weight, 0)
  return known.length === 0 ? 0 : roundedScore(sum / (total || known.length))
}

function summary(verdict: Verdict['verdict'], judgements: readonly Judgement[], isDefault: boolean): string {
  const parts = (['fail', 'revise', 'unknown', 'pass'] as const).flatMap((which) => {
    const names = judgements.filter((one) => one.verdict === which).map(({ criterion }) => criterion)
    return names.length === 0 ? [] : [`${which}: ${firstFew(names.sort(), 7).join(', ')}`]
  })
  const why = isDefault ? ` No criteria were given, so only ${DEFAULT} was looked at.` : ''
  return `${verdict}, by ${plural(judgements.length, 'criterion', 'criteria')} (${parts.join('; ')}).${why}`
}
