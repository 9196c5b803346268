/**
 * From the tools that were found to the steps of a plan: in an order in which everything is there before it is needed, each
 * argument a value at hand or the best field of an earlier step.
 */
import { costOf } from '../../protocol/cost.ts'
import type { JsonObject } from '../../protocol/json.ts'
import { type AvailableValues, valueFor } from './matching/available-values.ts'
import { valueFits } from './matching/fits.ts'
import { compareMatches, type OfferIndex } from './matching/offer-index.ts'
import type { Slot } from './matching/slots.ts'
import { actionLevels } from './search/graph.ts'
import type { SearchSpace } from './search/search-space.ts'
import type { Candidate, ChosenValue, Match, Need } from './types.ts'

/** One argument that comes from an earlier step. */
export interface Link {
  readonly need: Need
  readonly match: Match
}

/** What a step cannot do without and nobody has said yet. */
export interface MissingInput {
  readonly need: Need
  /** workers that could give it, at a price that was not worth it */
  readonly givers: readonly number[]
}

export interface DraftStep {
  readonly id: string
  readonly candidate: number
  readonly arguments: JsonObject
  readonly links: readonly Link[]
  /** values at hand that something is to be said of */
  readonly notes: readonly string[]
  readonly missing: readonly MissingInput[]
  readonly budgetShares: readonly Need[]
}

export interface DraftRequest {
  readonly candidates: readonly Candidate[]
  readonly offers: OfferIndex
  readonly space: SearchSpace
  readonly available: AvailableValues
  /** the actions found: workers, and after them questions */
  readonly chosen: ReadonlySet<number>
}

export function draftSteps(request: DraftRequest): DraftStep[] {
  const { candidates, space, chosen } = request
  const levels = actionLevels(space.graph, (action) => chosen.has(action)).map((level) =>
    level.filter((action) => action < candidates.length),
  )
  const ids = new Map<number, string>()
  const steps: DraftStep[] = []
  for (const level of levels) {
    const earlier = new Map(ids)
    for (const worker of level) ids.set(worker, `s${ids.size + 1}`)
    for (const worker of level) steps.push(stepOf(worker, ids.get(worker) ?? '', earlier, request))
  }
  return shared(steps, request)
}

class Arguments {
  readonly made: JsonObject = {}

  set(path: readonly string[], value: unknown): void {
    let here: Record<string, unknown> = this.made
    for (const [depth, key] of path.entries()) {
      const next = depth === path.length - 1 ? value : (here[key] ?? {})
      // As JSON would: a property of any name, and no setter of a prototype.
      Object.defineProperty(here, key, { value: next, enumerable: true, configurable: true, writable: true })
      here = next as Record<string, unknown>
    }
  }
}

function stepOf(worker: number, id: string, earlier: ReadonlyMap<number, string>, request: DraftRequest): DraftStep {
  const { candidates, space } = request
  const made = new Arguments()
  const links: Link[] = []
  const notes: string[] = []
  const missing: MissingInput[] = []
  const shares: Need[] = []
  const fill = (need: Need, filled: ChosenValue): void => {
    if (filled.isBudgetShare === true) shares.push(need)
    // Copied: an object made here grows by its parts, and what the caller knows is the caller's.
    else made.set(need.path, structuredClone(filled.value))
    if (filled.note !== undefined) notes.push(filled.note)
  }
  const link = (need: Need, match: Match): void => {
    const reference = { $from: earlier.get(match.candidate) ?? '', path: match.offer.pointer }
    made.set(need.path, match.wrapped ? [reference] : reference)
    links.push({ need, match })
  }
  for (const { need, value: filled, matches } of space.slots[worker] ?? []) {
    if (filled !== undefined) {
      fill(need, filled)
      continue
    }
    const match = bestOf(counted(space, need, matches), earlier)
    if (match === undefined) missing.push({ need, givers: [...new Set(matches.map(({ candidate: giver }) => giver))] })
    else link(need, match)
  }
  for (const need of candidates[worker]?.needs ?? []) {
    if (!need.required) fillOptional(need, worker, earlier, request, { fill, link })
  }
  return { id, candidate: worker, arguments: made.made, links, notes, missing, budgetShares: shares }
}

