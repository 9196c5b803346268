/**
 * The client of a call as records and approvals show it: what it says that it is, and its session. Nothing of it is proven. The calls of one
 * client get the same object, so that a record only refers to the one before it.
 */
import type { RecordedClient } from '../ledger/audit/recorded-client.ts'
import { isObject } from '../protocol/json.ts'
import { escapeHidden } from '../tool/text/hidden-characters.ts'

const MAX_NAME = 100
/** Names repeat. Clients can make them up, so not all of them are kept. */
const MAX_KEPT = 1000
const kept = new Map<string, string>()

export class ClientRecords {
  #last: RecordedClient | undefined
  #name: unknown
  #version: unknown

  /** The same object while the client says the same. Null if nothing is known. */
  of(info: unknown, session: string | null): RecordedClient | null {
    const { name, version } = isObject(info) ? info : {}
    const last = this.#last
    if (last !== undefined && name === this.#name && version === this.#version && session === last.session) return last
    const made = { name: label(name), version: label(version), session }
    if (made.name === null && made.version === null && session === null) return null
    this.#name = name
    this.#version = version
    this.#last = made
    return made
  }
}

/** On one line, of bounded length, with nothing in it that could not be seen. */
function label(text: unknown): string | null {
  if (typeof text !== 'string' || text === '') return null
  const start = text.slice(0, MAX_NAME + 1)
  const known = kept.get(start)
  if (known !== undefined) return known
  const shown = text.length > MAX_NAME ? `${text.slice(0, MAX_NAME)}…` : text
  const clean = escapeHidden(shown.toWellFormed().replace(/\s+/g, ' ').trim()).slice(0, 2 * MAX_NAME)
  if (kept.size < MAX_KEPT) kept.set(start, clean)
  return clean
}
