/**
 * Names for an upstream's tools. The server's name always comes first, so no server can claim another's tools. If two names
 * collide, a hash of the original name tells them apart.
 */
import { TOOL_NAME_PATTERN } from '../../protocol/envelope.ts'
import { isObject, type JsonObject } from '../../protocol/json.ts'
import { META } from '../../protocol/versions.ts'
import { sha256 } from '../../tool/hash.ts'

const MAX_LENGTH = 128

/** The canonical name that a Myrmex server declares; undefined for other servers. */
export function canonicalName({ _meta }: JsonObject): string | undefined {
  const name = isObject(_meta) ? _meta[META.name] : undefined
  return typeof name === 'string' && TOOL_NAME_PATTERN.test(name) ? name : undefined
}

/** Returns the names in the order of the list. Original names must be unique. */
export function toolNames(server: string, listed: readonly JsonObject[]): string[] {
  const plain = listed.map((one) => plainName(server, one))
  const groups = new Map<string, number>()
  for (const { name } of plain) groups.set(name, (groups.get(name) ?? 0) + 1)
  return plain.map(({ name, isExact }, index) => {
    const isAlone = groups.get(name) === 1
    // An exact match keeps the name, so no other tool can take it over.
    if ((isAlone || isExact) && name.length <= MAX_LENGTH) return name
    return `${name.slice(0, MAX_LENGTH - 9)}_${sha256(String(listed[index]?.name)).slice(0, 8)}`
  })
}

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

/** Converts any name to snake case: createIssue, create-issue and Create Issue become create_issue. */
export function toSnakeCase(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split('.')
    .map((part) => part.replace(/[^a-z0-9_]+/g, '_'))
    .filter((part) => part !== '' && part !== '_')
    .join('.')
}
