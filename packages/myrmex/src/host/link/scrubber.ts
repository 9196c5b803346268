/**
 * Removes a server's secrets from everything it sends: messages, log lines, errors. It finds them in plain, JSON-escaped and
 * URL-encoded form. Without secrets it costs nothing.
 */
import { ToolError } from '../../protocol/errors.ts'
import { isObject } from '../../protocol/json.ts'
import { SECRET, scrub } from '../../protocol/secret.ts'

/** Shorter values occur in every text by chance. */
const MIN_LENGTH = 4
/** Shorter lines of a multi-line secret could occur by chance. */
const MIN_LINE_LENGTH = 12

export class Scrubber {
  /** longest first, because one may be part of another */
  readonly #texts: readonly string[]
  /** their JSON-escaped forms */
  readonly #escaped: readonly string[]
  /** length of the longest */
  readonly longest: number

  constructor(secrets: readonly string[]) {
    this.#texts = [...new Set(secrets.flatMap(formsOf))].sort((a, b) => b.length - a.length)
    this.#escaped = [...new Set(this.#texts.flatMap((text) => [text, JSON.stringify(text).slice(1, -1)]))]
    this.longest = this.#texts[0]?.length ?? 0
  }

  text(text: string): string {
    let clean = text
    for (const secret of this.#texts) clean = clean.replaceAll(secret, SECRET)
    return clean
  }

  /** Parses a line of JSON. Throws SyntaxError. */
  parse(line: string): unknown {
    const value: unknown = JSON.parse(line)
    return this.#texts.length > 0 && this.#mayContain(line) ? this.message(value) : value
  }

  /** Ids and progress tokens are kept: a number among them may look like a secret. */
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

  /** Without the cause, which may be printed and is not scrubbed. */
  error(error: ToolError): ToolError {
    return new ToolError(error.error_type, this.text(error.message), this.value(error.error_details))
  }

  /** A line that contains none needs no second pass. Unusual escapes may hide one. */
  #mayContain(line: string): boolean {
    return this.#escaped.some((text) => line.includes(text)) || line.includes('\\u') || line.includes('\\/')
  }
}

function formsOf(secret: string): string[] {
  if (secret.length < MIN_LENGTH) return []
  const lines = secret.split(/\r?\n/)
  const parts =
    lines.length > 1 ? lines.map((line) => line.trim()).filter((line) => line.length >= MIN_LINE_LENGTH) : []
  return [secret, escapedForUrl(secret), ...parts]
}

function escapedForUrl(secret: string): string {
  // encodeURIComponent rejects half a surrogate pair.
  return secret.isWellFormed() ? encodeURIComponent(secret) : secret
}
