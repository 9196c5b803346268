/** /api/profiles: the tool sets of myrmex.json, and what each sees now. */
import { OpenAPIHono, z } from '@hono/zod-openapi'
import { didYouMean } from '../../../protocol/text.ts'
import { refreshTrust } from '../../../server/visible-items.ts'
import { nearest } from '../../../tool/nearest.ts'
import { profileView } from '../../profiles/profile-view.ts'
import { notFound } from '../api-error.ts'
import type { RouteContext } from '../route-context.ts'
import { jsonResponse, routesOf } from '../schemas.ts'

const route = routesOf('profiles')

const Summary = z
  .object({
    name: z.string(),
    description: z.string().nullable(),
    path: z.string().describe('Where it is served on the port of the host.'),
    servers: z.array(z.string()).nullable().describe('null: every server.'),
    patterns: z.array(z.string()).nullable().describe('The tools as configured; null: every tool.'),
    read_only: z.boolean(),
    list: z.enum(['all', 'search']).nullable().describe('null: as the host lists its tools.'),
    counts: z.object({
      tools: z.number().int(),
      destructive: z.number().int(),
      resources: z.number().int(),
      prompts: z.number().int(),
    }),
  })
  .openapi('ProfileSummary')

const Profile = Summary.extend({
  tools: z.array(
    z.object({
      tool: z.string(),
      destructive: z.boolean(),
      reviewed: z.boolean().describe('false: not callable yet.'),
    }),
  ),
  resources: z.array(z.string()),
  prompts: z.array(z.string()),
}).openapi('Profile')

const list = route('get', '/', 'profiles', {
  summary: 'All profiles, with counts of what they see',
  answer: jsonResponse(z.object({ profiles: z.array(Summary) }), 'In the order of the file.'),
})

const show = route('get', '/{name}', 'profile', {
  summary: 'What a profile sees',
  request: { params: z.object({ name: z.string().max(200) }) },
  answer: jsonResponse(Profile, 'The profile with its tools, resources and prompts.'),
  errors: [404],
})

export const profileRoutes = ({ server }: RouteContext) => {
  const { profiles } = server.pipeline
  return new OpenAPIHono()
    .openapi(list, async (c) => {
      await refreshTrust(server)
      const seen = profiles.all().map((profile) => profileView(server, profile))
      return c.json({ profiles: seen.map(({ tools: _t, resources: _r, prompts: _p, ...rest }) => rest) }, 200)
    })
    .openapi(show, async (c) => {
      const { name } = c.req.valid('param')
      const profile = profiles.get(name)
      if (profile === undefined) {
        const names = profiles.all().map((one) => one.name)
        throw notFound(`Unknown profile ${JSON.stringify(name)}.${didYouMean(nearest(name, names))}`)
      }
      await refreshTrust(server)
      return c.json(profileView(server, profile), 200)
    })
}
