/**
 * The version that an upstream reports about itself, as an attribute of its tools. It is shown in lists, audit records and screens, and
 * callers can ask for a range of it. It is no part of the definition hash, and nothing is decided by it: trust, grants and approvals follow
 * the definition. So an upgrade with the same definitions asks nothing, and no version, higher or lower, widens what a tool may do.
 */
import { isVersion } from './version.ts'

interface ServerVersion {
  readonly version: string
  /** as the server said it */
  readonly raw: string
}

const versions = new WeakMap<object, ServerVersion>()

/** What a server says may be of any length. */
const MAX_RAW = 100

export function withServerVersion<T extends object>(tool: T, raw: string | undefined): T {
  const said = raw?.slice(0, MAX_RAW)
  if (said !== undefined && said.trim() !== '') versions.set(tool, { version: coercedVersion(said), raw: said })
  return tool
}

/** What the server said, unchanged; undefined: it said nothing, or the tool has a version of its own. */
export const serverVersionOf = (tool: object): string | undefined => versions.get(tool)?.raw

/** The version of a tool whose server gives it none. */
export const NO_VERSION = '0.0.0'

/** `shop.refund 1.0.0`, for sentences; the name alone if it has no version of its own. */
export const nameWithVersion = (tool: string, version: string): string =>
  version === NO_VERSION ? tool : `${tool} ${version}`

/** The version for people, clients and ranges. */
export const shownVersion = (tool: { readonly version: string }): string => versions.get(tool)?.version ?? tool.version

/** Clients show versions to models: of the text behind a hyphen only what no sentence can be made of is kept. */
const PLAIN_TAG = /^(?:(?:alpha|beta|rc|next|dev|canary|pre|preview)[.-]?)?\d*(?:\.\d+)*$/i
const NUMBERS = /^v?(\d{1,9})(?:\.(\d{1,9}))?(?:\.(\d{1,9}))?(?!\d)/

/** The semantic version that a text begins with; 0.0.0 if it begins with none. */
export function coercedVersion(raw: string): string {
  const text = raw.trim()
  const [, tag = ''] = /^[^-+]*-([^+]*)/.exec(text) ?? []
  if (isVersion(text) && !text.includes('+') && PLAIN_TAG.test(tag)) return text
  const found = NUMBERS.exec(text)
  if (found === null) return NO_VERSION
  return found
    .slice(1, 4)
    .map((part) => Number(part ?? 0))
    .join('.')
}
