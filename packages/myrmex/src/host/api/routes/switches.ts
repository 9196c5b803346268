/**
 * /api/switches: read-only, and the switch that stops everything. Switching protection on works with the token of api.json in a locked
 * ledger too; switching it off needs a session of the operator there.
 */
import { OpenAPIHono, z } from '@hono/zod-openapi'
import { switchesView } from '../../../ledger/decisions/switch-view.ts'
import type { SwitchName } from '../../../ledger/decisions/switches.ts'
import { requireProfile } from '../../profiles/require-profile.ts'
import type { RouteContext } from '../route-context.ts'
import { jsonBody, jsonResponse, routesOf, Timestamp } from '../schemas.ts'

const route = routesOf('switches')

const Switch = z
  .object({ reason: z.string(), set_by: z.string(), set_at: Timestamp })
  .nullable()
  .describe('null: it is off.')

export const Switches = z
  .object({
    stop: Switch.describe('Every call is rejected. null: it is off.'),
    read_only: Switch.describe('Calls that change state are rejected. null: it is off.'),
    read_only_profiles: z
      .array(z.object({ profile: z.string(), reason: z.string(), set_by: z.string(), set_at: Timestamp }))
      .describe('Profiles that are read-only.'),
  })
  .openapi('Switches')

const Reason = z.string().max(500).default('').describe('Callers see it.')
const Profile = z.string().min(1).max(200).optional().describe('Default: the whole host.')

const show = route('get', '/', 'switches', {
  summary: 'What is switched off',
  answer: jsonResponse(Switches, 'The switches.'),
})

const change = <const Path extends string>(path: Path, name: string, summary: string, fields: z.ZodRawShape) =>
  route('post', path, name, {
    summary,
    request: { body: jsonBody(z.strictObject(fields)) },
    answer: jsonResponse(Switches, 'The switches afterwards.'),
    errors: [400, 403, 415],
  })

const stop = change('/stop-everything', 'stopEverything', 'Reject every call, and abort those in flight', {
  reason: Reason,
})
const resume = change('/resume-everything', 'resumeEverything', 'Accept calls again', { reason: Reason })
const on = change('/read-only-on', 'readOnlyOn', 'Reject calls that change state', { reason: Reason, profile: Profile })
const off = change('/read-only-off', 'readOnlyOff', 'Accept them again', { reason: Reason, profile: Profile })

export function switchRoutes({ server, ledger, decidedBy }: RouteContext) {
  const set = async (request: Request, name: SwitchName, state: 'on' | 'off', body: Record<string, unknown>) => {
    const { reason, profile } = body as { reason: string; profile?: string }
    if (profile !== undefined && state === 'on') requireProfile(profile, server.pipeline.profiles.names())
    await ledger.switches.set(name, profile ?? '', state, decidedBy(request), reason)
    return switchesView(ledger.switches.state)
  }
  return new OpenAPIHono()
    .openapi(show, (c) => c.json(switchesView(ledger.switches.state), 200))
    .openapi(stop, async (c) => c.json(await set(c.req.raw, 'stop', 'on', c.req.valid('json')), 200))
    .openapi(resume, async (c) => c.json(await set(c.req.raw, 'stop', 'off', c.req.valid('json')), 200))
    .openapi(on, async (c) => c.json(await set(c.req.raw, 'read_only', 'on', c.req.valid('json')), 200))
    .openapi(off, async (c) => c.json(await set(c.req.raw, 'read_only', 'off', c.req.valid('json')), 200))
}
