/**
 * `myrmex host install`: the host in the configuration of a client, as a program that the client starts or as a URL. Nothing else in
 * that file changes; a copy of it is kept beside it.
 */
import { existsSync, realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import { readClientServers } from '../../host/config/clients/client-servers.ts'
import { CLIENTS, type Client, type ClientFile } from '../../host/config/clients/known-clients.ts'
import { type EditedText, setMember } from '../../host/config/jsonc/edit-jsonc.ts'
import { HOST_FILE } from '../../host/config/read-host-file.ts'
import { ToolError } from '../../protocol/errors.ts'
import { isObject, type JsonObject } from '../../protocol/json.ts'
import { jsonLine, oneLine } from '../../serve/one-line.ts'
import { paint, print, say } from '../../serve/terminal.ts'
import { requireClient, shortPath, thisMachine } from './client.ts'
import { readIfExists, replaceFile } from './replace-file.ts'

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
  const entry = options.remove ? undefined : hostEntry(client, options)
  const text = await readIfExists(file.path)
  const edited = await setMember(text ?? '', file.path, [...file.block, options.as], entry)
  const name = `${client.title} (${shown})`
  if (edited.edits.length === 0) {
    print(options.remove ? `${name} has no ${options.as}` : `${name} has the host already`)
    return
  }
  refuseOtherServer(edited, name, options)
  if (options.dryRun) {
    print(`${shown} would change:`)
    for (const line of differences(text ?? '', edited)) print(line)
    return
  }
  const { backup } = await replaceFile(file.path, text, edited.text)
  if (backup !== undefined) say(`what was there is kept in ${shortPath(backup, thisMachine())}`)
  print(options.remove ? `${name} does not use the host any more` : `${name} uses the host now, as ${options.as}`)
  print(`Start ${client.title} again to have it see that.`)
  if (!options.remove) await warnAboutOthers(client, file, options.as)
}

/** A file that is there goes before one that is not: a client may have several places for it. */
function configFileFor(client: Client, { project, file }: InstallOptions): ClientFile {
  const all = client.files(thisMachine())
  const scope = project ? 'project' : 'user'
  const fitting = all.filter((one) => one.scope === scope)
  const found = fitting.find((one) => existsSync(one.path)) ?? fitting[0]
  if (file !== undefined) return { path: resolve(file), scope, block: (found ?? all[0])?.block ?? ['mcpServers'] }
  if (found === undefined) throw ToolError.of('ValidationError', `${client.title} has no file of its own in a project.`)
  return found
}

function hostEntry(client: Client, { http: where, config }: InstallOptions): JsonObject {
  const http = where !== undefined && /^\d+$/.test(where) ? `http://127.0.0.1:${where}/mcp` : where
  if (http !== undefined) {
    if (!/^https?:$/.test(URL.parse(http)?.protocol ?? ''))
      throw ToolError.of(
        'ValidationError',
        `--http wants the URL of the host, such as http://127.0.0.1:7350/mcp, not ${http}.`,
      )
    const entry = client.urlEntry(http)
    if (entry !== undefined) return entry
    throw ToolError.of(
      'ValidationError',
      `The file of ${client.title} knows no URLs. Leave --http out: it then starts the host itself.`,
    )
  }
  const path = resolve(config ?? HOST_FILE)
  if (!existsSync(path))
    throw ToolError.of(
      'FileNotFoundError',
      `${path} does not exist. Write it first, or take over what you have: npx myrmex host import`,
    )
  const [program, ...args] = ownCommand()
  return client.commandEntry(program, [...args, 'host', '--stdio', '--config', path])
}

/** By full paths: a client with a window knows nothing of the PATH in a terminal. What npx has only borrowed is asked of npx again. */
function ownCommand(): [program: string, ...args: string[]] {
  const script = realpathSync(process.argv[1] ?? '')
  return /[/\\]_npx[/\\]/.test(script) ? ['npx', '-y', 'myrmex'] : [process.execPath, script]
}

/** Somebody may have a server of that name that is not this host. */
function refuseOtherServer({ before }: EditedText, name: string, { as, remove }: InstallOptions): void {
  if (before === undefined || isHostEntry(before)) return
  const instead = remove ? 'take it out by hand' : 'give another name with --as'
  throw ToolError.of(
    'ConflictError',
    `${name} has a server ${as} that is not this host; ${instead}. Nothing was changed.`,
  )
}

function isHostEntry(entry: unknown): boolean {
  if (!isObject(entry)) return false
  const { command, args, url, serverUrl, httpUrl } = entry
  const words = [command, args].flat().map(String)
  if (words.includes('host') && words.some((word) => /(^|[/\\])myrmex(\.js)?$/.test(word))) return true
  const reached = url ?? serverUrl ?? httpUrl
  return typeof reached === 'string' && /\/mcp\/?$/.test(reached) && isBareUrlEntry(entry)
}

/** Written by us, an entry with a URL has nothing else in it but how to speak to it. */
const isBareUrlEntry = (entry: Record<string, unknown>): boolean =>
  CLIENTS.some((client) => {
    const keys = Object.keys(client.urlEntry('http://127.0.0.1/mcp') ?? {})
    return keys.length > 0 && keys.length === Object.keys(entry).length && keys.every((key) => key in entry)
  })

/** What is taken out and put in, and nothing around it: there may be secrets on the same line. */
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

/** Servers that stand beside the host are reached past it, without any of its gates. */
async function warnAboutOthers(client: Client, { path, block }: ClientFile, as: string): Promise<void> {
  const others = ((await readClientServers(path, block)) ?? []).filter(({ name }) => name !== as)
  if (others.length === 0) return
  const names = others.map(({ name }) => oneLine(name, 60)).join(', ')
  say(`${client.title} still reaches ${names} past the host, without its gates`)
  say('take them over with `npx myrmex host import`, then take them out of that file')
}
