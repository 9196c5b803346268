/**
 * The arguments of one step against the tool's input schema, and what they refer to against the output schemas of other steps.
 * Faults of a reference are told once, where it stands, and its place then counts as unknown.
 */
import { isObject, pointer } from '../../../protocol/json.ts'
import { isHidden, type SecretNames } from '../../../protocol/secret.ts'
import type { ToolView } from '../../fleet/view.ts'
import type { Reference, Step } from '../plan.ts'
import { mistakeIn, type Referring, referring } from '../reference.ts'
import { type Reading, readingOf } from './alternatives.ts'
import type { CloserLook } from './closer-look.ts'
import { fitOf } from './fit.ts'
import { listed, namesIn, type Place } from './follow.ts'
import { type JudgeReference, judge, shareOf, type Work } from './judge.ts'
import type { Fault, Judged } from './judged.ts'
import { clipped, type Problems, shown } from './problem.ts'
import { type Sources, sourceOf } from './source.ts'

export interface Looking {
  readonly sources: Sources
  readonly problems: Problems
  /** where missing arguments are told: a plan that still asks may lack some */
  readonly open: Problems
  readonly warnings: Problems
  readonly closer: CloserLook
  readonly work: Work
}

/** One step with what is known about it. */
export interface Checking {
  readonly step: Step
  readonly index: number
  readonly tool: ToolView
}

/** A reference of a step, and what it leads to, where that is known. */
export interface Found extends Referring {
  readonly place: Place | undefined
}

/** Everything a step refers to. The steps it refers to are added to `needs`. */
export function checkReferences(step: Step, index: number, looking: Looking, needs: Set<string>): Found[] {
  return [...referring(step.arguments)].map(({ path, value }) => {
    const here = ['steps', index, 'arguments', ...path]
    const mistake = mistakeIn(value)
    if (mistake === undefined) return { path, value, place: sourceOf(value, { step, path: here }, looking, needs) }
    looking.problems.add('bad-reference', step.id, here, mistake)
    return { path, value, place: undefined }
  })
}

export function checkArguments(checking: Checking, references: readonly Found[], looking: Looking): void {
  const { step, index, tool } = checking
  const base = ['steps', index, 'arguments']
  const reading = readingOf(tool.input)
  const places = new Map(references.map(({ value, place }) => [value, place]))
  const asked = new Map<Reference, unknown[]>()
  const judgeRef: JudgeReference = (ref, schema, path) => {
    const place = places.get(ref)
    if (place === undefined) return 'doubtful'
    asked.set(ref, [...(asked.get(ref) ?? []), schema])
    return judgeReference(ref, place, reading, schema, path)
  }
  const judged = shareOf(looking.work, (work) => judge(reading, step.arguments, judgeRef, reading.root, work))
  if (typeof judged === 'object') {
    for (const fault of judged) {
      const told = fault.code === 'missing-argument' ? looking.open : looking.problems
      told.add(fault.code, step.id, [...base, ...fault.path], () => inWords(fault, tool, reading))
    }
  } else warnOfFit(checking, references, asked, looking)
  warnOfNames(checking, reading, looking.warnings)
}

function judgeReference(
  ref: Reference,
  place: Place,
  input: Reading,
  schema: unknown,
  path: readonly string[],
): Judged {
  const found = fitOf(place, input, schema)
  // Even what surely fits is not known yet, and may be what the schema rules out elsewhere.
  if (found.fit !== 'never') return 'doubtful'
  return [{ code: 'unfit-type', path, why: `refers to ${nameOf(ref)}, which ${found.why}` }]
}

const nameOf = ({ $from, path }: Reference): string =>
  path === '' ? `the result of ${clipped($from)}` : `${clipped(path)} of ${clipped($from)}`

/** References that fit in part. One that several schemas speak of is left to the pipeline. */
function warnOfFit(
  { step, index, tool }: Checking,
  references: readonly Found[],
  asked: ReadonlyMap<Reference, readonly unknown[]>,
  { closer, warnings }: Looking,
): void {
  const reading = readingOf(tool.input)
  for (const { path, value, place } of references) {
    const [schema, ...more] = asked.get(value) ?? []
    if (place === undefined || schema === undefined || more.length > 0) continue
    if (fitOf(place, reading, schema).fit !== 'perhaps') continue
    const refused = closer.refusal(place, reading, schema)
    if (refused === undefined) continue
    const text = `${nameOf(value)} may be ${refused}, which ${tool.name} does not take there`
    warnings.add('may-not-fit', step.id, ['steps', index, 'arguments', ...path], text)
  }
}

/** Names that the schema lets pass without knowing them, and secrets that stand in the plan. */
function warnOfNames({ step, index, tool }: Checking, reading: Reading, warnings: Problems): void {
  const { patternProperties, additionalProperties } = tool.input
  if (additionalProperties === false && reading.secrets.size === 0) return
  const known = new Set(namesIn(reading.alternativesOf(reading.root)))
  const open = known.size === 0 || isObject(patternProperties) || additionalProperties !== undefined
  for (const [name, value] of Object.entries(step.arguments)) {
    const path = ['steps', index, 'arguments', name]
    if (!open && !known.has(name)) {
      warnings.add('unknown-argument', step.id, path, () => `${tool.name} ${namesNone(name, [...known])}`)
    }
    if (isHidden([name], reading.secrets) && isLiteral(value)) {
      const text = `${tool.name}: ${clipped(name)} is a secret, and a plan is stored and shown with all that is in it`
      warnings.add('secret-in-plan', step.id, path, text)
    }
  }
}

const isLiteral = (value: unknown): boolean => referring(value).next().done === true

const namesNone = (name: string, known: readonly string[]): string =>
  `takes no ${shown(name)}; ${known.length === 0 ? 'it takes no arguments' : `it takes ${listed(known)}`}`

function inWords({ code, path, why, seen }: Fault, { name }: ToolView, reading: Reading): string {
  const last = path.at(-1)
  if (code === 'unknown-argument' && path.length === 1 && last !== undefined) {
    return `${name} ${namesNone(last, namesIn(reading.alternativesOf(reading.root)))}`
  }
  const place = path.length === 0 ? 'the arguments' : clipped(pointer(path).slice(1))
  return `${name}: ${place} ${why}${value(seen, path, reading.secrets)}`
}

const value = (seen: unknown, path: readonly string[], secrets: SecretNames): string =>
  seen === undefined || isHidden(path, secrets) ? '' : `, and is ${shown(seen)}`
