/** Resolves a reference to its step, the output schema of its tool and the part of it. Reports what is wrong with it. */
import { getOrMake } from '../../../protocol/get-or-make.ts'
import { isObject, pointerSteps } from '../../../protocol/json.ts'
import { isSecretPath } from '../../../protocol/secret.ts'
import type { SchemaObject } from '../../../schema/json-schema/judge.ts'
import { clipText, showValue } from '../../../schema/json-schema/show-value.ts'
import type { ToolView } from '../../fleet/tool-view.ts'
import type { Reference, Step } from '../plan.ts'
import { type AnalysedSchema, analyseSchema } from './alternatives.ts'
import { type FollowedPath, followPath, type ValueShape } from './follow-path.ts'
import type { Report } from './problem.ts'
import type { NameHints } from './tool-index.ts'

export interface StepTools {
  /** the tool of each step, by step id; undefined for an unknown tool, which was already reported */
  readonly tools: ReadonlyMap<string, ToolView | undefined>
  readonly hints: NameHints
}

interface ReferenceReport extends Report {
  readonly sources: StepTools
}

/** The referring step, and the location of the reference in the plan. */
interface From {
  readonly step: Step
  readonly path: readonly PropertyKey[]
}

/** Undefined if nothing is known about the value. */
export function referenceSource(
  ref: Reference,
  from: From,
  report: ReferenceReport,
  needs: Set<string>,
): ValueShape | undefined {
  const { sources, problems } = report
  const { id } = from.step
  if (!sources.tools.has(ref.$from)) {
    problems.add('unknown-step', id, from.path, () => unknownStep(ref.$from, sources))
    return undefined
  }
  if (ref.$from === id) {
    const text = `${id} refers to its own result, which is not there before it has run`
    problems.add('self-reference', id, from.path, text)
    return undefined
  }
  needs.add(ref.$from)
  const tool = sources.tools.get(ref.$from)
  return tool === undefined ? undefined : placeIn(ref, tool, from, report)
}

export const unknownStep = (id: string, { tools, hints }: StepTools): string =>
  `there is no step ${showValue(id)}.${hints.for(id, [...tools.keys()])}`

function placeIn(
  ref: Reference,
  tool: ToolView,
  { step, path }: From,
  report: ReferenceReport,
): ValueShape | undefined {
  const { problems, warnings } = report
  if (tool.output === undefined) {
    problems.add('no-output', step.id, path, `${tool.name}, the tool of ${ref.$from}, gives no data to refer to`)
    return undefined
  }
  const reading = analyseSchema(tool.output)
  const name = `the result of ${ref.$from} (${tool.name})`
  if (reading.secrets.size > 0 && isSecretPath(pointerSteps(ref.path), reading.secrets)) {
    const text = `${clipText(ref.path) || 'all'} of ${name} is secret. Secrets are not kept, so nothing can refer to them`
    problems.add('secret-reference', step.id, path, text)
    return undefined
  }
  const found = followed(reading, ref.path)
  if (!found.found) {
    const reached =
      found.reached === '' ? 'there is only the whole' : `it goes only as far as ${clipText(found.reached)}`
    problems.add('no-such-path', step.id, path, `${name} has no ${clipText(ref.path)}: ${reached}, ${found.why}`)
    return undefined
  }
  if (found.doubt !== undefined) {
    warnings.add('may-be-absent', step.id, path, `${clipText(ref.path)} may be missing in ${name}: ${found.doubt}`)
  }
  const secret = secretsIn(reading, found.place)
  if (secret.length > 0) {
    const what = secret.map(clipText).join(', ')
    warnings.add('secret-inside', step.id, path, `${what} in it is secret and will come as [secret]`)
  }
  return found.place
}

/** Plans with ever new paths must not fill the memory. */
const MAX_PATHS = 1_000
const paths = new WeakMap<AnalysedSchema, Map<string, FollowedPath>>()

/** Cached, so that the same path always leads to the same shape object, for which further results are cached. */
export function followed(reading: AnalysedSchema, path: string): FollowedPath {
  let known = paths.get(reading)
  if (known === undefined || known.size >= MAX_PATHS) {
    known = new Map()
    paths.set(reading, known)
  }
  return getOrMake(known, path, () => followPath(reading, pointerSteps(path)))
}

/** Enough to find out whether there are any. */
const MAX_PARTS = 500

/** Names of secret fields in the value. Secrets are hidden by name, so every field of that name counts. */
function secretsIn(reading: AnalysedSchema, { alternatives }: ValueShape): string[] {
  if (reading.secrets.size === 0) return []
  const names = new Set<string>()
  const seen = new Set<unknown>()
  const left: SchemaObject[] = alternatives.flatMap(({ parts }) => parts)
  for (let part = left.pop(); part !== undefined && seen.size < MAX_PARTS; part = left.pop()) {
    if (seen.has(part)) continue
    seen.add(part)
    const { properties, patternProperties, items, prefixItems, additionalProperties } = part
    for (const [name, child] of Object.entries(isObject(properties) ? properties : {})) {
      if (reading.secrets.has(name)) names.add(name)
      else left.push(...partsOf(reading, child))
    }
    const others = [items, additionalProperties, ...listOf(prefixItems), ...Object.values(patternProperties ?? {})]
    for (const child of others) if (isObject(child)) left.push(...partsOf(reading, child))
  }
  return [...names]
}

const partsOf = (reading: AnalysedSchema, schema: unknown): SchemaObject[] =>
  reading.alternativesOf(schema).flatMap(({ parts }) => parts)

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
