/**
 * Cuts a value that is too long or too deep for an audit record, member by member. Whatever a caller adds, it cannot push out what
 * matters:
 *
 * 1. Members that the schema names come first. Of these, small ones are kept whole, and large ones share the rest.
 * 2. A text keeps its beginning, a list its first items, an object its named members. Other members are the first to be left out.
 * 3. A value that is nested too deeply is replaced by null.
 *
 * Every place that was cut is listed. The list is a field of its own, which no caller can write to, so nothing in the value
 * itself marks a cut. It accepts values of any kind, because tools put anything into an error.
 */

import { MAX_RECURSION, sorted } from '../../protocol/canonical.ts'
import { pointer } from '../../protocol/json.ts'
import { wholeAt } from '../../protocol/text.ts'
import { sha256 } from '../../tool/hash.ts'
import type { KnownMembers } from './known-members.ts'

/** One place that was cut, and what was there before. */
export interface Cut {
  /** a JSON Pointer into the record */
  readonly at: string
  /** the length of a text; for a field of the record, of its canonical JSON */
  readonly characters?: number
  /** SHA-256 of that text */
  readonly sha256?: string
  /** how many items a list had; the record has the first of them */
  readonly items?: number
  /** how many members an object had */
  readonly members?: number
  /** the type of a value that was replaced by null */
  readonly left_out?: string
  /** how many places below this one were cut too and are not listed */
  readonly places?: number
}

export interface CutValue {
  /** canonical JSON, at most as long as it may be */
  readonly text: string
  readonly cuts: readonly Cut[]
}

/** An item that does not fit has at least this many characters before the items after it are left out. */
const LEAST_FOR_ITEM = 256
/** The same for a member, beside its name. */
const LEAST_FOR_MEMBER = 16
/** A longer name is not kept: a name cannot be cut. */
const MAX_NAME = 256
const MAX_LISTED = 32
const MAX_POINTER = 200

/** The canonical JSON of the whole field. */
export type WholeText = Pick<Cut, 'characters' | 'sha256'>

/** `field` is the name of a field of the record, and `whole` describes it if it can be written at all. */
export function cutValue(
  value: unknown,
  field: string,
  room: number,
  known: KnownMembers | undefined,
  whole: WholeText,
): CutValue {
  const cutter = new Cutter(field)
  const text = cutter.write(value, room, known)
  return { text, cuts: cutter.list(whole) }
}

/** An item or a member, and how much of the text it takes. */
interface Part {
  readonly key: string | number
  readonly value: unknown
  readonly known: KnownMembers | undefined
  /** of its name and its punctuation */
  readonly overhead: number
  /** with the overhead; more than the room if it does not fit */
  readonly size: number
  /** how much of it is kept at least, unless it is left out */
  readonly least: number
}

class Cutter {
  readonly #path: (string | number)[]
  readonly #cuts: Cut[] = []
  #unlisted = 0

  constructor(field: string) {
    this.#path = [field]
  }

