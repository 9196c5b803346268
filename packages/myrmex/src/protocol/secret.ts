/** Secrets: fields whose schema says `x-secret`. They are never echoed in an error, written to a store or printed. */
import { ToolError } from './errors.ts'
import { isObject, type JsonObject, resolveRef } from './json.ts'

/** Names of the fields marked `x-secret`. By name, wherever it occurs: one field too many is the safe side. */
export interface SecretNames extends Pick<ReadonlySet<string>, 'has' | 'size'> {
  /** Whether the schema has a field of this name, which is then no secret itself. By default it has none. */
  isDeclared?(name: string): boolean
  /** Names within a marked field are the operator's own, as in a configuration file, so errors show them. By default they are secret. */
  readonly showsNames?: boolean
}

export const SECRET = '[secret]'
/** The name of a schema that is secret as a whole. */
const EVERYTHING = ''
const NO_NAMES: SecretNames = new Set()

/** Names that people give to secrets, for values that no schema of ours describes. */
const SUGGESTIVE =
  /authorization|token|passw(or)?d|passphrase|passcode|secret|api[_-]?key|credential|cookie|private[_-]?key/i
const SUGGESTIVE_WHOLE = /^(pin|cvv|cvc|otp|pwd|pass|auth|jwt)$/i
export const suggestsSecret = (name: string): boolean => SUGGESTIVE.test(name) || SUGGESTIVE_WHOLE.test(name)

/** The path of the marked field that this path is at or below; undefined if there is none. */
export function markedPath(path: readonly PropertyKey[], secrets: SecretNames): readonly PropertyKey[] | undefined {
  if (secrets.has(EVERYTHING)) return []
  const index = path.findIndex((step) => secrets.has(String(step)))
  return index === -1 ? undefined : path.slice(0, index + 1)
}

export const isSecretPath = (path: readonly PropertyKey[], secrets: SecretNames): boolean =>
  secrets.has(EVERYTHING) || path.some((step) => secrets.has(String(step)))

/** The value without its secrets. */
export const redact = (value: unknown, secrets: SecretNames): unknown => new SecretFilter(secrets, []).value(value)

/** A JSON value without these texts, wherever they occur: a tool may have put a secret into a message. */
export const scrub = <T>(value: T, texts: readonly string[]): T => new SecretFilter(NO_NAMES, texts).value(value)

/** Shorter texts occur everywhere by chance. */
const MIN_LENGTH = 4

/** The texts that `redact` would remove, to find them elsewhere: values, and names that the caller chose. */
export function secretTexts(value: unknown, secrets: SecretNames): string[] {
  if (secrets.size === 0) return []
  const texts: string[] = []
  // Without recursion, because arguments may be nested to any depth. Each object is visited once, as it may contain itself.
  const seen = new Set<object>()
  const left: { readonly item: object; readonly hidden: boolean }[] = []
  const take = (item: unknown, hidden: boolean): void => {
    if (typeof item === 'object' && item !== null) left.push({ item, hidden })
    else if (hidden && (typeof item === 'string' || typeof item === 'number') && String(item).length >= MIN_LENGTH)
      texts.push(String(item))
  }
  take(value, secrets.has(EVERYTHING))
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const { item, hidden } = next
    if (seen.has(item)) continue
    seen.add(item)
    if (Array.isArray(item)) for (const child of item) take(child, hidden)
    else {
      for (const key of Object.keys(item)) {
        if (hidden && secrets.isDeclared?.(key) !== true) take(key, true)
        take((item as JsonObject)[key], hidden || secrets.has(key))
      }
    }
  }
  return texts
}

/** Values that are nested more deeply are not searched, and so not shown either. */
const MAX_DEPTH = 200

/** A longer text is found by how it begins: searching for a long text can take time in proportion to both lengths. */
const PROBE_LENGTH = 200

/** In characters to look at: what making a form takes, and starting a search. */
const FORM_COST = 1000
const SEARCH_COST = 50

/** From this number of texts on, one walk through a text with an index takes less time than a search for each. */
const MANY = 16

/** There is more to search than a filter may: what it was to clean cannot be shown. */
export class TooManySecrets extends ToolError {
  constructor() {
    super(
      'ValidationError',
      'The call has too many secrets, or too long texts, to look for the secrets in them. Send less.',
    )
  }
}

