/**
 * Compares every page that a client reads with the one in the listing, which was reviewed. Anything but the same bytes is not passed on:
 * the listing is read again, so that a person can look at what the server says now.
 */
import { ToolError } from '../../protocol/errors.ts'
import type { JsonObject } from '../../protocol/json.ts'
import { canonicalUri } from '../../tool/canonical-uri.ts'
import { requestName } from '../../tool/request-definition.ts'
import type { Upstream } from '../upstream/upstream.ts'
import { hasPageContents, pageHash } from './app-page.ts'

export class ReviewedPages {
  readonly #upstream: Upstream
  #hashes: ReadonlyMap<string, unknown> = new Map()

  constructor(upstream: Upstream) {
    this.#upstream = upstream
  }

  /** The pages of a listing whose definitions were reviewed. */
  set pages(pages: readonly JsonObject[]) {
    this.#hashes = new Map(pages.map(({ uri, hash }) => [canonicalUri(String(uri)), hash]))
  }

  /** Whether it is a page. Throws if it is another one than was reviewed. */
  check(uri: string, result: JsonObject): boolean {
    const key = canonicalUri(uri)
    const reviewed = this.#hashes.get(key)
    if (reviewed === undefined && !hasPageContents(uri, result)) return false
    if (reviewed === pageHash(result)) return true
    this.#upstream.readPageAgain(uri)
    const { name } = this.#upstream
    const definition = requestName('resource', name, uri)
    const why = reviewed === undefined ? 'nobody has reviewed it' : 'it is not the page that was reviewed'
    throw ToolError.of(
      'PermissionError',
      `The page ${uri} of ${name} is not passed on: ${why}. The operator can look at it with ` +
        `\`npx myrmex trust status ${definition}\` and decide with \`npx myrmex verify ${definition}\`.`,
      { tool: definition },
    )
  }
}
