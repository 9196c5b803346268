/**
 * What changes of a schema mean. Containment decides: an input must accept all it accepted, an output must promise all it
 * promised. What it cannot see (names, defaults, secrets) is judged beside it. Every difference that is told gets a name
 * here, and where the whole is broken at least one of them says so.
 */
import { at, stepsOf } from '../../protocol/json.ts'
import type { Difference } from '../../tool/difference/difference.ts'
import { labelOf, type Place } from '../../tool/difference/place.ts'
import { quoted } from '../../tool/difference/shown.ts'
import type { Body } from '../../tool/verify.ts'
import type { Compile } from '../containment/judge.ts'
import { CHANGES, type ChangeKind } from './changes.ts'
import { decides, kindOfKeyword, ofDefault } from './keywords.ts'
import { type Locations, locationsOf } from './locations.ts'
import { isToldBy, type Shift, shiftsBetween } from './shifts.ts'
import { locationAt } from './steps.ts'
import { isBroken, type Verdict, verdictOn } from './verdict.ts'

export type Side = 'inputSchema' | 'outputSchema'

export interface Judged {
  readonly kind: ChangeKind
  readonly difference: Difference
  /** of a removal: the release before said `deprecated` of it */
  readonly announced?: boolean
}

export interface SideJudged {
  readonly changes: readonly Judged[]
  /** undefined where nothing that decides about a value has changed */
  readonly verdict: Verdict | undefined
}

/** `compile` is for tests that compare thousands of schemas. */
export function judgeSide(
  before: Body,
  after: Body,
  side: Side,
  differences: readonly Difference[],
  compile?: Compile,
): SideJudged {
  if (differences.length === 0) return { changes: [], verdict: undefined }
  const [old, now] = [before, after].map((body) => ({ schema: body[side], locations: locationsOf(body[side]) })) as [
    { schema: unknown; locations: Locations },
    { schema: unknown; locations: Locations },
  ]
  const input = side === 'inputSchema'
  const place: Place = { what: input ? 'parameter' : 'output field', name: '', path: [side] }
  const verdict = differences.some(decides) ? verdictOn(old, now, input, compile) : undefined
  const shifts = shiftsBetween(old.locations, now.locations, place)
  const told = new Set<Shift>()
  const changes = differences.map((difference): Judged => {
    const here = shifts.filter((shift) => isToldBy(shift, difference, place))
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
function isDescribed({ path }: Difference, old: Locations, side: Place): boolean {
  const around = locationAt(path.slice(side.path.length, -2))
  return around !== undefined && old.at.get(around)?.properties.has(String(path.at(-1))) === true
}

const isAnnounced = ({ what, announced }: Shift): boolean => what !== 'removed' || announced

/** Whoever reads a result with choices looks which one it is; if one of them went, all its fields went with it. */
const counts = ({ what, chosen }: Shift, input: boolean): boolean => input || what !== 'removed' || !chosen

/** A shift that no sentence told, as where a reference leads to another shared schema. */
function byItself(shift: Shift, input: boolean): Judged {
  const difference = shift.told
  if (shift.what === 'default') return { kind: ofDefault(shift, input), difference }
  if (shift.what === 'secret') return { kind: shift.after === true ? 'secret-on' : 'secret-off', difference }
  return { kind: input ? 'parameter-removed' : 'output-field-removed', difference, announced: shift.announced }
}

/** These break a caller for reasons of their own; they do not explain why a schema accepts less. */
const BESIDE = new Set<ChangeKind>([
  'default-changed',
  'default-removed',
  'secret-off',
  'header-changed',
  'content-changed',
])

/** The verdict itself, where no single change gives the reason for it. */
function whole(verdict: Verdict | undefined, changes: readonly Judged[], place: Place, after: Body): Judged[] {
  if (verdict === undefined || verdict.verdict === 'same' || verdict.verdict === 'contained') return []
  const input = place.path[0] === 'inputSchema'
  const explained = changes.some(({ kind }) => CHANGES[kind].level === 'major' && !BESIDE.has(kind))
  if (verdict.verdict === 'not contained' && explained) return []
  const reason = `${quoted(verdict.why)}${verdict.where === '' ? '' : ` at ${quoted(verdict.where)}`}`
  const what = input ? 'not all that was accepted still is' : 'something may come that was promised never to'
  const text = isUndecided(verdict) ? `cannot decide, treated as breaking: ${reason}` : `${what}: ${reason}`
  const kinds = input
    ? (['input-undecided', 'input-narrowed'] as const)
    : (['output-undecided', 'output-widened'] as const)
  const path = [...place.path, ...stepsOf(verdict.where)]
  return [
    {
      kind: kinds[isUndecided(verdict) ? 0 : 1],
      difference: {
        text: `${labelOf(place)}: ${text}`,
        path: at(after, path) === undefined ? place.path : path,
        how: 'changed',
        before: undefined,
        after: undefined,
      },
    },
  ]
}

const isUndecided = (verdict: Verdict): boolean => isBroken(verdict) && verdict.verdict === 'undecided'