/** Removes secrets: what is under their names, and their texts wherever they occur, also encoded for JSON or a URL. */
export class SecretFilter {
  readonly #names: SecretNames
  /** every way in which one of the texts may be written */
  readonly forms: ReadonlySet<string>
  readonly #probes = new Map<string, Probe>()
  /** by their first characters */
  #index: ReadonlyMap<string, readonly (readonly [start: string, probe: Probe])[]> | undefined
  readonly #limit: number
  #left: number

  /**
   * `limit` is for texts that others choose: how many characters one value may take to look at, counted again for each form. Throws
   * TooManySecrets above it, here or later.
   */
  constructor(names: SecretNames, texts: readonly string[], limit: number = Number.POSITIVE_INFINITY) {
    this.#names = names
    this.#limit = limit
    this.#left = limit
    const forms = new Set<string>()
    for (const text of texts) {
      for (const form of formsOf(text)) {
        this.#spend(FORM_COST + form.length)
        forms.add(form)
      }
    }
    this.forms = forms
    for (const form of forms) {
      const start = form.slice(0, PROBE_LENGTH)
      const length = Math.max(form.length, this.#probes.get(start)?.length ?? 0)
      this.#probes.set(start, { length, period: undefined })
    }
  }

  #spend(characters: number): void {
    this.#left -= characters
    if (this.#left < 0) throw new TooManySecrets()
  }

  /** The same value if it has no secret. */
  value<T>(value: T): T {
    if (this.#names.has(EVERYTHING)) return SECRET as T
    if (this.#names.size === 0 && this.forms.size === 0) return value
    this.#left = this.#limit
    return this.#visit(value, new Set()) as T
  }

  text(text: string): string {
    this.#left = this.#limit
    return this.#clean(text)
  }

  /**
   * Secrets may overlap, and one may be part of another. So all places are looked up in the text as it was, and what they cover
   * together is replaced. Replacing one after the other would leave a rest.
   */
  #clean(text: string): string {
    const spans = this.#spansIn(text)
    if (spans.length === 0) return text
    let clean = ''
    let done = 0
    for (const { start, end } of spans.sort((one, other) => one.start - other.start)) {
      if (start >= done) clean += text.slice(done, start) + SECRET
      done = Math.max(done, end)
    }
    return clean + text.slice(done)
  }

  /** Those that may be in the text. Many are looked up by how they begin, so that the time does not grow with their number. */
  #probesIn(text: string): Iterable<readonly [start: string, probe: Probe]> {
    // A limit counts what looking for each takes.
    if (this.#probes.size < MANY || this.#limit !== Number.POSITIVE_INFINITY) return this.#probes
    this.#index ??= Map.groupBy(this.#probes, ([start]) => start.slice(0, MIN_LENGTH))
    const index = this.#index
    const found = new Map<string, Probe>()
    for (let at = 0; at + MIN_LENGTH <= text.length; at++)
      for (const [start, probe] of index.get(text.slice(at, at + MIN_LENGTH)) ?? [])
        if (text.startsWith(start, at)) found.set(start, probe)
    return found
  }

  #spansIn(text: string): Span[] {
    const spans: Span[] = []
    for (const [start, probe] of this.#probesIn(text)) {
      this.#spend(SEARCH_COST + text.length)
      let last: Span | undefined
      for (let at = text.indexOf(start); at !== -1; at = text.indexOf(start, at + 1)) {
        const from = at
        // It may overlap itself, again and again.
        probe.period ??= periodOf(start)
        if (probe.period < start.length) at += repeats(text, at + start.length, probe.period)
        const end = at + probe.length
        if (last !== undefined && from < last.end) last.end = end
        else {
          last = { start: from, end }
          spans.push(last)
        }
      }
    }
    return spans
  }

  /** `around` are the objects around it. */
  #visit(item: unknown, around: Set<object>): unknown {
    if (typeof item === 'string') return this.#clean(item)
    if (typeof item === 'number') return this.forms.has(String(item)) ? SECRET : item
    if (typeof item !== 'object' || item === null) return item
    if (around.size >= MAX_DEPTH || around.has(item)) return SECRET
    const { toJSON } = item as { toJSON?: unknown }
    if (typeof toJSON === 'function') return this.#visit(toJSON.call(item), new Set([...around, item]))
    around.add(item)
    const clean = Array.isArray(item) ? this.#list(item, around) : this.#members(item, around)
    around.delete(item)
    return clean
  }

