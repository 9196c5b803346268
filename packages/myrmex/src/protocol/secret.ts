/** Secrets: fields whose schema says `x-secret`. They are never echoed in an error, written to a store or printed. */
import { isObject, type JsonObject, resolveRef } from './json.ts'
import { type Span, searchCost, spansOf } from './text-search.ts'

/** Names of the fields marked `x-secret`. By name, wherever it occurs: one field too many is the safe side. */
export type SecretNames = Pick<ReadonlySet<string>, 'has' | 'size'>

export const SECRET = '[secret]'
/** The name of a schema that is secret as a whole. */
const EVERYTHING = ''
const NO_NAMES: SecretNames = new Set()

/** Names that people give to secrets, for values that no schema of ours describes. */
const SUGGESTIVE =
  /authorization|token|passw(or)?d|passphrase|passcode|secret|api[_-]?key|credential|cookie|private[_-]?key/i
const SUGGESTIVE_WHOLE = /^(pin|cvv|cvc|otp|pwd|pass|auth|jwt)$/i
export const suggestsSecret = (name: string): boolean => SUGGESTIVE.test(name) || SUGGESTIVE_WHOLE.test(name)

export const isSecretPath = (path: readonly PropertyKey[], secrets: SecretNames): boolean =>
  secrets.has(EVERYTHING) || path.some((step) => secrets.has(String(step)))

/** The value without its secrets. */
export const redact = (value: unknown, secrets: SecretNames): unknown => new SecretFilter(secrets, []).value(value)

/** A JSON value without these texts, wherever they occur: a tool may have put a secret into a message. */
export const scrub = <T>(value: T, texts: readonly string[]): T => new SecretFilter(NO_NAMES, texts).value(value)

/** Shorter texts occur everywhere by chance. */
const MIN_LENGTH = 4

/** The texts that `redact` would remove, to find them elsewhere. */
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
    else for (const key of Object.keys(item)) take((item as JsonObject)[key], hidden || secrets.has(key))
  }
  return texts
}

/** Values that are nested more deeply are not searched, and so not shown either. */
const MAX_DEPTH = 200

/** More, or longer ones, cannot be looked for: a caller may send a million. Each is written in a dozen forms. */
const MAX_TEXTS = 2000
const MAX_LENGTH = 500_000
/** Of a longer secret its beginning is looked for. Where it is found, the rest of the text is hidden. */
const SEARCHED_LENGTH = 4096

export class TooManySecrets extends Error {}

/** Removes secrets: what is under their names, and their texts wherever they occur, also encoded for JSON or a URL. */
export class SecretFilter {
  readonly #names: SecretNames
  /** every way in which one of the texts may be written */
  readonly forms: ReadonlySet<string>
  /** those of them with which a longer secret begins */
  readonly #beginnings = new Set<string>()
  readonly #maxSteps: number
  #steps = 0

  /**
   * `maxSteps` limits the work for one value: what cannot be searched within it is hidden. It is for texts that a caller chose, too. Throws
   * TooManySecrets.
   */
  constructor(names: SecretNames, texts: readonly string[], maxSteps = Number.POSITIVE_INFINITY) {
    this.#names = names
    this.#maxSteps = maxSteps
    const parts = new Set<string>()
    let length = 0
    for (const text of texts) {
      for (const part of partsOf(text)) {
        parts.add(part)
        length += part.length
        if (parts.size > MAX_TEXTS || length > MAX_LENGTH) throw new TooManySecrets(`more than ${MAX_TEXTS} secrets`)
      }
      if (text.length <= SEARCHED_LENGTH) continue
      for (const form of formsOf(beginningOf(text))) this.#beginnings.add(form)
    }
    this.forms = new Set([...parts].flatMap(formsOf))
  }

  /** The same value if it has no secret. */
  value<T>(value: T): T {
    if (this.#names.has(EVERYTHING)) return SECRET as T
    if (this.#names.size === 0 && this.forms.size === 0) return value
    this.#steps = 0
    return this.#visit(value, new Set()) as T
  }

  /**
   * Secrets may overlap, and one may be part of another. So all places are looked up in the text as it was, and what they cover
   * together is replaced. Replacing one after the other would leave a rest.
   */
  text(text: string): string {
    this.#steps = 0
    return this.#clean(text)
  }

  #clean(text: string): string {
    const spans = this.#spansIn(text)
    if (spans === undefined) return SECRET
    if (spans.length === 0) return text
    let clean = ''
    let done = 0
    for (const { start, end } of spans.sort((one, other) => one.start - other.start)) {
      if (start >= done) clean += text.slice(done, start) + SECRET
      done = Math.max(done, end)
    }
    return clean + text.slice(done)
  }

  /** undefined: finding out takes too long */
  #spansIn(text: string): Span[] | undefined {
    const spans: Span[] = []
    for (const form of this.forms) {
      this.#steps += searchCost(form, text)
      if (this.#steps > this.#maxSteps) return undefined
      const found = spansOf(form, text)
      const [first] = found
      if (first !== undefined && this.#beginnings.has(form)) first.end = text.length
      // One by one: there may be more than a call can have arguments.
      for (const span of found) spans.push(span)
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

/** Shorter lines of a secret of several lines could occur by chance. */
const MIN_LINE_LENGTH = 12

/** What is looked for of a secret: its beginning, and its longer lines. */
function partsOf(secret: string): string[] {
  if (secret.length < MIN_LENGTH) return []
  const lines = secret.includes('\n') ? secret.split(/\r?\n/, MAX_TEXTS + 1) : []
  const long = lines.map((line) => line.trim()).filter((line) => line.length >= MIN_LINE_LENGTH)
  return [secret, ...long].map(beginningOf)
}

/** Without half a surrogate pair at its end, which is encoded in another way than the whole. */
function beginningOf(text: string): string {
  if (text.length <= SEARCHED_LENGTH) return text
  const cut = text.slice(0, SEARCHED_LENGTH)
  return cut.isWellFormed() || !cut.slice(0, -1).isWellFormed() ? cut : cut.slice(0, -1)
}

/** The ways in which a text is usually written inside another. */
function formsOf(text: string): string[] {
  const inJson = jsonForms(text)
  // Messages often quote JSON inside JSON.
  return [text, ...inJson, ...inJson.flatMap(jsonForms), ...urlForms(text)]
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

export function secretNames(schema: JsonObject): ReadonlySet<string> {
  const names = new Set<string>()
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
    if (isObject(properties)) for (const [key, child] of Object.entries(properties)) left.push([child, key])
    for (const child of Object.values(rest)) left.push([child, name])
  }
  return names
}

const isMarked = (node: unknown): boolean => isObject(node) && node['x-secret'] === true