/** Of the matches of this need, those that count in the search. */
function counted(space: SearchSpace, need: Need, matches: Slot['matches']): readonly Match[] {
  const all = space.matches[space.factOf(need) ?? -1] ?? []
  const offers = new Set(all.map(({ offer }) => offer))
  return matches.filter(({ offer }) => offers.has(offer))
}

/** The surest field; of equals, that of the earliest step. */
function bestOf(matches: readonly Match[], earlier: ReadonlyMap<number, string>): Match | undefined {
  const order = [...earlier.keys()]
  const [best] = matches
    .filter(({ candidate }) => earlier.has(candidate))
    .sort((one, other) => compareMatches(one, other) || order.indexOf(one.candidate) - order.indexOf(other.candidate))
  return best
}

interface Fill {
  readonly fill: (need: Need, filled: ChosenValue) => void
  readonly link: (need: Need, match: Match) => void
}

/** Only what is certain: a value at hand, or a field that says the same type. */
function fillOptional(
  need: Need,
  worker: number,
  earlier: ReadonlyMap<number, string>,
  request: DraftRequest,
  { fill, link }: Fill,
): void {
  const filled = valueFor(need, request.available)
  if (filled !== undefined) {
    fill(need, filled)
    return
  }
  const explicit = request.offers
    .matchesFor(need)
    .filter((match) => match.sameType && match.candidate !== worker && match.alwaysFits)
  const match = bestOf(explicit, earlier)
  if (match !== undefined) {
    link(need, match)
    return
  }
  const parts = need.parts.map((part) => [part, valueFor(part, request.available)] as const)
  const isWhole = parts.every(([part, value]) => value !== undefined || !part.required)
  const isAny = parts.some(([, value]) => value !== undefined && value.isBudgetShare !== true)
  if (!isWhole || !isAny) return
  fill(need, { value: {} })
  for (const [part, value] of parts) if (value !== undefined) fill(part, value)
}

/** The budget, less what other arguments cost, evenly to those that ask for some of it. */
function shared(steps: readonly DraftStep[], { candidates, available }: DraftRequest): DraftStep[] {
  const count = steps.reduce((sum, { budgetShares }) => sum + budgetShares.length, 0)
  if (count === 0 || available.money === undefined) return [...steps]
  const known = steps.reduce(
    (sum, step) => sum + costOf(candidates[step.candidate]?.tool.input ?? {}, literalArguments(step)),
    0,
  )
  const share = Math.floor((Math.max(0, available.money - known) / count) * 100) / 100
  return steps.map((step) => {
    const made = new Arguments()
    Object.assign(made.made, step.arguments)
    const notes = [...step.notes]
    const missing = [...step.missing]
    for (const need of step.budgetShares) {
      const value = [share, Math.floor(share), mostOf(need)].find(
        (one) => one !== undefined && one <= share && valueFits(need, one),
      )
      if (value === undefined) {
        missing.push({ need, givers: [] })
        continue
      }
      made.set(need.path, value)
      const among = count === 1 ? 'the budget' : `an even share of the budget among ${count}`
      notes.push(`Took ${need.property} = ${value} for ${candidates[step.candidate]?.tool.name} from ${among}.`)
    }
    return { ...step, arguments: made.made, notes, missing }
  })
}

/** The arguments that are known beforehand. */
export function literalArguments(step: DraftStep): JsonObject {
  const known = { ...step.arguments }
  for (const { need } of step.links) delete known[need.path[0] ?? '']
  return known
}

function mostOf(need: Need): number | undefined {
  const { maximum } = need.schema
  return typeof maximum === 'number' ? maximum : undefined
}