  #list(list: readonly unknown[], around: Set<object>): readonly unknown[] {
    const clean = list.map((item) => this.#visit(item, around))
    return clean.every((item, index) => item === list[index]) ? list : clean
  }

  #members(value: object, around: Set<object>): object {
    let isSame = true
    const clean = Object.entries(value).map(([name, item]): [string, unknown] => {
      const key = this.#clean(name)
      const shown = this.#names.has(name) ? SECRET : this.#visit(item, around)
      if (key !== name || shown !== item) isSame = false
      return [key, shown]
    })
    // Unlike an assignment, this creates an own property for any name.
    return isSame ? value : Object.fromEntries(clean)
  }
}

interface Span {
  readonly start: number
  end: number
}

interface Probe {
  /** of the whole text that begins so */
  readonly length: number
  /** computed when it is first found */
  period: number | undefined
}

/** The smallest distance at which a text can overlap itself. */
function periodOf(text: string): number {
  // borders[n]: how much of the first n characters is at their beginning and at their end.
  const borders = [0, 0]
  for (let at = 1, border = 0; at < text.length; at++) {
    while (border > 0 && text[at] !== text[border]) border = borders[border] as number
    if (text[at] === text[border]) border++
    borders.push(border)
  }
  return text.length - (borders[text.length] as number)
}

/** How far a text that ends here is repeated at the distance of its period: a multiple of it. */
function repeats(text: string, end: number, period: number): number {
  let at = end
  while (at < text.length && text[at] === text[at - period]) at++
  return at - end - ((at - end) % period)
}

/** Shorter lines of a secret of several lines could occur by chance. */
const MIN_LINE_LENGTH = 12

/** The ways in which a secret is usually written inside another text. */
function* formsOf(secret: string): Generator<string> {
  if (secret.length < MIN_LENGTH) return
  yield* writtenForms(secret)
  const lines = secret.split(/\r?\n/)
  if (lines.length === 1) return
  for (const line of lines) {
    const part = line.trim()
    if (part.length >= MIN_LINE_LENGTH) yield* writtenForms(part)
  }
}

function* writtenForms(text: string): Generator<string> {
  yield text
  const inJson = jsonForms(text)
  yield* inJson
  // Messages often quote JSON inside JSON.
  for (const form of inJson) yield* jsonForms(form)
  yield* urlForms(text)
}

/** As JSON.stringify writes it, and as writers do that escape slashes or everything but ASCII. */
function jsonForms(text: string): string[] {
  const json = JSON.stringify(text).slice(1, -1)
  const ascii = json.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
  return [json, ascii].flatMap((form) => [form, form.replaceAll('/', '\\/')])
}

/** In a path or a query, and as a form is sent; with either case of the digits. */
function urlForms(text: string): string[] {
  // encodeURIComponent rejects half a surrogate pair.
  if (!text.isWellFormed()) return []
  const inForm = new URLSearchParams([['', text]]).toString().slice(1)
  return [encodeURIComponent(text), inForm, inForm.replaceAll('+', '%20')].flatMap((form) => [
    form,
    form.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
  ])
}

class MarkedNames extends Set<string> implements SecretNames {
  readonly declared = new Set<string>()

  isDeclared(name: string): boolean {
    return this.declared.has(name)
  }
}

export function secretNames(schema: JsonObject): ReadonlySet<string> & SecretNames {
  const names = new MarkedNames()
  // Most schemas have none.
  if (!JSON.stringify(schema).includes('"x-secret"')) return names
  // Without recursion, because a schema of an upstream may be nested to any depth.
  const left: [node: unknown, name: string][] = [[schema, EVERYTHING]]
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const [node, name] = next
    if (typeof node !== 'object' || node === null) continue
    if (Array.isArray(node)) {
      for (const item of node) left.push([item, name])
      continue
    }
    const { properties, $ref, ...rest } = node as Record<string, unknown>
    if (isMarked(node) || isMarked(resolveRef(schema, $ref))) names.add(name)
    if (isObject(properties)) {
      for (const [key, child] of Object.entries(properties)) {
        names.declared.add(key)
        left.push([child, key])
      }
    }
    for (const child of Object.values(rest)) left.push([child, name])
  }
  return names
}

const isMarked = (node: unknown): boolean => isObject(node) && node['x-secret'] === true
