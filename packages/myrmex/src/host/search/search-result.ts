/** A tool that was found, as a model is told of it: what it takes to call it, and no more. */
import * as z from 'zod'
import { isTrustedEnough } from '../../pipeline/gates/trust.ts'
import type { JsonObject } from '../../protocol/json.ts'
import type { Server } from '../../server/server.ts'
import type { ToolMatch } from './tool-index.ts'

export const searchResultSchema = z.object({
  tools: z.array(
    z.object({
      name: z.string().describe('As it is to be called.'),
      title: z.string().optional(),
      description: z.string(),
      inputSchema: z.record(z.string(), z.unknown()).optional().describe('What its arguments must fit.'),
      destructive: z.boolean().describe('It changes state.'),
      callable: z.boolean().describe('False: the operator has not vouched for it as it is now; calls are refused.'),
      score: z.number(),
    }),
  ),
  total: z.int().describe('How many tools fit.'),
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

const LONGEST_DESCRIPTION = 400
/** Schemas may be of any size; what comes after this much has to be asked for by a narrower question. */
const MOST_CHARACTERS = 60_000

export async function describeMatches(server: Server, matches: readonly ToolMatch[]): Promise<FoundTool[]> {
  const { trust } = server.ledger
  if (trust.isStale(Date.now())) await trust.refresh()
  const tools: FoundTool[] = []
  let characters = 0
  for (const match of matches) {
    const found = isTrustedEnough(match.tool, trust) ? whole(match) : marked(match)
    characters += JSON.stringify(found).length
    if (characters > MOST_CHARACTERS && tools.length > 0) break
    tools.push(found)
  }
  return tools
}

function whole({ listedAs, tool, score }: ToolMatch): FoundTool {
  const schema = (tool.listing?.inputSchema as JsonObject | undefined) ?? tool.input.json
  return {
    name: listedAs,
    ...(tool.title !== undefined && { title: tool.title.slice(0, LONGEST_DESCRIPTION) }),
    description: cut(tool.description),
    inputSchema: schema,
    destructive: tool.destructive,
    callable: true,
    score: rounded(score),
  }
}

/** Nobody has vouched for its words, and they are written for a model to read: only that it is there is told. */
const marked = ({ listedAs, tool, score }: ToolMatch): FoundTool => ({
  name: listedAs,
  description: `Not callable: the operator has to look at it first (npx myrmex trust status ${tool.name}).`,
  destructive: tool.destructive,
  callable: false,
  score: rounded(score),
})

const rounded = (score: number): number => Math.round(score * 100) / 100

function cut(text: string): string {
  if (text.length <= LONGEST_DESCRIPTION) return text
  const short = text.slice(0, LONGEST_DESCRIPTION)
  // At the end of a word, and never within a character of two halves.
  return `${short.slice(0, Math.max(short.lastIndexOf(' '), LONGEST_DESCRIPTION - 40)).replace(/[\uD800-\uDBFF]$/, '')}…`
}
