/** Collects everything that is wrong with a definition, so that its author learns all of it from one RegistrationError. */
import { ToolError } from '../protocol/errors.ts'
import { isObject } from '../protocol/json.ts'
import { toJson } from '../protocol/serialise.ts'
import { clip, kindOf, withArticle } from '../protocol/text.ts'
import { nearest } from './nearest.ts'
import { isVersion } from './version.ts'

const MAX_FAULTS = 20

export type FaultKind = 'missing' | 'unknown' | 'wrong' | 'input' | 'output'

interface Fault {
  readonly text: string
  readonly kind: FaultKind
  /** how many faults the text is about */
  readonly count: number
}

const countOf = (faults: readonly Fault[]): number => faults.reduce((sum, { count }) => sum + count, 0)

/** In their order, but the last ones make room for the first of each kind. */
function listedFaults(faults: readonly Fault[]): Fault[] {
  const needed = new Set(new Map(faults.toReversed().map((fault) => [fault.kind, fault])).values())
  let room = MAX_FAULTS - needed.size
  return faults.filter((fault) => needed.has(fault) || room-- > 0)
}

const MAX_SHOWN = 100
const MAX_NAMES = 500

export class DefinitionFaults {
  readonly #what: string
  readonly #fields: Readonly<Record<string, unknown>>
  readonly #faults: Fault[] = []

  /** `maker` is the function that the definition was given to. */
  constructor(maker: string, definition: unknown) {
    if (!isObject(definition))
      throw ToolError.of('RegistrationError', `${maker}() takes a definition: an object with its fields`)
    const { name, kind } = definition
    if (kind === maker)
      throw ToolError.of(
        'RegistrationError',
        `${maker} ${shown(name)} is made already. Pass its definition to ${maker}()`,
      )
    this.#what = name === undefined ? `${withArticle(maker)} without a name` : `${maker} ${shown(name)}`
    this.#fields = definition
  }

  add(text: string, kind: FaultKind = 'wrong', count = 1): void {
    this.#faults.push({ text, kind, count })
  }

  /** Throws if there is a fault. The message has 20 of them, and at least one of each kind. */
  throwAny(): void {
    const [first, ...more] = this.#faults
    if (first === undefined) return
    const listed = listedFaults(this.#faults)
    const count = countOf(this.#faults)
    const hidden = count - countOf(listed)
    const texts = listed.map(({ text }) => text).join('; ')
    const all = `${this.#what} has ${count} faults: ${texts}${hidden > 0 ? `; and ${hidden} more` : ''}`
    throw ToolError.of('RegistrationError', more.length === 0 ? `${this.#what}: ${first.text}` : all, {
      faults: this.#faults.map(({ text }) => text),
    })
  }

  /** What `work` returns; undefined if it throws, which is a fault, or several. */
  attempt<T>(work: () => T, kind?: FaultKind): T | undefined {
    try {
      return work()
    } catch (thrown) {
      const details = thrown instanceof ToolError ? thrown.error_details : null
      const several = isObject(details) && Array.isArray(details.faults) ? details.faults : [(thrown as Error).message]
      for (const text of several) this.add(String(text), kind)
      return undefined
    }
  }

  /** A name that no definition has is usually misspelled, and what it was to say would be missing. */
  onlyFields(known: readonly string[], fields: object = this.#fields, at = ''): void {
    const far: string[] = []
    for (const name of Object.keys(fields)) {
      if (known.includes(name)) continue
      const [near] = nearest(name, known)
      if (near === undefined) far.push(shown(name))
      else this.add(`${at}${shown(name)} is not a known field. Did you mean ${near}?`, 'unknown')
    }
    if (far.length === 0) return
    const are = far.length === 1 ? 'is not a known field' : 'are not known fields'
    this.add(`${at}${clip(far.join(', '), MAX_NAMES)} ${are}. Known fields: ${known.join(', ')}`, 'unknown', far.length)
  }

  text(field: string, need: 'required' | 'optional'): void {
    const value = this.#fields[field]
    if (value === undefined) {
      if (need === 'required') this.add(`${field} is missing`, 'missing')
    } else if (typeof value !== 'string') this.add(`${field} must be a text, not ${shown(value)}`)
    else if (value.trim() === '') this.add(`${field} is empty`)
  }

  version(field: string, need: 'required' | 'optional'): void {
    const value = this.#fields[field]
    if (value === undefined) {
      if (need === 'required') this.add(`${field} is missing: a semantic version, such as 1.0.0`, 'missing')
    } else if (!isVersion(value)) this.add(`${field} ${shown(value)} is not a semantic version, such as 1.0.0`)
  }

  flag(field: string, need: 'required' | 'optional'): void {
    const value = this.#fields[field]
    if (typeof value === 'boolean' || (value === undefined && need === 'optional')) return
    const kind = value === undefined ? 'missing' : 'wrong'
    this.add(need === 'required' ? `${field} is required: true or false` : `${field} must be true or false`, kind)
  }

  callback(field: string, need: 'required' | 'optional'): void {
    const value = this.#fields[field]
    if (value === undefined && need === 'required') this.add(`${field} is missing`, 'missing')
    else if (value !== undefined && typeof value !== 'function') this.add(`${field} must be a function`)
  }

  number(field: string, from: number, to: number, unit: string): void {
    const value = this.#fields[field]
    if (value === undefined || (typeof value === 'number' && value >= from && value <= to)) return
    this.add(`${field} must be a number of ${unit} from ${from} to ${to}, not ${shown(value)}`)
  }

  choice(field: string, choices: readonly unknown[]): void {
    const value = this.#fields[field]
    if (value === undefined || choices.includes(value)) return
    this.add(`${field} must be ${choices.map(shown).join(', ')}, not ${shown(value)}`)
  }

  /** A list, if it is there. Anything else is a fault. */
  list(field: string, need: 'required' | 'optional' = 'optional'): readonly unknown[] {
    const value = this.#fields[field]
    if (Array.isArray(value)) return value
    if (value !== undefined) this.add(`${field} must be a list, not ${shown(value)}`)
    else if (need === 'required') this.add(`${field} is missing; for none, write []`, 'missing')
    return []
  }

  /** Whether it is JSON. What is not cannot be listed, hashed or put into a document. */
  json(field: string, value: unknown): boolean {
    return this.attempt(() => toJson(value, { at: field.split('/'), what: 'definition' })) !== undefined
  }
}

/** A value in a message. */
export function shown(value: unknown): string {
  if (typeof value === 'function') return 'a function'
  // JSON would say null of NaN.
  if (typeof value === 'number') return String(value)
  try {
    return clip(JSON.stringify(value) ?? String(value), MAX_SHOWN)
  } catch {
    return kindOf(value)
  }
}
