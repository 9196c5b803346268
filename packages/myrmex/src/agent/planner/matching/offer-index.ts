/** Which offers fill which needs. The same `type_id` on both sides is certain; otherwise the names must agree. */

import { getOrMake } from '../../../protocol/get-or-make.ts'
import { KIND } from '../../../schema/json-schema/kinds.ts'
import { normalizedName } from '../names.ts'
import type { Candidate, Match, Meaning, Need, Offer, TypedMeaning } from '../types.ts'
import { offerFits } from './fits.ts'

/** Offers by every key that a need may look them up under. */
export class OfferIndex {
  readonly #byKey = new Map<string, Offer[]>()
  readonly #matches = new Map<string, readonly Match[]>()

  constructor(candidates: readonly Candidate[]) {
    for (const offer of candidates.flatMap(({ offers }) => offers)) {
      for (const key of keysOf(offer)) getOrMake(this.#byKey, key, () => []).push(offer)
    }
  }

  /** Best first. */
  matchesFor(need: Need): readonly Match[] {
    return getOrMake(this.#matches, needIdentity(need), () => {
      const offers = new Set([...keysOf(need)].flatMap((key) => this.#byKey.get(key) ?? []))
      return [...offers]
        .flatMap((offer) => matchOf(need, offer) ?? [])
        .filter(({ offer, wrapped }) => offerFits(offer, need, wrapped))
        .sort(compareMatches)
    })
  }
}

const namesOf = ({ typeId, names }: Meaning): readonly string[] =>
  typeId === undefined ? names : [normalizedName(typeId), ...names]

const keysOf = (meaning: Need | Offer): Set<string> =>
  new Set(
    [meaning, ...(meaning.item === undefined ? [] : [meaning.item])].flatMap((one) => [
      ...(one.typeId === undefined ? [] : [one.typeId]),
      ...namesOf(one),
    ]),
  )

/** Includes the schema: an offer that fits one of two needs of a type may not fit the other. */
export const needIdentity = (need: Need): string =>
  `${need.typeId ?? ''} ${need.names.join(' ')} ${need.jsonTypes} ${need.typeId === undefined ? need.property : ''} ${schemaText(need)}`

const texts = new WeakMap<object, string>()
function schemaText({ schema, rootSchema }: Need): string {
  return getOrMake(texts, schema, () => {
    const { description: _, title: __, ...rest } = schema
    const text = JSON.stringify(rest)
    // References mean what their own document says.
    return text.includes('"$ref"') ? text + JSON.stringify([rootSchema.$defs, rootSchema.definitions]) : text
  })
}

/** Whether both say the same `type_id`, or only their names agree. Two different types never agree, even under the same name. */
function agreementOf(need: Meaning, offer: Meaning): 'type' | 'name' | undefined {
  if (need.typeId !== undefined && offer.typeId !== undefined) return need.typeId === offer.typeId ? 'type' : undefined
  const offered = namesOf(offer)
  return namesOf(need).some((name) => offered.includes(name)) ? 'name' : undefined
}

const alwaysFits = (need: TypedMeaning, offer: TypedMeaning): boolean => (offer.jsonTypes & ~need.jsonTypes) === 0

function matchOf(need: Need, offer: Offer): Match | undefined {
  const whole = agreementOf(need, offer)
  const isWholeSure = alwaysFits(need, offer)
  if (whole !== undefined && (need.jsonTypes & offer.jsonTypes & ~KIND.ARRAY) !== 0)
    return { offer, sameType: whole === 'type', alwaysFits: isWholeSure, wrapped: false }
  // One item of a list is taken as a list of one.
  const [needed, offered, wrapped] = [need.item, offer.item ?? offer, offer.item === undefined]
  if (needed === undefined || (needed.jsonTypes & offered.jsonTypes) === 0) return undefined
  const items = agreementOf(needed, offered)
  // Lists of two different things are different lists, even under one name.
  const isDecidedByItems = wrapped || (needed.typeId !== undefined && offered.typeId !== undefined)
  const agreement = isDecidedByItems ? items : whole === 'type' ? whole : (items ?? whole)
  if (agreement === undefined) return undefined
  const isSure = alwaysFits(needed, offered) && (wrapped || isWholeSure)
  return { offer, sameType: agreement === 'type', alwaysFits: isSure, wrapped }
}

const rank = (match: Match): number =>
  (match.sameType ? 0 : 16) +
  (match.alwaysFits ? 0 : 8) +
  (match.wrapped ? 4 : 0) +
  (match.offer.always ? 0 : 2) +
  (match.offer.lists.length > 0 ? 1 : 0)

/** The surest, then the shallowest, then the first by its pointer. */
export function compareMatches(one: Match, other: Match): number {
  return (
    rank(one) - rank(other) ||
    one.offer.depth - other.offer.depth ||
    (one.offer.pointer < other.offer.pointer ? -1 : one.offer.pointer > other.offer.pointer ? 1 : 0)
  )
}
