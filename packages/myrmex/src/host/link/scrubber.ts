/**
 * Takes the secrets of one server out of whatever comes from it: messages, lines, errors. It finds them as they are, as JSON
 * escapes them and as a URL writes them. Where a server has no secrets it costs nothing.
 */
import { ToolError } from '../../protocol/errors.ts'
import { isObject } from '../../protocol/json.ts'
import { SECRET, scrub } from '../../protocol/secret.ts'

/** Shorter ones are found in every text by chance. */
const SHORTEST = 4
/** One line of several says little; only what cannot be there by chance is taken out. */
const SHORTEST_LINE = 12

export class Scrubber {
  /** longest first: one may be part of another */
  readonly #texts: readonly string[]
  /** how they would look in JSON, where that differs */
  readonly #written: readonly string[]
  /** how long the longest is */
  readonly longest: number

  constructor(secrets: readonly string[]) {
    this.#texts = [...new Set(secrets.flatMap(formsOf))].sort((a, b) => b.length - a.length)
    this.#written = [...new Set(this.#texts.flatMap((text) => [text, JSON.stringify(text).slice(1, -1)]))]
    this.longest = this.#texts[0]?.length ?? 0
  }

  text(text: string): string {
    let clean = text
    for (const secret of this.#texts) clean = clean.replaceAll(secret, SECRET)
    return clean
  }

  /** A line of JSON, parsed. Throws SyntaxError. */
  parse(line: string): unknown {
    const value: unknown = JSON.parse(line)
    return this.#texts.length > 0 && this.#mayHold(line) ? this.message(value) : value
  }

  /** Ids and progress tokens are ours or never shown; a number among them may look like a secret. */
  message(value: unknown): unknown {
    if (this.#texts.length === 0) return value
    if (Array.isArray(value)) return value.map((one) => this.message(one))
    if (!isObject(value)) return this.value(value)
    const { jsonrpc, id, params, ...rest } = value
    const clean: Record<string, unknown> = { jsonrpc, ...this.value(rest) }
    if (id !== undefined) clean.id = id
    if (params === undefined) return clean
    clean.params = this.value(params)
    if (isObject(params) && isObject(clean.params)) {
      if (params.progressToken !== undefined) clean.params.progressToken = params.progressToken
      if (params.requestId !== undefined) clean.params.requestId = params.requestId
    }
    return clean
  }

  value<T>(value: T): T {
    return scrub(value, this.#texts)
  }

  /** Without what caused it: that may be printed, and nobody has looked through it. */
  error(error: ToolError): ToolError {
    return new ToolError(error.error_type, this.text(error.message), this.value(error.error_details))
  }

  /** A text without any of them needs no second look. Escapes other than the usual ones may hide one. */
  #mayHold(line: string): boolean {
    return this.#written.some((text) => line.includes(text)) || line.includes('\\u') || line.includes('\\/')
  }
}

function formsOf(secret: string): string[] {
  if (secret.length < SHORTEST) return []
  const lines = secret.split(/\r?\n/)
  const parts = lines.length > 1 ? lines.map((line) => line.trim()).filter((line) => line.length >= SHORTEST_LINE) : []
  return [secret, escapedForUrl(secret), ...parts]
}

function escapedForUrl(secret: string): string {
  // Half a surrogate pair is no text that a URL could hold.
  return secret.isWellFormed() ? encodeURIComponent(secret) : secret
}
