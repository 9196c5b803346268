/**
 * What the tools of a server are called here. The server's own name stands in front, whatever the server says, so that none can
 * pass a tool off as another's. Two that come to the same are told apart by the hash of what they are called there.
 */
import { TOOL_NAME_PATTERN } from '../../protocol/envelope.ts'
import { isObject, type JsonObject } from '../../protocol/json.ts'
import { META } from '../../protocol/versions.ts'
import { sha256 } from '../../tool/hash.ts'

const LONGEST = 128

/** As a Myrmex server says it; undefined for any other. */
export function canonicalName({ _meta }: JsonObject): string | undefined {
  const name = isObject(_meta) ? _meta[META.name] : undefined
  return typeof name === 'string' && TOOL_NAME_PATTERN.test(name) ? name : undefined
}

/** The names here, in the order of the list. The same name there must not come twice. */
export function toolNames(server: string, listed: readonly JsonObject[]): string[] {
  const plain = listed.map((one) => plainName(server, one))
  const groups = new Map<string, number>()
  for (const { name } of plain) groups.set(name, (groups.get(name) ?? 0) + 1)
  return plain.map(({ name, isExact }, index) => {
    const isAlone = groups.get(name) === 1
    // Of several the one that is really called so keeps the name: whatever else comes cannot take it.
    if ((isAlone || isExact) && name.length <= LONGEST) return name
    return `${name.slice(0, LONGEST - 9)}_${sha256(String(listed[index]?.name)).slice(0, 8)}`
  })
}

function plainName(server: string, listed: JsonObject): { name: string; isExact: boolean } {
  const there = String(listed.name)
  const canonical = canonicalName(listed)
  if (canonical !== undefined) {
    const isOfServer = canonical.slice(0, canonical.lastIndexOf('.')) === server
    return { name: isOfServer ? canonical : `${server}.${canonical}`, isExact: false }
  }
  const word = toSnakeCase(there)
  return { name: `${server}.${word === '' ? `tool_${sha256(there).slice(0, 8)}` : word}`, isExact: word === there }
}

/** Any name in the letters that ours have: createIssue, create-issue and Create Issue are create_issue. */
export function toSnakeCase(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split('.')
    .map((part) => part.replace(/[^a-z0-9_]+/g, '_'))
    .filter((part) => part !== '' && part !== '_')
    .join('.')
}
