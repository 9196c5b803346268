/**
 * Estimates how many tokens a list of tools takes in a model's context: a quarter of the UTF-8 bytes of name, description and input
 * schema, which is what clients pass to a model. Models count differently, so it is always called an estimate.
 */
import { getOrMake } from '../../protocol/get-or-make.ts'
import type { ListedTool, Registry } from '../../tool/registry.ts'
import type { Tool } from '../../tool/tool.ts'

const BYTES_A_TOKEN = 4

export const estimateTokens = (text: string): number => Math.ceil(Buffer.byteLength(text) / BYTES_A_TOKEN)

const known = new WeakMap<Tool, number>()

/** Definitions never change, so each is counted once. */
export const toolTokens = ({ listedAs, tool }: ListedTool): number =>
  getOrMake(known, tool, ({ description, input }) =>
    estimateTokens(JSON.stringify({ name: listedAs, description, inputSchema: input.json })),
  )

/** Tokens of the tools that pass the filter. */
export function listTokens(registry: Registry, isCounted: (tool: Tool) => boolean): number {
  let sum = 0
  for (const item of registry.listed()) if (isCounted(item.tool)) sum += toolTokens(item)
  return sum
}
