/** The required inputs of a tool, each either filled by a value at hand or waiting for one that a step gives or somebody tells. */
import { type AtHand, filledBy, takesShare } from './known.ts'
import type { Offers } from './match.ts'
import { isBare, normal } from './names.ts'
import type { Filled, Match, Need, Worker } from './types.ts'

export interface Slot {
  readonly need: Need
  readonly filled: Filled | undefined
  /** best first; of other tools */
  readonly matches: readonly Match[]
}

export function slotsOf(worker: Worker, index: number, hand: AtHand, offers: Offers): Slot[] {
  return worker.needs.filter(({ required }) => required).flatMap((need) => slotsFor(need, index, hand, offers))
}

/** An object that nobody has as a whole is put together from its parts, if anybody has one of them; otherwise it is asked for. */
function slotsFor(need: Need, index: number, hand: AtHand, offers: Offers): Slot[] {
  const filled = filledBy(need, hand)
  if (filled !== undefined) return [{ need, filled, matches: [] }]
  const matches = offers.for(need).filter(({ worker }) => worker !== index)
  const whole: Slot = { need, filled: undefined, matches }
  if (matches.length > 0 || need.parts.length === 0) return [whole]
  const parts = need.parts.filter(({ required }) => required).flatMap((part) => slotsFor(part, index, hand, offers))
  const isOfUse = parts.length === 0 || parts.some((part) => part.filled !== undefined || part.matches.length > 0)
  return isOfUse ? [{ need, filled: { value: {} }, matches: [] }, ...parts] : [whole]
}

/** What a question for it is asked under; needs with the same key are answered together. */
export function questionKey(need: Need): string {
  if (takesShare(need)) return 'budget'
  if (need.typeId !== undefined) return need.typeId
  const [first] = need.names
  return isBare(normal(need.property)) && first !== undefined ? first : need.property
}
