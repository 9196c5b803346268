/** The required inputs of a tool, each either filled by a value at hand or waiting for one that a step gives or somebody tells. */

import { isGenericName, normalizedName } from '../names.ts'
import type { Candidate, ChosenValue, Match, Need } from '../types.ts'
import { type AvailableValues, takesBudgetShare, valueFor } from './available-values.ts'
import type { OfferIndex } from './offer-index.ts'

export interface Slot {
  readonly need: Need
  readonly value: ChosenValue | undefined
  /** best first; of other tools */
  readonly matches: readonly Match[]
}

export function slotsOf(worker: Candidate, index: number, hand: AvailableValues, offers: OfferIndex): Slot[] {
  return worker.needs.filter(({ required }) => required).flatMap((need) => slotsFor(need, index, hand, offers))
}

/** An object that nobody has as a whole is put together from its parts, if anybody has one of them; otherwise it is asked for. */
function slotsFor(need: Need, index: number, hand: AvailableValues, offers: OfferIndex): Slot[] {
  const filled = valueFor(need, hand)
  if (filled !== undefined) return [{ need, value: filled, matches: [] }]
  const matches = offers.matchesFor(need).filter(({ candidate }) => candidate !== index)
  const whole: Slot = { need, value: undefined, matches }
  if (matches.length > 0 || need.parts.length === 0) return [whole]
  const parts = need.parts.filter(({ required }) => required).flatMap((part) => slotsFor(part, index, hand, offers))
  const isOfUse = parts.length === 0 || parts.some((part) => part.value !== undefined || part.matches.length > 0)
  return isOfUse ? [{ need, value: { value: {} }, matches: [] }, ...parts] : [whole]
}

/** What a question for it is asked under; needs with the same key are answered together. */
export function questionKey(need: Need): string {
  if (takesBudgetShare(need)) return 'budget'
  if (need.typeId !== undefined) return need.typeId
  const [first] = need.names
  return isGenericName(normalizedName(need.property)) && first !== undefined ? first : need.property
}
