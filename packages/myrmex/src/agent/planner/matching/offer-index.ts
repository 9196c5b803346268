/** Which offers fill which needs. The same `type_id` on both sides is certain; otherwise the same name must do. */

import { normalizedName } from '../names.ts'
import type { Candidate, Match, Meaning, Need, Offer } from '../types.ts'
import { offerFits } from './fits.ts'
import { JSON_ARRAY } from './schema-shape.ts'

interface Entry {
  readonly worker: number
  readonly offer: Offer
}

/** Offers by everything that they can be asked for by. */
export class OfferIndex {
  readonly #byKey = new Map<string, Entry[]>()
  readonly #workers: readonly Candidate[]
  readonly #found = new Map<string, readonly Match[]>()

  constructor(workers: readonly Candidate[]) {
    this.#workers = workers
    for (const [worker, { offers }] of workers.entries()) {
      for (const offer of offers) {
        const keys = new Set([...keysOf(offer), ...(offer.item === undefined ? [] : keysOf(offer.item))])
        for (const key of keys) this.#add(key, { worker, offer })
      }
    }
  }

  /** Best first. */
  matchesFor(need: Need): readonly Match[] {
    const identity = needIdentity(need)
    let found = this.#found.get(identity)
    if (found === undefined) {
      found = this.#look(need)
      this.#found.set(identity, found)
    }
    return found
  }

  #look(need: Need): Match[] {
    const keys = new Set([...keysOf(need), ...(need.item === undefined ? [] : keysOf(need.item))])
    const seen = new Set<Offer>()
    const matches: Match[] = []
    for (const key of keys) {
      for (const { worker, offer } of this.#byKey.get(key) ?? []) {
        if (seen.has(offer)) continue
        seen.add(offer)
        const match = matchOf(need, offer, worker)
        const tool = this.#workers[worker]?.tool
        if (match === undefined || tool === undefined) continue
        if (offerFits(tool, offer, need, match.wrapped)) matches.push(match)
      }
    }
    return matches.sort(compareMatches)
  }

  #add(key: string, entry: Entry): void {
    const entries = this.#byKey.get(key)
    if (entries === undefined) this.#byKey.set(key, [entry])
    else entries.push(entry)
  }
}

const keysOf = ({ typeId, names }: Meaning): string[] =>
  typeId === undefined ? [...names] : [typeId, normalizedName(typeId), ...names]

/** The schema belongs to it: what fits one of two needs of a type may not fit the other. */
export const needIdentity = (need: Need): string =>
  `${need.typeId ?? ''} ${need.names.join(' ')} ${need.jsonTypes} ${need.typeId === undefined ? need.property : ''} ${schemaText(need)}`

const texts = new WeakMap<object, string>()
function schemaText({ schema, rootSchema }: Need): string {
  let text = texts.get(schema)
  if (text === undefined) {
    const { description: _, title: __, ...rest } = schema
    text = JSON.stringify(rest)
    // References mean what their own document says.
    if (text.includes('"$ref"')) text += JSON.stringify([rootSchema.$defs, rootSchema.definitions])
    texts.set(schema, text)
  }
  return text
}

type Agreement = 'explicit' | 'name' | undefined

/** Two types that are both said and differ do not agree, whatever their names are. */
export function agreementOf(need: Meaning, offer: Meaning): Agreement {
  if (need.typeId !== undefined && offer.typeId !== undefined)
    return need.typeId === offer.typeId ? 'explicit' : undefined
  const wanted = need.typeId === undefined ? need.names : [normalizedName(need.typeId), ...need.names]
  const given = offer.typeId === undefined ? offer.names : [normalizedName(offer.typeId), ...offer.names]
  return wanted.some((name) => given.includes(name)) ? 'name' : undefined
}

function matchOf(need: Need, offer: Offer, worker: number): Match | undefined {
  const found = (agreement: Agreement, certain: boolean, wrapped: boolean): Match | undefined =>
    agreement && { candidate: worker, offer, sameType: agreement === 'explicit', alwaysFits: certain, wrapped }
  if ((need.jsonTypes & offer.jsonTypes & ~JSON_ARRAY) !== 0) {
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
