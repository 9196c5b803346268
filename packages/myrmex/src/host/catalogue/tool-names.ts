/**
 * Names for an upstream's tools. The server's name always comes first, so no server can claim another's tools. Of two tools that come
 * to the same name, only one is used, so a rule for that name holds for all that it could mean.
 */
import { TOOL_NAME_PATTERN } from '../../protocol/envelope.ts'
import { isObject, type JsonObject } from '../../protocol/json.ts'
import { META } from '../../protocol/versions.ts'
import { sha256 } from '../../tool/hash.ts'
import { toSnakeCase } from '../../tool/name.ts'

const MAX_LENGTH = 128

/** The canonical name that a Myrmex server declares; undefined for other servers. */
export function canonicalName({ _meta }: JsonObject): string | undefined {
  const name = isObject(_meta) ? _meta[META.name] : undefined
  return typeof name === 'string' && TOOL_NAME_PATTERN.test(name) ? name : undefined
}

export interface ToolName {
  /** canonical, at most 128 characters */
  readonly name: string
  /** canonical, not shortened: what rules are matched against */
  readonly full: string
  /** the original name of the tool that has this name instead, which must be skipped */
  readonly takenBy?: string
}

/** Returns the names in the order of the list. Original names must be unique. */
export function toolNames(server: string, listed: readonly JsonObject[]): ToolName[] {
  const plain = listed.map((one) => plainName(server, one))
  const owners = new Map<string, number>()
  for (const [index, { name, isExact }] of plain.entries()) {
    // An exact match keeps the name, so no other tool can take it over.
    if (isExact || !owners.has(name)) owners.set(name, index)
  }
  return plain.map(({ name }, index) => {
    const original = (at: number): string => String(listed[at]?.name)
    const owner = owners.get(name) ?? index
    return {
      name: name.length <= MAX_LENGTH ? name : shortened(name, original(index)),
      full: name,
      ...(owner !== index && { takenBy: original(owner) }),
    }
  })
}

const shortened = (name: string, original: string): string =>
  `${name.slice(0, MAX_LENGTH - 9)}_${sha256(original).slice(0, 8)}`

function plainName(server: string, listed: JsonObject): { name: string; isExact: boolean } {
  const original = String(listed.name)
  const canonical = canonicalName(listed)
  if (canonical !== undefined) {
    const isOfServer = canonical.slice(0, canonical.lastIndexOf('.')) === server
    return { name: isOfServer ? canonical : `${server}.${canonical}`, isExact: false }
  }
  const word = toSnakeCase(original)
  return {
    name: `${server}.${word === '' ? `tool_${sha256(original).slice(0, 8)}` : word}`,
    isExact: word === original,
  }
}
