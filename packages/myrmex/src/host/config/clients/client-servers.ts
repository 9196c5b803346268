/**
 * The servers that a client's file names, in our words. The file is another program's: whatever in it is odd is told and left out,
 * and nothing in it is an error but that it cannot be read at all.
 */
import { isObject, valueAtPath } from '../../../protocol/json.ts'
import { readJsonc } from '../jsonc/read-jsonc.ts'
import { readTextFile } from '../read-text.ts'
import { type ImportedEntry, importEntry } from './client-entry.ts'
import type { ClientFile } from './known-clients.ts'

export interface ClientServer extends ImportedEntry {
  /** as the client calls it */
  readonly name: string
}

/** Where a block of servers may be in a file of which nobody said whose it is. */
const BLOCKS = [['mcpServers'], ['servers'], ['context_servers'], ['mcp', 'servers'], ['mcp'], ['amp.mcpServers']]
/** Some keep all that was ever said in the same file. */
const LARGEST = 64 * 1024 * 1024

/** Undefined: there is no such file. Throws ToolError ValidationError with line and column where it is broken. */
export async function readClientServers(
  path: string,
  block: ClientFile['block'] | undefined,
): Promise<ClientServer[] | undefined> {
  const text = await readTextFile(path, LARGEST)
  if (text === undefined) return undefined
  if (text.trim() === '') return []
  const value = await parsed(text, path)
  const servers =
    block === undefined ? BLOCKS.map((steps) => valueAtPath(value, steps)).find(isObject) : inBlock(value, block)
  if (!isObject(servers)) return []
  return Object.entries(servers).map(([name, entry]) => ({ name, ...importEntry(name, entry) }))
}

/** Newer files of opencode have one more member in between. */
function inBlock(value: unknown, block: readonly string[]): unknown {
  const found = valueAtPath(value, block)
  const inner = block.at(-1) === 'mcp' ? valueAtPath(found, ['servers']) : undefined
  return isObject(inner) && !isEntry(inner) ? inner : found
}

const isEntry = (value: Record<string, unknown>): boolean =>
  typeof (value.type ?? value.command ?? value.url) === 'string'

/** Plain JSON is read the quick way: such a file can have many megabytes of other things in it. */
async function parsed(text: string, path: string): Promise<unknown> {
  try {
    return JSON.parse(text)
  } catch {
    // With comments, or broken: this says which.
    return (await readJsonc(text, path)).value
  }
}