  /** The cuts, the field itself first. */
  list(whole: WholeText): Cut[] {
    const at = pointer(this.#path)
    const own = this.#cuts.find((cut) => cut.at === at)
    const first: Cut = { at, ...whole, ...own, ...(this.#unlisted > 0 && { places: this.#unlisted }) }
    return [first, ...this.#cuts.filter((cut) => cut !== own)]
  }

  /** Canonical JSON of the value or of a part of it, at most `room` characters long. */
  write(given: unknown, room: number, known: KnownMembers | undefined): string {
    try {
      const value = plain(given)
      if (sizeWithin(value, room, this.#levels) <= room) return sorted(value)
      if (room >= LEAST_FOR_MEMBER && typeof value === 'string') return this.#beginning(value, room)
      if (room >= LEAST_FOR_MEMBER && isNested(value) && this.#levels > 1)
        return Array.isArray(value) ? this.#items(value, room, known) : this.#members(value, room, known)
    } catch {
      // A getter or a proxy that throws: only a tool or a caller in this process can make one.
    }
    this.#note({ left_out: Array.isArray(given) ? 'array' : typeof given })
    return 'null'
  }

  get #levels(): number {
    return MAX_RECURSION - this.#path.length
  }

  #note(cut: Omit<Cut, 'at'>): void {
    const at = pointer(this.#path)
    if (this.#cuts.length < MAX_LISTED && JSON.stringify(at).length <= MAX_POINTER) this.#cuts.push({ at, ...cut })
    else this.#unlisted++
  }

  #beginning(value: string, room: number): string {
    this.#note({ characters: value.length, sha256: sha256(value) })
    for (let length = room - 2; ; ) {
      const text = JSON.stringify(value.slice(0, wholeAt(value, length)))
      if (text.length <= room) return text
      // JSON writes some characters as up to six.
      length = Math.min(length - 1, Math.floor((length * room) / text.length))
    }
  }

  #items(list: readonly unknown[], room: number, known: KnownMembers | undefined): string {
    const parts = firstThatFit(list.entries(), room - 2, ([key, value]) =>
      this.#part(key, value, 1, LEAST_FOR_ITEM, room, known?.others),
    )
    if (parts.length < list.length) this.#note({ items: list.length })
    const shares = shareRoom(parts, room - 2)
    return `[${parts.map((part) => this.#written(part, shares.get(part) as number)).join(',')}]`
  }

  #members(value: object, room: number, known: KnownMembers | undefined): string {
    const members = value as Record<string, unknown>
    const partOf = (name: string, of: KnownMembers | undefined): Part =>
      this.#part(name, members[name], JSON.stringify(name).length + 2, LEAST_FOR_MEMBER, room, of)
    const isNamed = (name: string): boolean => known?.members.has(name) === true && name.length <= MAX_NAME
    const names = Object.keys(value)
    let count = names.length
    const isKept = (name: string): boolean => {
      if (!isMember(members[name])) count--
      else return name.length <= MAX_NAME
      return false
    }
    const ofSchema = [...(known?.members.keys() ?? [])].filter((name) => isNamed(name) && Object.hasOwn(value, name))
    const named = firstThatFit(ofSchema.filter(isKept), room - 2, (name) => partOf(name, known?.members.get(name)))
    const shares = shareRoom(named, room - 2)
    const left = shares.values().reduce((rest, share) => rest - share, room - 2)
    // Lazily: there may be a million.
    const ofCaller = names.values().filter((name) => !isNamed(name) && isKept(name))
    const others = firstThatFit(ofCaller, left, (name) => partOf(name, known?.others))
    for (const [part, share] of shareRoom(others, left)) shares.set(part, share)
    if (shares.size < count) this.#note({ members: count })
    const kept = [...shares].sort(([one], [other]) => (one.key < other.key ? -1 : 1))
    return `{${kept.map(([part, share]) => `${JSON.stringify(part.key)}:${this.#written(part, share)}`).join(',')}}`
  }

  #part(
    key: string | number,
    value: unknown,
    overhead: number,
    least: number,
    room: number,
    known: KnownMembers | undefined,
  ): Part {
    const size = overhead + sizeWithin(value, room, this.#levels - 1)
    return { key, value, known, overhead, size, least: Math.min(size, overhead + least) }
  }

  #written({ key, value, overhead, known }: Part, share: number): string {
    this.#path.push(key)
    const text = this.write(value, share - overhead, known)
    this.#path.pop()
    return text
  }
}

/** As many from the beginning as can be kept at all. */
function firstThatFit<T>(all: Iterable<T>, room: number, partOf: (one: T) => Part): Part[] {
  const parts: Part[] = []
  let least = 0
  for (const one of all) {
    const part = partOf(one)
    least += part.least
    if (least > room) break
    parts.push(part)
  }
  return parts
}

/** Each small part gets what it needs, and the large ones share what is left. None gets less than its least. */
function shareRoom(parts: readonly Part[], room: number): Map<Part, number> {
  const shares = new Map<Part, number>()
  const bySize = parts.toSorted((one, other) => one.size - other.size)
  let left = room
  let count = parts.length
  let spare = parts.reduce((sum, { least }) => sum - least, room)
  for (const { size, least } of bySize) {
    if (size > left / count || size - least > spare) break
    left -= size
    spare -= size - least
    count--
  }
  for (const [index, part] of bySize.entries()) {
    const isLarge = index >= bySize.length - count
    shares.set(part, isLarge ? Math.min(part.size, part.least + Math.floor(spare / count)) : part.size)
  }
  return shares
}

/** The length of a value's JSON; more than `room` if it is longer, deeper than `levels` or no JSON. */
function sizeWithin(value: unknown, room: number, levels: number): number {
  try {
    return measure(value, room, levels)
  } catch {
    return room + 1
  }
}

function measure(given: unknown, room: number, levels: number): number {
  const value = plain(given)
  if (typeof value === 'string') return value.length + 2 > room ? room + 1 : JSON.stringify(value).length
  if (typeof value === 'bigint') return room + 1
  if (!isNested(value)) return (JSON.stringify(value) ?? 'null').length
  if (levels <= 0) return room + 1
  const size = Array.isArray(value) ? measureItems(value, room, levels - 1) : measureMembers(value, room, levels - 1)
  return Math.max(2, size)
}

/** With one bracket and a comma after each; the last one counts as the other bracket. */
function measureItems(list: readonly unknown[], room: number, levels: number): number {
  let size = 1
  for (const item of list) {
    size += measure(item, room - size, levels) + 1
    if (size > room) return room + 1
  }
  return size
}

function measureMembers(value: object, room: number, levels: number): number {
  let size = 1
  for (const key in value) {
    const member = (value as Record<string, unknown>)[key]
    if (!isMember(member)) continue
    size += JSON.stringify(key).length + 1
    size += measure(member, room - size, levels) + 1
    if (size > room) return room + 1
  }
  return size
}

const isNested = (value: unknown): value is object => typeof value === 'object' && value !== null

/** JSON leaves out the others. */
const isMember = (value: unknown): boolean => value !== undefined && typeof value !== 'function'

function plain(value: unknown): unknown {
  const { toJSON } = isNested(value) ? (value as { toJSON?: unknown }) : {}
  return typeof toJSON === 'function' ? toJSON.call(value) : value
}
