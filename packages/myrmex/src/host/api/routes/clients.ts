/**
 * /api/clients: the MCP clients of this machine, their servers, and whether they use this host. Installing writes the host into a client's
 * file and can move its servers behind the host. A backup is kept, and undo restores the file. Values of variables and headers are never
 * shown.
 */
import { dirname } from 'node:path'
import { OpenAPIHono, z } from '@hono/zod-openapi'
import { chooseClientFile } from '../../config/clients/client-file.ts'
import { applyConnection, type ConnectionPlan, planConnection } from '../../config/clients/connect-client.ts'
import { readRecord } from '../../config/clients/connection-record.ts'
import { endpointText } from '../../config/clients/endpoint-text.ts'
import { changedLines } from '../../config/clients/file-changes.ts'
import { type FoundImports, findImports } from '../../config/clients/find-imports.ts'
import { hostCommandEntry, hostUrlEntry } from '../../config/clients/host-entry.ts'
import type { ClientConfig } from '../../config/clients/import-candidates.ts'
import { CLIENTS, type Client } from '../../config/clients/known-clients.ts'
import { findClient } from '../../config/clients/this-machine.ts'
import { applyUndo, planUndo, type UndonePlan } from '../../config/clients/undo-connection.ts'
import { findSecrets } from '../../config/secrets/moved-secrets.ts'
import { conflict, notFound } from '../api-error.ts'
import { hostFileOf, machineOf } from '../host-file.ts'
import type { RouteContext } from '../route-context.ts'
import { jsonBody, jsonResponse, routesOf } from '../schemas.ts'
import { addingFields } from './configured-servers.ts'

const route = routesOf('clients')

const ClientServer = z.object({
  name: z.string().describe('In the file of the client.'),
  as: z.string().nullable().describe('The name that it would get in myrmex.json; null: it is not offered.'),
  endpoint: z.string().nullable().describe('Its program or URL, without secrets.'),
  status: z
    .enum(['new', 'imported', 'same', 'skipped'])
    .describe(
      'imported: its name is in myrmex.json. same: another client has it too. skipped: it cannot be imported, and notes say why.',
    ),
  secrets: z.number().int().describe('Values that look like secrets.'),
  notes: z.array(z.string()),
})

const ClientFile = z.object({
  path: z.string(),
  problem: z.string().nullable().describe('Why it could not be read.'),
  servers: z.array(ClientServer),
})

const ClientView = z
  .object({
    id: z.string(),
    title: z.string(),
    files: z.array(ClientFile).describe('Those that exist.'),
    can_undo: z.boolean().describe('This host was installed in it from this configuration.'),
  })
  .openapi('Client')

const list = route('get', '/', 'clients', {
  summary: 'The MCP clients that can be on this machine, and their servers',
  answer: jsonResponse(z.object({ clients: z.array(ClientView) }), 'The clients.'),
  errors: [409],
})

const Line = z.object({ sign: z.enum(['+', '-']), line: z.number().int(), text: z.string() })

const Change = z
  .object({
    client: z.string(),
    file: z.string(),
    applied: z.boolean().describe('false: nothing was written, because that was asked for or nothing changes.'),
    backup: z.string().nullable().describe("A copy of the client's file as it was."),
    changes: z.array(Line).describe("The client's file, without values of variables and headers."),
    host_file: z.string(),
    host_backup: z.string().nullable(),
    host_changes: z.array(Line),
    moved: z.array(
      z.object({
        ...{ name: z.string(), as: z.string(), new: z.boolean() },
        notes: z.array(z.string()).describe('Fields of the client that were skipped.'),
      }),
    ),
    left: z.array(z.object({ name: z.string(), why: z.string() })).describe('Servers that stay in the client.'),
    removed: z.array(z.string()).describe('Servers that left myrmex.json.'),
    kept: z.array(z.string()).describe('Servers that stay in myrmex.json, because they were changed there.'),
  })
  .openapi('ClientChange')

const Named = z.object({ client: z.string().max(40) })
const dry_run = z.boolean().default(false).describe('Show what would change and write nothing.')
const as = z.string().min(1).max(64).default('myrmex').describe("The host's name in the client's file.")
const project = z.boolean().default(false).describe("The project's file beside myrmex.json instead of the user's.")

const change = <const Verb extends 'install' | 'uninstall' | 'undo', Body extends z.ZodType>(
  verb: Verb,
  body: Body,
  summary: string,
) =>
  route('post', `/{client}/${verb}`, `${verb}Client`, {
    summary,
    request: { params: Named, body: jsonBody(body) },
    answer: jsonResponse(Change, 'What was changed.'),
    errors: [400, 403, 404, 409, 415],
  })

const install = change(
  'install',
  z.strictObject({
    via: z.enum(['url', 'program']).default('url').describe('program: the client starts the host itself.'),
    url: z.string().max(2000).optional().describe('Default: that of this host. A profile is at /mcp/p/NAME.'),
    take_over: z.boolean().default(false).describe("Move the client's other servers behind the host."),
    ...{ as, project, dry_run },
    ...addingFields,
  }),
  'Make a client use this host',
)
const uninstall = change('uninstall', z.strictObject({ as, project, dry_run }), 'Take the host out of a client')
const undo = change(
  'undo',
  z.strictObject({ dry_run }),
  "Undo the last installation: restore the client's file as it was before it",
)

