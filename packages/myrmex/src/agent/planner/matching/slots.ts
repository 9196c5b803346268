/** The required inputs of a tool: each has a known value, or waits for a step or an answer that provides it. */

import type { ToolView } from '../../fleet/tool-view.ts'
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

export function slotsOf({ tool, needs }: Candidate, available: AvailableValues, offers: OfferIndex): Slot[] {
  return needs.filter(({ required }) => required).flatMap((need) => slotsFor(need, tool, available, offers))
}

/** An object that nothing provides as a whole is built from its parts, if one of them can be had; otherwise it is asked for. */
function slotsFor(need: Need, tool: ToolView, available: AvailableValues, offers: OfferIndex): Slot[] {
  const filled = valueFor(need, available)
  if (filled !== undefined) return [{ need, value: filled, matches: [] }]
  const matches = offers.matchesFor(need).filter(({ offer }) => offer.tool !== tool)
  const whole: Slot = { need, value: undefined, matches }
  if (matches.length > 0 || need.parts.length === 0) return [whole]
  const parts = need.parts.filter(({ required }) => required).flatMap((part) => slotsFor(part, tool, available, offers))
  const isUseful = parts.length === 0 || parts.some((part) => part.value !== undefined || part.matches.length > 0)
  return isUseful ? [{ need, value: { value: {} }, matches: [] }, ...parts] : [whole]
}

/** The `input` of a question for it. One answer serves all needs with the same key. */
export function questionKey(need: Need): string {
  if (takesBudgetShare(need)) return 'budget'
  if (need.typeId !== undefined) return need.typeId
  const [first] = need.names
  return isGenericName(normalizedName(need.property)) && first !== undefined ? first : need.property
}
