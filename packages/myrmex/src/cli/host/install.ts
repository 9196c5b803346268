/**
 * `myrmex host install`: the host in the configuration of a client, as a program that the client starts or as a URL. Nothing else in
 * that file changes; a copy of it is kept beside it.
 */
import { existsSync, realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import { clientServers } from '../../host/config/client-servers.ts'
import { CLIENTS, type Client, type ClientFile } from '../../host/config/clients.ts'
import { type Edited, withMember } from '../../host/config/edit.ts'
import { HOST_FILE } from '../../host/config/read.ts'
import { ToolError } from '../../protocol/errors.ts'
import { isObject, type JsonObject } from '../../protocol/json.ts'
import { exactly, oneLine } from '../line.ts'
import { paint, print, say } from '../terminal.ts'
import { knownClient, shortPath, thisMachine } from './machine.ts'
import { replaceFile, textIn } from './replace-file.ts'

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
  const client = knownClient(id)
  const file = fileFor(client, options)
  const shown = shortPath(file.path, thisMachine())
  const entry = options.remove ? undefined : entryFor(client, options)
  const text = await textIn(file.path)
  const edited = await withMember(text ?? '', file.path, [...file.block, options.as], entry)
  const name = `${client.title} (${shown})`
  if (edited.edits.length === 0) {
    print(options.remove ? `${name} has no ${options.as}` : `${name} has the host already`)
    return
  }
  refuseStrangers(edited, name, options)
  if (options.dryRun) {
    print(`${shown} would change:`)
    for (const line of differences(text ?? '', edited)) print(line)
    return
  }
  const { backup } = await replaceFile(file.path, text, edited.text)
  if (backup !== undefined) say(`what was there is kept in ${shortPath(backup, thisMachine())}`)
  print(options.remove ? `${name} does not use the host any more` : `${name} uses the host now, as ${options.as}`)
  print(`Start ${client.title} again to have it see that.`)
  if (!options.remove) await tellOfOthers(client, file, options.as)
}

/** A file that is there goes before one that is not: a client may have several places for it. */
function fileFor(client: Client, { project, file }: InstallOptions): ClientFile {
  const all = client.files(thisMachine())
  const scope = project ? 'project' : 'user'
  const fitting = all.filter((one) => one.scope === scope)
  const found = fitting.find((one) => existsSync(one.path)) ?? fitting[0]
  if (file !== undefined) return { path: resolve(file), scope, block: (found ?? all[0])?.block ?? ['mcpServers'] }
  if (found === undefined)
    throw new ToolError('ValidationError', `${client.title} has no file of its own in a project.`)
  return found
}

function entryFor(client: Client, { http: where, config }: InstallOptions): JsonObject {
  const http = where !== undefined && /^\d+$/.test(where) ? `http://127.0.0.1:${where}/mcp` : where
  if (http !== undefined) {
    if (!/^https?:$/.test(URL.parse(http)?.protocol ?? ''))
      throw new ToolError(
        'ValidationError',
        `--http wants the URL of the host, such as http://127.0.0.1:7350/mcp, not ${http}.`,
      )
    const entry = client.reached(http)
    if (entry !== undefined) return entry
    throw new ToolError(
      'ValidationError',
      `The file of ${client.title} knows no URLs. Leave --http out: it then starts the host itself.`,
    )
  }
  const path = resolve(config ?? HOST_FILE)
  if (!existsSync(path))
    throw new ToolError(
      'FileNotFoundError',
      `${path} does not exist. Write it first, or take over what you have: npx myrmex host import`,
    )
  const [program, ...args] = ourselves()
  return client.started(program, [...args, 'host', '--stdio', '--config', path])
}

/** By full paths: a client with a window knows nothing of the PATH in a terminal. What npx has only borrowed is asked of npx again. */
function ourselves(): [program: string, ...args: string[]] {
  const script = realpathSync(process.argv[1] ?? '')
  return /[/\\]_npx[/\\]/.test(script) ? ['npx', '-y', 'myrmex'] : [process.execPath, script]
}

/** Somebody may have a server of that name that is not this host. */
function refuseStrangers({ before }: Edited, name: string, { as, remove }: InstallOptions): void {
  if (before === undefined || isOurs(before)) return
  const instead = remove ? 'take it out by hand' : 'give another name with --as'
  throw new ToolError(
    'ConflictError',
    `${name} has a server ${as} that is not this host; ${instead}. Nothing was changed.`,
  )
}

function isOurs(entry: unknown): boolean {
  if (!isObject(entry)) return false
  const { command, args, url, serverUrl, httpUrl } = entry
  const words = [command, args].flat().map(String)
  if (words.includes('host') && words.some((word) => /(^|[/\\])myrmex(\.js)?$/.test(word))) return true
  const reached = url ?? serverUrl ?? httpUrl
  return typeof reached === 'string' && /\/mcp\/?$/.test(reached) && isOnlyPlace(entry)
}

/** Written by us, an entry with a URL has nothing else in it but how to speak to it. */
const isOnlyPlace = (entry: Record<string, unknown>): boolean =>
  CLIENTS.some((client) => {
    const keys = Object.keys(client.reached('http://127.0.0.1/mcp') ?? {})
    return keys.length > 0 && keys.length === Object.keys(entry).length && keys.every((key) => key in entry)
  })

/** What is taken out and put in, and nothing around it: there may be secrets on the same line. */
function differences(text: string, { edits }: Edited): string[] {
  return edits.flatMap(({ offset, length, content }) => {
    const line = text.slice(0, offset).split('\n').length
    const taken = text.slice(offset, offset + length)
    return [
      ...lines(taken).map((part) => paint('red', `${line}: - ${exactly(part)}`)),
      ...lines(content).map((part) => paint('green', `${line}: + ${exactly(part)}`)),
    ]
  })
}

const lines = (text: string): string[] => text.split(/\r?\n/).filter((line) => line.trim() !== '')

/** Servers that stand beside the host are reached past it, without any of its gates. */
async function tellOfOthers(client: Client, { path, block }: ClientFile, as: string): Promise<void> {
  const others = ((await clientServers(path, block)) ?? []).filter(({ name }) => name !== as)
  if (others.length === 0) return
  const names = others.map(({ name }) => oneLine(name, 60)).join(', ')
  say(`${client.title} still reaches ${names} past the host, without its gates`)
  say('take them over with `npx myrmex host import`, then take them out of that file')
}
