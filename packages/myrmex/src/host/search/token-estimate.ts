/**
 * How many tokens of a model's context a list of tools takes. An estimate, and always said to be one: a quarter of the UTF-8
 * bytes of what clients hand to a model, which is name, description and input schema. Model makers count each their own way.
 */
import type { JsonObject } from '../../protocol/json.ts'
import type { ListedTool, Registry } from '../../tool/registry.ts'
import type { Tool } from '../../tool/tool.ts'

const BYTES_A_TOKEN = 4

export const estimateTokens = (text: string): number => Math.ceil(Buffer.byteLength(text) / BYTES_A_TOKEN)

const known = new WeakMap<Tool, number>()

/** Of one tool, as it is listed. Its definition never changes, so it is counted once. */
export function toolTokens({ listedAs, tool }: ListedTool): number {
  let count = known.get(tool)
  if (count === undefined) {
    const said: JsonObject = { name: listedAs, description: tool.description, inputSchema: tool.input.json }
    count = estimateTokens(JSON.stringify(said))
    known.set(tool, count)
  }
  return count
}

/** Of everything that `tools/list` gives, or would give if all were listed. */
export function listTokens(registry: Registry, shown: (tool: Tool) => boolean = () => true): number {
  let sum = 0
  for (const item of registry.listed()) if (shown(item.tool)) sum += toolTokens(item)
  return sum
}
