/**
 * Estimates how many tokens a list of tools takes in a model's context: a quarter of the UTF-8 bytes of name, description and input
 * schema, which is what clients pass to a model. Models count differently, so it is always called an estimate.
 */
import type { JsonObject } from '../../protocol/json.ts'
import type { ListedTool, Registry } from '../../tool/registry.ts'
import type { Tool } from '../../tool/tool.ts'

const BYTES_A_TOKEN = 4

export const estimateTokens = (text: string): number => Math.ceil(Buffer.byteLength(text) / BYTES_A_TOKEN)

const known = new WeakMap<Tool, number>()

/** Definitions never change, so each is counted once. */
export function toolTokens({ listedAs, tool }: ListedTool): number {
  let count = known.get(tool)
  if (count === undefined) {
    const said: JsonObject = { name: listedAs, description: tool.description, inputSchema: tool.input.json }
    count = estimateTokens(JSON.stringify(said))
    known.set(tool, count)
  }
  return count
}

/** Tokens of the tools that pass the filter. */
export function listTokens(registry: Registry, isCounted: (tool: Tool) => boolean): number {
  let sum = 0
  for (const item of registry.listed()) if (isCounted(item.tool)) sum += toolTokens(item)
  return sum
}
