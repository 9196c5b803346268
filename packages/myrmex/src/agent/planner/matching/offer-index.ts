/** Which offers fill which needs. The same `type_id` on both sides is certain; otherwise the names must agree. */

import { getOrMake } from '../../../protocol/get-or-make.ts'
import { KIND } from '../../../spec/json-schema/kinds.ts'
import { normalizedName } from '../names.ts'
import type { Candidate, Match, Meaning, Need, Offer } from '../types.ts'
import { offerFits } from './fits.ts'

interface Entry {
  readonly candidate: number
  readonly offer: Offer
}

/** Offers by every key that a need may look them up under. */
export class OfferIndex {
  readonly #byKey = new Map<string, Entry[]>()
  readonly #candidates: readonly Candidate[]
  readonly #matches = new Map<string, readonly Match[]>()

  constructor(candidates: readonly Candidate[]) {
    this.#candidates = candidates
    for (const [candidate, { offers }] of candidates.entries()) {
      for (const offer of offers) {
        for (const key of keysOf(offer)) getOrMake(this.#byKey, key, () => []).push({ candidate, offer })
      }
    }
  }

  /** Best first. */
  matchesFor(need: Need): readonly Match[] {
    return getOrMake(this.#matches, needIdentity(need), () => {
      const entries = [...keysOf(need)].flatMap((key) => this.#byKey.get(key) ?? [])
      const byOffer = new Map(entries.map(({ candidate, offer }) => [offer, candidate]))
      return [...byOffer]
        .flatMap(([offer, candidate]) => this.#match(need, offer, candidate) ?? [])
        .sort(compareMatches)
    })
  }

  #match(need: Need, offer: Offer, candidate: number): Match | undefined {
    const match = matchOf(need, offer, candidate)
    const tool = this.#candidates[candidate]?.tool
    return match && tool && offerFits(tool, offer, need, match.wrapped) ? match : undefined
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

type Agreement = 'explicit' | 'name' | undefined

/** Two different types never agree, even under the same name. */
export function agreementOf(need: Meaning, offer: Meaning): Agreement {
  if (need.typeId !== undefined && offer.typeId !== undefined)
    return need.typeId === offer.typeId ? 'explicit' : undefined
  const offered = namesOf(offer)
  return namesOf(need).some((name) => offered.includes(name)) ? 'name' : undefined
}

function matchOf(need: Need, offer: Offer, candidate: number): Match | undefined {
  const found = (agreement: Agreement, certain: boolean, wrapped: boolean): Match | undefined =>
    agreement && { candidate, offer, sameType: agreement === 'explicit', alwaysFits: certain, wrapped }
  if ((need.jsonTypes & offer.jsonTypes & ~KIND.ARRAY) !== 0) {
    const match = found(agreementOf(need, offer), (offer.jsonTypes & ~need.jsonTypes) === 0, false)
    if (match !== undefined) return match
  }
  if (need.item === undefined) return undefined
  if (offer.item !== undefined) return listMatch(need, need.item, offer, offer.item, found)
  if ((need.item.json & offer.jsonTypes) === 0) return undefined
  return found(agreementOf(need.item, offer), (offer.jsonTypes & ~need.item.json) === 0, true)
}

type Item = NonNullable<Need['item']>

function listMatch(
  need: Need,
  needed: Item,
  offer: Offer,
  offered: Item,
  found: (agreement: Agreement, certain: boolean, wrapped: boolean) => Match | undefined,
): Match | undefined {
  if ((needed.json & offered.json) === 0) return undefined
  const certain = (offer.jsonTypes & ~need.jsonTypes) === 0 && (offered.json & ~needed.json) === 0
  const items = agreementOf(needed, offered)
  const whole = agreementOf(need, offer)
  // Lists of two different things are different lists, even under one name.
  if (needed.typeId !== undefined && offered.typeId !== undefined) return found(items, certain, false)
  return found(whole === 'explicit' ? whole : (items ?? whole), certain, false)
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
