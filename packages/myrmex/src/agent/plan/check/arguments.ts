/**
 * Checks the arguments of one step against the input schema of its tool, and its references against the output schemas of other
 * steps. A wrong reference is reported once, where it is. Its value then counts as unknown.
 */
import { isObject, pointer } from '../../../protocol/json.ts'
import { isSecretPath, type SecretNames } from '../../../protocol/secret.ts'
import { JUDGE_STEPS, type JudgeBudget, type JudgeOptions, judge } from '../../../schema/json-schema/judge.ts'
import type { JudgeFault } from '../../../schema/json-schema/judgement.ts'
import { clipText, showValue } from '../../../schema/json-schema/show-value.ts'
import type { ToolView } from '../../fleet/tool-view.ts'
import { isReference, type Reference, type Step } from '../plan.ts'
import { type FoundReference, findReferences, referenceMistake, WITH_REFERENCES } from '../reference.ts'
import { type AnalysedSchema, analyseSchema } from './alternatives.ts'
import type { MismatchFinder } from './find-mismatch.ts'
import { listNames, namesIn, type ValueShape } from './follow-path.ts'
import type { Problems, Report } from './problem.ts'
import type { ProblemCode } from './problem-codes.ts'
import { referenceSource, type StepTools } from './reference-source.ts'
import { fitOf } from './schema-fit.ts'

export interface CheckContext extends Report {
  readonly sources: StepTools
  readonly mismatches: MismatchFinder
  readonly work: JudgeBudget
}

/** One step with its index and tool. */
export interface StepCheck {
  readonly step: Step
  readonly index: number
  readonly tool: ToolView
}

/** A reference of a step, and the shape of its value, if known. */
export interface ResolvedReference extends FoundReference {
  readonly shape: ValueShape | undefined
}

/** All references of a step. The steps it refers to are added to `needs`. */
export function checkReferences(
  step: Step,
  index: number,
  check: CheckContext,
  needs: Set<string>,
): ResolvedReference[] {
  return [...findReferences(step.arguments)].map(({ path, value }) => {
    const here = ['steps', index, 'arguments', ...path]
    const mistake = referenceMistake(value)
    if (mistake === undefined) return { path, value, shape: referenceSource(value, { step, path: here }, check, needs) }
    check.problems.add('bad-reference', step.id, here, mistake)
    return { path, value, shape: undefined }
  })
}

export function checkArguments(
  checking: StepCheck,
  references: readonly ResolvedReference[],
  check: CheckContext,
): void {
  const { step, index, tool } = checking
  const base = ['steps', index, 'arguments']
  const reading = analyseSchema(tool.input)
  const shapes = new Map<unknown, ValueShape | undefined>(references.map(({ value, shape }) => [value, shape]))
  const asked = new Map<Reference, Set<unknown>>()
  const judgeUnknown: JudgeOptions['judgeUnknown'] = (part, schema, path) => {
    if (!isReference(part)) return undefined
    const shape = shapes.get(part)
    if (shape === undefined) return 'unknown'
    asked.set(part, (asked.get(part) ?? new Set()).add(schema))
    const found = fitOf(shape, reading, schema)
    // Even a value that surely fits here is not known yet, and another keyword may exclude it.
    if (found.fit !== 'never') return 'unknown'
    return [{ code: 'unfit', path, why: `refers to ${nameOf(part)}, which ${found.why}` }]
  }
  const budget = { left: Math.min(JUDGE_STEPS, check.work.left) }
  const given = budget.left
  const options = { ...WITH_REFERENCES, judgeUnknown, budget }
  const judged = judge(reading.root, step.arguments, reading.scope, options)
  check.work.left -= given - Math.max(0, budget.left)
  if (typeof judged === 'object') {
    for (const fault of judged) {
      const list = fault.code === 'missing' ? check.open : check.problems
      list.add(CODES[fault.code], step.id, [...base, ...fault.path], () => inWords(fault, tool, reading))
    }
  } else warnOfFit(checking, references, asked, check)
  warnOfNames(checking, reading, check.warnings)
}

const CODES: Readonly<Record<JudgeFault['code'], ProblemCode>> = {
  invalid: 'bad-argument',
  missing: 'missing-argument',
  unexpected: 'unknown-argument',
  unfit: 'unfit-type',
}

const nameOf = ({ $from, path }: Reference): string =>
  path === '' ? `the result of ${clipText($from)}` : `${clipText(path)} of ${clipText($from)}`

/** Warns about references that fit only in part. If several schemas apply to one, it is left to the pipeline. */
function warnOfFit(
  { step, index, tool }: StepCheck,
  references: readonly ResolvedReference[],
  asked: ReadonlyMap<Reference, ReadonlySet<unknown>>,
  { mismatches, warnings }: CheckContext,
): void {
  const reading = analyseSchema(tool.input)
  for (const { path, value, shape } of references) {
    const [schema, ...more] = asked.get(value) ?? []
    if (shape === undefined || schema === undefined || more.length > 0) continue
    if (fitOf(shape, reading, schema).fit !== 'perhaps') continue
    const refused = mismatches.mismatch(shape, reading, schema)
    if (refused === undefined) continue
    const text = `${nameOf(value)} may be ${refused}, which ${tool.name} does not accept there`
    warnings.add('may-not-fit', step.id, ['steps', index, 'arguments', ...path], text)
  }
}

/** Warns about names that the schema allows without describing them, and about secrets in the plan. */
function warnOfNames({ step, index, tool }: StepCheck, reading: AnalysedSchema, warnings: Problems): void {
  const { patternProperties, additionalProperties } = tool.input
  if (additionalProperties === false && reading.secrets.size === 0) return
  const known = new Set(namesIn(reading.alternativesOf(reading.root)))
  const open = known.size === 0 || isObject(patternProperties) || additionalProperties !== undefined
  for (const [name, value] of Object.entries(step.arguments)) {
    const path = ['steps', index, 'arguments', name]
    if (!open && !known.has(name)) {
      warnings.add('unknown-argument', step.id, path, () => `${tool.name} ${namesNone(name, [...known])}`)
    }
    if (isSecretPath([name], reading.secrets) && isLiteral(value)) {
      const text = `${tool.name}: ${clipText(name)} is a secret. A run stores it encrypted and shows it as [secret]`
      warnings.add('secret-in-plan', step.id, path, text)
    }
  }
}

const isLiteral = (value: unknown): boolean => findReferences(value).next().done === true

const namesNone = (name: string, known: readonly string[]): string =>
  `takes no ${showValue(name)}; ${known.length === 0 ? 'it takes no arguments' : `it takes ${listNames(known)}`}`

function inWords({ code, path, why, seen }: JudgeFault, { name }: ToolView, reading: AnalysedSchema): string {
  const last = path.at(-1)
  if (code === 'unexpected' && path.length === 1 && last !== undefined) {
    return `${name} ${namesNone(last, namesIn(reading.alternativesOf(reading.root)))}`
  }
  const place = path.length === 0 ? 'the arguments' : clipText(pointer(path).slice(1))
  return `${name}: ${place} ${why}${value(seen, path, reading.secrets)}`
}

const value = (seen: unknown, path: readonly string[], secrets: SecretNames): string =>
  seen === undefined || isSecretPath(path, secrets) ? '' : `, and is ${showValue(seen)}`
