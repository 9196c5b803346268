/**
 * `myrmex host install`: adds the host to a client's configuration, as a program that the client starts or as a URL. Nothing else in
 * that file changes, and a backup is kept beside it.
 */
import { existsSync, realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import { startsHost } from '../../host/config/clients/client-entry.ts'
import { readClientServers } from '../../host/config/clients/client-servers.ts'
import { CLIENTS, type Client, type ClientFile } from '../../host/config/clients/known-clients.ts'
import { requireClient, shortPath, thisMachine } from '../../host/config/clients/this-machine.ts'
import { type EditedText, setMember } from '../../host/config/jsonc/edit-jsonc.ts'
import { HOST_FILE } from '../../host/config/read-host-file.ts'
import { replaceFile } from '../../host/config/replace-file.ts'
import { ToolError } from '../../protocol/errors.ts'
import { isObject, type JsonObject } from '../../protocol/json.ts'
import { requireFolder } from '../../serve/folder-trust.ts'
import { jsonLine, oneLine, paint, print, say } from '../../serve/terminal.ts'
import { readTextIfPresent } from '../read-text.ts'

export interface InstallOptions {
  config?: string
  http?: string
  stdio?: boolean
  project?: boolean
  file?: string
  as: string
  remove?: boolean
  dryRun?: boolean
}

export async function install(id: string, options: InstallOptions): Promise<void> {
  const client = requireClient(id)
  const file = configFileFor(client, options)
  const shown = shortPath(file.path, thisMachine())
  // The client will name the configuration of this folder at every start.
  if (!options.remove && options.config === undefined && existsSync(HOST_FILE)) await requireFolder('.')
  const entry = options.remove ? undefined : hostEntry(client, options)
  const text = await readTextIfPresent(file.path)
  const edited = await setMember(text ?? '', file.path, [...file.block, options.as], entry)
  const name = `${client.title} (${shown})`
  if (edited.edits.length === 0) {
    print(options.remove ? `${name} has no ${options.as}` : `${name} already has the host`)
    return
  }
  refuseOtherServer(edited, name, options)
  if (options.dryRun) {
    print(`${shown} would change:`)
    for (const line of differences(text ?? '', edited)) print(line)
    return
  }
  const backup = await replaceFile(file.path, text, edited.text)
  if (backup !== undefined) say(`a backup is in ${shortPath(backup, thisMachine())}`)
  print(options.remove ? `${name} no longer uses the host` : `${name} now uses the host, as ${options.as}`)
  print(`Restart ${client.title} to apply the change.`)
  if (!options.remove) await warnAboutOthers(client, file, options.as)
}

/** A client may read several files: one that exists is preferred. */
function configFileFor(client: Client, { project, file }: InstallOptions): ClientFile {
  const all = client.files(thisMachine())
  const scope = project ? 'project' : 'user'
  const fitting = all.filter((one) => one.scope === scope)
  const found = fitting.find((one) => existsSync(one.path)) ?? fitting[0]
  if (file !== undefined) return { path: resolve(file), scope, block: (found ?? all[0])?.block ?? ['mcpServers'] }
  if (found === undefined) throw ToolError.of('ValidationError', `${client.title} has no project file.`)
  return found
}

function hostEntry(client: Client, { http: where, config }: InstallOptions): JsonObject {
  const http = where !== undefined && /^\d+$/.test(where) ? `http://127.0.0.1:${where}/mcp` : where
  if (http !== undefined) {
    if (!/^https?:$/.test(URL.parse(http)?.protocol ?? ''))
      throw ToolError.of(
        'ValidationError',
        `--http needs the URL of the host, such as http://127.0.0.1:7350/mcp, not ${http}.`,
      )
    const entry = client.urlEntry(http)
    if (entry !== undefined) return entry
    throw ToolError.of(
      'ValidationError',
      `${client.title} does not support URLs. Omit --http, so that it starts the host itself.`,
    )
  }
  const path = resolve(config ?? HOST_FILE)
  if (!existsSync(path))
    throw ToolError.of(
      'FileNotFoundError',
      `${path} does not exist. Write it first, or import your servers: npx myrmex host import`,
    )
  const [program, ...args] = ownCommand()
  return client.commandEntry(program, [...args, 'host', '--stdio', '--config', path])
}

/** Full paths, because a desktop client does not have the terminal's PATH. A copy in npx's cache is started through npx. */
function ownCommand(): [program: string, ...args: string[]] {
  const script = realpathSync(process.argv[1] ?? '')
  return /[/\\]_npx[/\\]/.test(script) ? ['npx', '-y', 'myrmex'] : [process.execPath, script]
}

/** The name may belong to a server that is not this host. */
function refuseOtherServer({ before }: EditedText, name: string, { as, remove }: InstallOptions): void {
  if (before === undefined || isHostEntry(before)) return
  const instead = remove ? 'remove it by hand' : 'choose another name with --as'
  throw ToolError.of(
    'ConflictError',
    `${name} has a server ${as} that is not this host; ${instead}. Nothing was changed.`,
  )
}

function isHostEntry(entry: unknown): boolean {
  if (!isObject(entry)) return false
  if (startsHost(entry)) return true
  const { url, serverUrl, httpUrl } = entry
  const reached = url ?? serverUrl ?? httpUrl
  return typeof reached === 'string' && /\/mcp\/?$/.test(reached) && isBareUrlEntry(entry)
}

/** An entry with a URL that we wrote has only the keys that the client needs for one. */
const isBareUrlEntry = (entry: Record<string, unknown>): boolean =>
  CLIENTS.some((client) => {
    const keys = Object.keys(client.urlEntry('http://127.0.0.1/mcp') ?? {})
    return keys.length > 0 && keys.length === Object.keys(entry).length && keys.every((key) => key in entry)
  })

/** Only the removed and the added text: there may be secrets on the same line. */
function differences(text: string, { edits }: EditedText): string[] {
  return edits.flatMap(({ offset, length, content }) => {
    const line = text.slice(0, offset).split('\n').length
    const taken = text.slice(offset, offset + length)
    return [
      ...lines(taken).map((part) => paint('red', `${line}: - ${jsonLine(part)}`)),
      ...lines(content).map((part) => paint('green', `${line}: + ${jsonLine(part)}`)),
    ]
  })
}

const lines = (text: string): string[] => text.split(/\r?\n/).filter((line) => line.trim() !== '')

/** A client that still has other servers reaches them without the host's gates. */
async function warnAboutOthers(client: Client, { path, block }: ClientFile, as: string): Promise<void> {
  const others = ((await readClientServers(path, block)) ?? []).filter(({ name }) => name !== as)
  if (others.length === 0) return
  const names = others.map(({ name }) => oneLine(name, 60)).join(', ')
  say(`${client.title} still reaches ${names} directly, without the host's gates`)
  say('import them with `npx myrmex host import`, then remove them from that file')
}
