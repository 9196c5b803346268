/**
 * Reads the servers in another client's file. Unsupported content is skipped and reported. Only an unreadable file is an error.
 */
import { isObject, parseJson, valueAtPath } from '../../../protocol/json.ts'
import { readJsonc } from '../jsonc/read-jsonc.ts'
import { readTextFile } from '../read-text.ts'
import { type ImportedEntry, importEntry } from './client-entry.ts'
import type { ClientFile } from './known-clients.ts'

/** Where the servers may be if the client is unknown. */
const BLOCKS = [
  ['mcpServers'],
  ['mcp_servers'],
  ['extensions'],
  ['servers'],
  ['context_servers'],
  ['mcp', 'servers'],
  ['mcp'],
  ['amp.mcpServers'],
]
/** Some clients keep their whole history in the same file. */
const MAX_BYTES = 64 * 1024 * 1024

/** Returns undefined if the file does not exist. Throws ValidationError with line and column if it is malformed. */
export async function readClientServers(
  path: string,
  block: ClientFile['block'] | undefined,
  format = formatOf(path),
): Promise<ImportedEntry[] | undefined> {
  const text = await readTextFile(path, MAX_BYTES)
  if (text === undefined) return undefined
  if (text.trim() === '') return []
  const servers = serverBlock(await parseClientText(text, path, format), block)
  if (!isObject(servers)) return []
  return Object.entries(servers).map(([name, entry]) => importEntry(name, entry))
}

/** Of a file whose client is not known. */
export const formatOf = (path: string): ClientFile['format'] =>
  /\.toml$/i.test(path) ? 'toml' : /\.ya?ml$/i.test(path) ? 'yaml' : undefined

/** Throws ValidationError with line and column. */
export async function parseClientText(text: string, path: string, format: ClientFile['format']): Promise<unknown> {
  if (format === 'toml') return (await import('../toml/read-toml.ts')).readToml(text, path)
  if (format === 'yaml') return (await import('../yaml/read-yaml.ts')).readYaml(text, path)
  // Plain JSON is tried first, because it is faster: the file may be many megabytes.
  return parseJson(text) ?? (await readJsonc(text, path)).value
}

export function serverBlock(value: unknown, block: ClientFile['block'] | undefined): unknown {
  return block === undefined ? BLOCKS.map((steps) => valueAtPath(value, steps)).find(isObject) : inBlock(value, block)
}
/** Newer opencode files nest the servers one level deeper. */
function inBlock(value: unknown, block: readonly string[]): unknown {
  const found = valueAtPath(value, block)
  const inner = block.at(-1) === 'mcp' ? valueAtPath(found, ['servers']) : undefined
  return isObject(inner) && !isEntry(inner) ? inner : found
}

const isEntry = (value: Record<string, unknown>): boolean =>
  typeof (value.type ?? value.command ?? value.url) === 'string'
