/**
 * The servers that a client's file names, in our words. The file is another program's: whatever in it is odd is told and left out,
 * and nothing in it is an error but that it cannot be read at all.
 */
import { at, isObject } from '../../protocol/json.ts'
import { type TakenEntry, takenEntry } from './client-entry.ts'
import type { ClientFile } from './clients.ts'
import { readJsonc } from './jsonc.ts'
import { textOf } from './text-of.ts'

export interface ClientServer extends TakenEntry {
  /** as the client calls it */
  readonly name: string
}

/** Where a block of servers may be in a file of which nobody said whose it is. */
const BLOCKS = [['mcpServers'], ['servers'], ['context_servers'], ['mcp', 'servers'], ['mcp'], ['amp.mcpServers']]
/** Some keep all that was ever said in the same file. */
const LARGEST = 64 * 1024 * 1024

/** Undefined: there is no such file. Throws ToolError ValidationError with line and column where it is broken. */
export async function clientServers(
  path: string,
  block: ClientFile['block'] | undefined,
): Promise<ClientServer[] | undefined> {
  const text = await textOf(path, LARGEST)
  if (text === undefined) return undefined
  if (text.trim() === '') return []
  const value = await parsed(text, path)
  const servers = block === undefined ? BLOCKS.map((steps) => at(value, steps)).find(isObject) : inBlock(value, block)
  if (!isObject(servers)) return []
  return Object.entries(servers).map(([name, entry]) => ({ name, ...takenEntry(name, entry) }))
}

/** Newer files of opencode have one more member in between. */
function inBlock(value: unknown, block: readonly string[]): unknown {
  const found = at(value, block)
  const inner = block.at(-1) === 'mcp' ? at(found, ['servers']) : undefined
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
