/** The result of a tool search, as a model sees it: just enough to call a tool. */
import * as z from 'zod'
import { isTrustedEnough } from '../../pipeline/gates/trust.ts'
import type { JsonObject } from '../../protocol/json.ts'
import { clip } from '../../protocol/text.ts'
import type { Server } from '../../server/server.ts'
import { notCallable, refreshTrust } from '../../server/visible-items.ts'
import { isNameHidden, upstreamListing } from '../../tool/upstream-listing.ts'
import type { ToolMatch } from './tool-index.ts'

export const searchResultSchema = z.object({
  tools: z.array(
    z.object({
      name: z.string().describe('The name to call it by.'),
      title: z.string().optional(),
      description: z.string(),
      inputSchema: z.record(z.string(), z.unknown()).optional().describe('Schema of its arguments.'),
      destructive: z.boolean().describe('It changes state.'),
      callable: z
        .boolean()
        .describe('False: the operator has not trusted its current definition, so calls are rejected.'),
      score: z.number(),
    }),
  ),
  total: z.int().describe('Number of matching tools.'),
  tokens: z
    .object({
      all_tools: z.int().describe('The whole list.'),
      listed: z.int().describe('What tools/list shows.'),
      shown: z.int().describe('This answer.'),
      saved: z.int(),
    })
    .describe('Estimated: a quarter of the bytes.'),
})

export type SearchResult = z.infer<typeof searchResultSchema>
export type FoundTool = SearchResult['tools'][number]

const MAX_DESCRIPTION = 400
/** Schemas may be of any size. Further matches need a narrower query. */
const MAX_CHARACTERS = 60_000

export async function describeMatches(server: Server, matches: readonly ToolMatch[]): Promise<FoundTool[]> {
  await refreshTrust(server)
  const { trust } = server.ledger
  const tools: FoundTool[] = []
  let characters = 0
  for (const match of matches) {
    const isReadable = isTrustedEnough(match.tool, trust)
    if (!isReadable && isNameHidden(match.tool)) continue
    const found = isReadable ? whole(match) : nameOnly(match)
    characters += JSON.stringify(found).length
    if (characters > MAX_CHARACTERS && tools.length > 0) break
    tools.push(found)
  }
  return tools
}

function whole({ listedAs, tool, score }: ToolMatch): FoundTool {
  const schema = (upstreamListing(tool)?.inputSchema as JsonObject | undefined) ?? tool.input.json
  return {
    name: listedAs,
    ...(tool.title !== undefined && { title: tool.title.slice(0, MAX_DESCRIPTION) }),
    description: clipDescription(tool.description),
    inputSchema: schema,
    destructive: tool.destructive,
    callable: true,
    score: rounded(score),
  }
}

/** An untrusted description is not shown, because models would read it. */
const nameOnly = ({ listedAs, tool, score }: ToolMatch): FoundTool => ({
  name: listedAs,
  description: notCallable(tool.name),
  destructive: tool.destructive,
  callable: false,
  score: rounded(score),
})

const rounded = (score: number): number => Math.round(score * 100) / 100

function clipDescription(text: string): string {
  // Cut at the end of a word, if there is one.
  const end = Math.max(text.lastIndexOf(' ', MAX_DESCRIPTION), MAX_DESCRIPTION - 40)
  return text.length <= MAX_DESCRIPTION ? text : clip(text, end)
}
