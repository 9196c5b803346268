/** GET /api/search: full-text search over tools. */
import { OpenAPIHono, z } from '@hono/zod-openapi'
import { ToolIndex } from '../../search/tool-index.ts'
import type { RouteContext } from '../route-context.ts'
import { jsonResponse, limitQuery, routesOf } from '../schemas.ts'
import { ToolHead, toolHead } from './tools.ts'

const route = routesOf('tools')

const Found = ToolHead.extend({
  score: z.number().describe('Only comparable within one search.'),
}).openapi('FoundTool')

const look = route('get', '/', 'search', {
  summary: 'Search tools',
  request: { query: z.strictObject({ q: z.string().min(1).max(500), limit: limitQuery(100, 20) }) },
  answer: jsonResponse(z.object({ total: z.number().int(), tools: z.array(Found) }), 'Best match first.'),
  errors: [400],
})

export function searchRoutes({ server, ledger }: RouteContext) {
  const index = new ToolIndex(server.registry)
  return new OpenAPIHono().openapi(look, async (c) => {
    const { q, limit } = c.req.valid('query')
    const found = await index.search(q)
    await ledger.trust.refresh()
    const tools = found
      .slice(0, limit)
      .map((match) => ({ ...toolHead(match, ledger.trust.levelOf(match.tool)), score: match.score }))
    return c.json({ total: found.length, tools }, 200)
  })
}
