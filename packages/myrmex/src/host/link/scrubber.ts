/**
 * Removes a server's secrets from everything it sends: messages, log lines, errors. It finds them in plain, JSON-escaped and
 * URL-encoded form. Values that the operator has declared public stay in results only. Without secrets it costs nothing.
 */
import { parseMessage } from '../../protocol/bounded-json.ts'
import { ToolError } from '../../protocol/errors.ts'
import { isObject } from '../../protocol/json.ts'
import { SecretFilter } from '../../protocol/secret.ts'

export class Scrubber {
  readonly #configured: readonly string[]
  readonly #publicValues: readonly string[]
  readonly #tokens = new Map<object, readonly string[]>()
  #filter: SecretFilter
  /** for results; undefined: the same */
  #resultFilter: SecretFilter | undefined
  /** how they are written in a line of JSON */
  #escaped: readonly string[] = []
  /** length of the longest */
  longest = 0

  constructor(secrets: readonly string[], publicValues: readonly string[] = []) {
    this.#configured = secrets
    this.#publicValues = publicValues
    this.#filter = this.#prepared(secrets)
  }

  /** Values that are secret now, besides those of the configuration: the tokens of one sign-in. */
  replaceTokens(owner: object, tokens: readonly string[]): void {
    if (tokens.length === 0) this.#tokens.delete(owner)
    else this.#tokens.set(owner, tokens)
    this.#filter = this.#prepared([...this.#configured, ...[...this.#tokens.values()].flat()])
  }

  #prepared(secrets: readonly string[]): SecretFilter {
    const publicValues = this.#publicValues
    // One that contains another must be removed first.
    const filter = new SecretFilter(new Set(), longestFirst([...secrets, ...publicValues]))
    this.#resultFilter = publicValues.length === 0 ? undefined : new SecretFilter(new Set(), longestFirst(secrets))
    const forms = [...filter.forms]
    this.#escaped = [...new Set(forms.flatMap((form) => [form, JSON.stringify(form).slice(1, -1)]))]
    this.longest = Math.max(0, ...forms.map(({ length }) => length))
    return filter
  }

  text(text: string): string {
    return this.#filter.text(text)
  }

  /** Parses a line of JSON. Throws SyntaxError. */
  parse(line: string): unknown {
    const value = parseMessage(line)
    return this.#escaped.length > 0 && this.#mayContain(line) ? this.message(value) : value
  }

  /** Ids and progress tokens are kept: a number among them may look like a secret. */
  message(value: unknown): unknown {
    if (this.#escaped.length === 0) return value
    if (Array.isArray(value)) return value.map((one) => this.message(one))
    if (!isObject(value)) return this.value(value)
    const { jsonrpc, id, params, ...rest } = value
    const clean: Record<string, unknown> = { jsonrpc, ...this.#answer(rest) }
    if (id !== undefined) clean.id = id
    if (params === undefined) return clean
    clean.params = this.value(params)
    if (isObject(params) && isObject(clean.params)) {
      if (params.progressToken !== undefined) clean.params.progressToken = params.progressToken
      if (params.requestId !== undefined) clean.params.requestId = params.requestId
    }
    return clean
  }

  #answer({ result, ...rest }: Record<string, unknown>): Record<string, unknown> {
    const others = this.value(rest)
    return result === undefined ? others : { ...others, result: (this.#resultFilter ?? this.#filter).value(result) }
  }

  value<T>(value: T): T {
    return this.#filter.value(value)
  }

  /** Without the cause, which may be printed and is not scrubbed. */
  error(error: ToolError): ToolError {
    return new ToolError(error.error_type, this.text(error.message), this.value(error.error_details))
  }

  /** A line that contains none needs no second pass. Unusual escapes may hide one. */
  #mayContain(line: string): boolean {
    return this.#escaped.some((text) => line.includes(text)) || line.includes('\\u') || line.includes('\\/')
  }
}

const longestFirst = (texts: readonly string[]): string[] => [...texts].sort((a, b) => b.length - a.length)
