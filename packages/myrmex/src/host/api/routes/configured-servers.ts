/**
 * /api/servers: adds servers to myrmex.json, removes, enables and disables them, and imports those of clients. Comments in the file stay,
 * a backup is kept, and the host has applied the change when the answer comes.
 */
import { OpenAPIHono, z } from '@hono/zod-openapi'
import { ToolError } from '../../../protocol/errors.ts'
import type { JsonObject } from '../../../protocol/json.ts'
import { didYouMean } from '../../../protocol/text.ts'
import { nearest } from '../../../tool/nearest.ts'
import { findImports } from '../../config/clients/find-imports.ts'
import {
  applyEdit,
  hostName,
  type NewServer,
  planAdding,
  removeServers,
  switchServer,
} from '../../config/edit-host-file.ts'
import { TRUST_VALUES } from '../../settings.ts'
import { notFound } from '../api-error.ts'
import { hostFileOf, machineOf } from '../host-file.ts'
import type { RouteContext } from '../route-context.ts'
import { jsonBody, jsonResponse, orNull, routesOf } from '../schemas.ts'
import { ServerStatus } from './servers.ts'

const route = routesOf('servers')

/** Shared with clients. */
export const addingFields = {
  trust: z.enum(TRUST_VALUES).default('none').describe('Which of their tools are trusted when they are first seen.'),
  secrets: z
    .enum(['files', 'env', 'keep'])
    .default('files')
    .describe('Where secrets of env and headers are stored: private files, variables of the host, or the file itself.'),
}

const Changed = {
  file: z.string().describe('The configuration that was changed.'),
  backup: z.string().nullable().describe('A copy of it as it was; null: nothing changed, or there was no file.'),
}

const Added = z
  .object({
    ...Changed,
    servers: z.array(z.object({ name: z.string(), status: orNull(ServerStatus) })),
    secrets: z.array(z.string()).describe('Names of the variables that were moved. With env: set them for the host.'),
    inline: z.array(z.string()).describe('Servers with what looks like a secret in an argument or URL, unchanged.'),
  })
  .openapi('AddedServers')

const add = route('post', '/', 'addServer', {
  summary: 'Add a server to the configuration, and start it',
  request: {
    body: jsonBody(
      z.strictObject({
        name: z.string().min(1).max(200),
        entry: z
          .looseObject({
            command: z.string().optional(),
            args: z.array(z.string()).optional(),
            cwd: z.string().optional(),
            env: z.record(z.string(), z.unknown()).optional(),
            url: z.string().optional(),
            headers: z.record(z.string(), z.unknown()).optional(),
          })
          .describe('As in mcpServers of myrmex.json, with any setting that it knows.'),
        ...addingFields,
      }),
    ),
  },
  answer: jsonResponse(Added, 'The server.'),
  errors: [400, 403, 404, 409, 415],
})

const bring = route('post', '/import', 'importServers', {
  summary: 'Add servers that clients of this machine use. Their files are only read',
  request: {
    body: jsonBody(
      z.strictObject({
        from: z.array(z.string().min(1).max(4000)).max(50).optional().describe('Ids of clients, and files.'),
        names: z
          .array(z.string().max(200))
          .max(500)
          .optional()
          .describe('As GET /api/clients calls them in `as`. Default: all that are new.'),
        ...addingFields,
      }),
    ),
  },
  answer: jsonResponse(Added, 'The servers that were added.'),
  errors: [400, 403, 404, 409, 415],
})

const Named = z.object({ name: z.string().max(200) })

const change = <const Verb extends string>(verb: Verb, summary: string) =>
  route('post', `/{name}/${verb}`, `${verb}Server`, {
    summary,
    request: { params: Named, body: jsonBody(z.strictObject({})) },
    answer: jsonResponse(
      z.object({ ...Changed, status: orNull(ServerStatus) }),
      'What was changed. status is null if the host does not have the server now.',
    ),
    errors: [400, 403, 404, 409, 415],
  })

export function configuredServerRoutes({ host, configFile, edit }: RouteContext) {
  const statusOf = (name: string): ServerStatus | null => host?.status(name) ?? null
  /** `choose` says which servers are new in the file as it is then. */
  const addAll = async (
    choose: (file: string) => Promise<readonly NewServer[]>,
    { trust, secrets: storage }: Parameters<typeof planAdding>[2],
  ) => {
    const file = hostFileOf(configFile)
    const { servers, secrets, inline, backup } = await edit(async () => {
      const servers = await choose(file)
      const plan = await planAdding(file, servers, { trust, secrets: storage })
      return { ...plan, servers, backup: (await applyEdit(plan)) ?? null }
    })
    await host?.reload()
    const names = servers.map(({ name }) => hostName(name))
    return {
      ...{ file, backup, inline: [...inline], secrets: secrets.map(({ variable }) => variable) },
      servers: names.map((name) => ({ name, status: statusOf(name) })),
    }
  }
  const changed = async (name: string, write: (file: string) => Promise<string | undefined>) => {
    const file = hostFileOf(configFile)
    const backup = (await edit(() => write(file))) ?? null
    if (backup !== null) await host?.reload()
    return { file, backup, status: statusOf(hostName(name)) }
  }
  return new OpenAPIHono()
    .openapi(add, async (c) => {
      const { name, entry, ...options } = c.req.valid('json')
      return c.json(await addAll(async () => [{ name, entry: entry as JsonObject }], options), 200)
    })
    .openapi(bring, async (c) => {
      const { from, names, ...options } = c.req.valid('json')
      const choose = async (file: string): Promise<readonly NewServer[]> => {
        const { fresh } = await findImports(machineOf(file), file, from)
        const known = fresh.map(({ name }) => name)
        const unknown = names?.find((name) => !known.includes(name))
        if (unknown !== undefined)
          throw notFound(`No client has a new server ${JSON.stringify(unknown)}.${didYouMean(nearest(unknown, known))}`)
        const chosen = names === undefined ? fresh : fresh.filter(({ name }) => names.includes(name))
        if (chosen.length === 0) throw ToolError.of('ValidationError', 'There is no new server to import.')
        return chosen
      }
      return c.json(await addAll(choose, options), 200)
    })
    .openapi(change('remove', 'Remove the server from the configuration, and end it'), async (c) => {
      const { name } = c.req.valid('param')
      return c.json(await changed(name, (file) => removeServers(file, [name])), 200)
    })
    .openapi(change('enable', 'Enable the server in the configuration, and start it'), async (c) => {
      const { name } = c.req.valid('param')
      return c.json(await changed(name, (file) => switchServer(file, name, true)), 200)
    })
    .openapi(change('disable', 'Disable the server in the configuration, and end it'), async (c) => {
      const { name } = c.req.valid('param')
      return c.json(await changed(name, (file) => switchServer(file, name, false)), 200)
    })
}
