/**
 * The meaning of changes in a schema. Containment decides: an input must accept everything it accepted, an output must keep its
 * promises. Names, defaults and secrets are compared separately. Every reported difference gets a kind, and if containment is
 * broken, at least one of them is breaking.
 */
import { pointerSteps, valueAtPath } from '../../protocol/json.ts'
import type { CompileSchema } from '../../schema/containment/witness.ts'
import type { Difference } from '../../tool/difference/difference.ts'
import { quoteText } from '../../tool/difference/format.ts'
import { labelOf, type SchemaLocation } from '../../tool/difference/schema-location.ts'
import type { ToolBody } from '../../tool/verify/verify-tool.ts'
import { CHANGES, type ChangeKind } from './change-kinds.ts'
import { affectsValidation, kindOfKeyword, kindOfSilentChange, kindOfVerdict } from './keyword-changes.ts'
import { locationAt } from './location-steps.ts'
import { isReportedBy, type SilentChange, silentChanges } from './silent-changes.ts'
import { type ValueLocations, valueLocations } from './value-locations.ts'
import { compareSchemas, type SchemaVerdict } from './verdict.ts'

export type Side = 'inputSchema' | 'outputSchema'

export interface JudgedChange {
  readonly kind: ChangeKind
  readonly difference: Difference
  /** of a removal: the release before said `deprecated` of it */
  readonly announced?: boolean
}

export interface SideChanges {
  readonly changes: readonly JudgedChange[]
  /** undefined where nothing that decides about a value has changed */
  readonly verdict: SchemaVerdict | undefined
}

/** `compile` is for tests that compare thousands of schemas. */
export function judgeSchemaChanges(
  before: ToolBody,
  after: ToolBody,
  side: Side,
  differences: readonly Difference[],
  compile?: CompileSchema,
): SideChanges {
  if (differences.length === 0) return { changes: [], verdict: undefined }
  const read = (body: ToolBody) => ({ schema: body[side], locations: valueLocations(body[side]) })
  const [old, now] = [read(before), read(after)]
  const input = side === 'inputSchema'
  const place: SchemaLocation = { what: input ? 'parameter' : 'output field', name: '', path: [side] }
  const verdict = differences.some(affectsValidation) ? compareSchemas(old, now, input, compile) : undefined
  const shifts = silentChanges(old.locations, now.locations, place)
  const told = new Set<SilentChange>()
  const changes = differences.map((difference): JudgedChange => {
    const here = shifts.filter((shift) => isReportedBy(shift, difference, place))
    const described = isDescribed(difference, old.locations, place)
    const { kind, shift } = kindOfKeyword({ difference, input, verdict, shifts: here, described, after })
    if (shift === undefined) return { kind, difference }
    for (const one of here) if (one.what === shift.what) told.add(one)
    return { kind, difference, ...(shift.what === 'removed' && { announced: here.every(isAnnounced) }) }
  })
  const untold = shifts.filter((shift) => !told.has(shift) && counts(shift, input)).map((one) => byItself(one, input))
  return { changes: [...changes, ...untold, ...whole(verdict, [...changes, ...untold], place, after)], verdict }
}

/** Whether the property that a difference is about stood elsewhere in the schema before, for the same place in a value. */
function isDescribed({ path }: Difference, old: ValueLocations, side: SchemaLocation): boolean {
  const around = locationAt(path.slice(side.path.length, -2))
  return around !== undefined && old.byLocation.get(around)?.properties.has(String(path.at(-1))) === true
}

const isAnnounced = ({ what, announced }: SilentChange): boolean => what !== 'removed' || announced

/** Whoever reads a result with choices looks which one it is; if one of them went, all its fields went with it. */
const counts = ({ what, inChoice }: SilentChange, input: boolean): boolean => input || what !== 'removed' || !inChoice

/** A shift that no sentence told, as where a reference leads to another shared schema. */
const byItself = (shift: SilentChange, input: boolean): JudgedChange => ({
  kind: kindOfSilentChange(shift, input),
  difference: shift.difference,
  ...(shift.what === 'removed' && { announced: shift.announced }),
})

/** These break a caller for reasons of their own; they do not explain why a schema accepts less. */
const BESIDE = new Set<ChangeKind>([
  'default-changed',
  'default-removed',
  'secret-off',
  'header-changed',
  'content-changed',
])

/** The verdict itself, where no single change gives the reason for it. */
function whole(
  verdict: SchemaVerdict | undefined,
  changes: readonly JudgedChange[],
  place: SchemaLocation,
  after: ToolBody,
): JudgedChange[] {
  if (verdict === undefined || verdict.verdict === 'same' || verdict.verdict === 'contained') return []
  const input = place.path[0] === 'inputSchema'
  const explained = changes.some(({ kind }) => CHANGES[kind].level === 'major' && !BESIDE.has(kind))
  if (verdict.verdict === 'not contained' && explained) return []
  const reason = `${quoteText(verdict.why)}${verdict.where === '' ? '' : ` at ${quoteText(verdict.where)}`}`
  const what = input ? 'not all that was accepted still is' : 'something may come that was promised never to'
  const text = verdict.verdict === 'undecided' ? `cannot decide, treated as breaking: ${reason}` : `${what}: ${reason}`
  const path = [...place.path, ...pointerSteps(verdict.where)]
  return [
    {
      kind: kindOfVerdict(verdict, input),
      difference: {
        text: `${labelOf(place)}: ${text}`,
        path: valueAtPath(after, path) === undefined ? place.path : path,
        kind: 'changed',
        before: undefined,
        after: undefined,
      },
    },
  ]
}