export function clientRoutes({ host, configFile, signInUrl, edit }: RouteContext) {
  const find = (id: string): Client => {
    const client = findClient(id)
    if (client === undefined) throw notFound(`Unknown client ${JSON.stringify(id)}. GET /api/clients lists all.`)
    return client
  }
  const ownUrl = (): string => {
    if (signInUrl !== undefined) return signInUrl
    const origin = host?.signIns.callbackOrigin
    if (origin === undefined)
      throw conflict('This host listens on no loopback address: say in url where clients reach it.')
    return new URL('/mcp', origin).href
  }
  const connect = async (make: () => Promise<ConnectionPlan>, dryRun: boolean) => {
    const { plan, applied, done } = await edit(async () => {
      const plan = await make()
      const applied = !dryRun && (plan.text !== (plan.before ?? '') || plan.hostEdit !== undefined)
      return { plan, applied, done: applied ? await applyConnection(plan) : undefined }
    })
    const { options, hostEdit, before, text } = plan
    if (done?.hostBackup !== undefined) await host?.reload()
    return {
      ...{ client: options.client.id, file: options.file.path, applied, host_file: options.hostFile },
      ...{ backup: done?.clientBackup ?? null, host_backup: done?.hostBackup ?? null },
      changes: changedLines(before ?? '', text, plan.secrets),
      host_changes: hostEdit === undefined ? [] : changedLines(hostEdit.before ?? '', hostEdit.text, plan.secrets),
      moved: plan.moved.map(({ originalName, name, isNew, notes }) => ({
        ...{ name: originalName, as: name, new: isNew },
        notes: [...notes],
      })),
      ...{ left: [...plan.left], removed: [], kept: [] },
    }
  }
  return new OpenAPIHono()
    .openapi(list, async (c) => {
      const file = hostFileOf(configFile)
      const found = await findImports(machineOf(file), file)
      const clients = CLIENTS.map(async ({ id, title }) => ({
        ...{ id, title, can_undo: (await readRecord(file, id)) !== undefined },
        files: found.files.filter((one) => one.id === id).map((one) => fileView(one, found)),
      }))
      return c.json({ clients: await Promise.all(clients) }, 200)
    })
    .openapi(install, async (c) => {
      const client = find(c.req.valid('param').client)
      const { via, url, take_over, as: name, project: isProject, dry_run: isDry, ...adding } = c.req.valid('json')
      const hostFile = hostFileOf(configFile)
      const options = {
        ...{ client, as: name, hostFile, folder: dirname(hostFile) },
        file: chooseClientFile(client, machineOf(hostFile), { project: isProject }),
        entry: via === 'url' ? hostUrlEntry(client, url ?? ownUrl(), name) : hostCommandEntry(client, hostFile, name),
        ...(take_over && { takeOver: adding }),
      }
      return c.json(await connect(() => planConnection(options), isDry), 200)
    })
    .openapi(uninstall, async (c) => {
      const client = find(c.req.valid('param').client)
      const { as: name, project: isProject, dry_run: isDry } = c.req.valid('json')
      const hostFile = hostFileOf(configFile)
      const file = chooseClientFile(client, machineOf(hostFile), { project: isProject })
      const options = { client, file, as: name, entry: undefined, hostFile, folder: dirname(hostFile) }
      return c.json(await connect(() => planConnection(options), isDry), 200)
    })
    .openapi(undo, async (c) => {
      const client = find(c.req.valid('param').client)
      const hostFile = hostFileOf(configFile)
      const applied = !c.req.valid('json').dry_run
      const { plan, backup } = await edit(async () => {
        const plan = await planUndo(client, machineOf(hostFile), hostFile)
        return { plan, backup: applied ? ((await applyUndo(plan, hostFile)) ?? null) : null }
      })
      if (applied && plan.removed.length > 0) await host?.reload()
      return c.json(undoneView(plan, { hostFile, applied, backup }), 200)
    })
}

const undoneView = (
  plan: UndonePlan,
  { hostFile, applied, backup }: { hostFile: string; applied: boolean; backup: string | null },
): z.infer<typeof Change> => ({
  ...{ client: plan.client.id, file: plan.file.path, applied, backup, host_file: hostFile },
  changes: changedLines(plan.before ?? '', plan.text ?? '', plan.secrets),
  ...{ host_backup: null, host_changes: [], moved: [], left: [] },
  ...{ removed: [...plan.removed], kept: [...plan.kept] },
})

function fileView(
  { path, servers, problem }: ClientConfig,
  { offers, known }: FoundImports,
): z.infer<typeof ClientFile> {
  return {
    path,
    problem: problem ?? null,
    servers: servers.map(({ name, entry, notes }) => {
      const offer = offers.find((one) => one.path === path && one.originalName === name)
      const isKnown = offer !== undefined && known.has(offer.name)
      return {
        name,
        as: offer?.name ?? null,
        endpoint: entry === undefined ? null : endpointText(entry),
        status: entry === undefined ? 'skipped' : offer === undefined ? 'same' : isKnown ? 'imported' : 'new',
        secrets: entry === undefined ? 0 : findSecrets(name, entry).length,
        notes: [...notes],
      }
    }),
  }
}
