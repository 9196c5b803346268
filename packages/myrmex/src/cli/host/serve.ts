/**
 * `myrmex host`: serves the servers of myrmex.json at one endpoint, on stdio or over HTTP, until EOF or a signal:
 *
 * 1. Everything that can be wrong is checked: files, tokens, address.
 * 2. It listens and answers, whatever the servers do. Lists wait a little for them.
 * 3. The servers are started. Those that take longer are added when they are ready.
 */

import { existsSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import type { Writable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { closeInherited } from '../../host/child/close-inherited.ts'
import { HOST_FILE, type HostFile, readHostFile } from '../../host/config/read-host-file.ts'
import type { HostFileWatch } from '../../host/config/watch-host-file.ts'
import { holdLists } from '../../host/hold-lists.ts'
import { openHost } from '../../host/host.ts'
import { requireProfile } from '../../host/profiles/require-profile.ts'
import { DEFAULT_LEDGER } from '../../ledger/open.ts'
import { MYRMEX_FOLDER, makePrivateFolder } from '../../ledger/private-folder.ts'
import { approvalSettings } from '../../pipeline/rules/approval-settings.ts'
import type { Policy } from '../../pipeline/rules/policy.ts'
import { ToolError } from '../../protocol/errors.ts'
import { plural } from '../../protocol/text.ts'
import { announceHost, announceServers } from '../../serve/announce.ts'
import { checkAccess } from '../../serve/check-access.ts'
import { workingDirectory } from '../../serve/command-folder.ts'
import { acceptFolder, requireFolder } from '../../serve/folder-trust.ts'
import type { LedgerFlags } from '../../serve/ledger.ts'
import { checkOperatorToken, type HostListener, listenHost } from '../../serve/listen-host.ts'
import { loadBeforeChildren } from '../../serve/load-before-children.ts'
import type { RulesFlags } from '../../serve/operator-file.ts'
import { type AccessFlags, accessFlags, noteUnusedAccess } from '../../serve/options.ts'
import { protectedPaths } from '../../serve/protected-paths.ts'
import { reloadOnChange } from '../../serve/reload.ts'
import { type RulesWatch, reloadRulesOnChange } from '../../serve/reload-rules.ts'
import { openServingParts, serveUntilEof } from '../../serve/serving.ts'
import { stopOnSignal } from '../../serve/signals.ts'
import { keepHeapSmall } from '../../serve/small-heap.ts'
import { fail, say } from '../../serve/terminal.ts'
import { claimStdout } from '../../transport/process-streams.ts'
import { openHostLog } from './host-log.ts'

export interface HostCommandOptions extends LedgerFlags, RulesFlags, AccessFlags {
  config?: string
  http?: number
  stdio?: boolean
  host?: string
  name?: string
  list?: 'all' | 'search'
  watch: boolean
  profile?: string
  open?: boolean
  state?: string
}

/** The summary that is printed waits this long for servers that are still starting. */
const START_WAIT_MS = 8000

/** The options and the configuration of the host, and where it listens. */
interface HostStart {
  readonly options: HostCommandOptions
  /** myrmex.json, and its folder */
  readonly path: string
  readonly folder: string
  readonly file: HostFile
  readonly address: string
  /** undefined: it speaks on stdio */
  readonly port: number | undefined
}

export async function serveHost(options: HostCommandOptions): Promise<void> {
  const path = options.config ?? HOST_FILE
  const folder = dirname(resolve(path))
  // A configuration that the operator named is believed, and so is what is beside it.
  if (options.config !== undefined) acceptFolder(folder)
  const file = await readConfig(path)
  const port = options.stdio ? undefined : (options.http ?? file.host.port)
  // Before any module is loaded: its output must not mix with the messages.
  const output = port === undefined ? claimOutput(options) : undefined
  checkProfile(file, options.profile, output !== undefined)
  for (const note of file.notes) say(`${path}: ${note}`)
  const start = { options, path, folder, file, address: options.host ?? file.host.address ?? '127.0.0.1', port }
  const opened = await openServedHost(start)
  const { host, ledger, policy } = opened
  const announcer = announceServers(host)
  const names = file.settings.map(({ name }) => name)
  const releaseLists = holdLists(host, names, file.host.startWaitMs)
  let watch: HostFileWatch | undefined
  let rules: RulesWatch | undefined
  const end = async (): Promise<never> => {
    announcer.stop()
    await watch?.close()
    await rules?.close()
    await opened.close()
    return process.exit()
  }
  closeInherited()
  // First of all, so that a port in use and another host are found before any server is started.
  const listening = await listenIfAsked(start, opened, names.length).catch(async (error) => {
    process.exitCode = fail(error).exitCode
    return end()
  })
  const stopped = output === undefined ? untilStopped() : serveUntilEof(host.server, output, options.profile)
  host.notifier.configure(file.announcements)
  // Code that the host needs later is loaded before any child runs.
  await loadBeforeChildren(output === undefined, policy)
  const started = host.replace(file.settings).finally(releaseLists)
  // A server that never answers has started when its time to open is over.
  keepHeapSmall(started)
  const begun = (async () => {
    watch = await reloadOnChange(path, host, file, ledger.lock, { isWatched: options.watch })
    host.reload = watch.reload
    if (options.watch) rules = await reloadRulesOnChange(opened.rulesFlags, host.server.pipeline, ledger.lock)
    if (rules !== undefined) rules.onPolicy = listening?.setPolicy
    await Promise.race([started, pause(START_WAIT_MS, undefined, { ref: false })])
    announcer.announceAll(file)
    if (listening !== undefined) await announceHost(host, listening, opened)
    if (process.stderr.isTTY && opened.listen.logs !== undefined) say('what servers write: npx myrmex host logs NAME')
  })()
  await Promise.race([stopped, begun.then(() => stopped)])
  if (listening !== undefined) say('stopping after the requests in flight')
  await listening?.close()
  return end()
}

function claimOutput(options: HostCommandOptions): Writable {
  const output = claimStdout()
  noteUnusedAccess(options, say)
  if (process.stdin.isTTY && !options.stdio)
    say('speaking MCP on stdin and stdout; to listen on a port, add --http 7350')
  return output
}

const untilStopped = (): Promise<void> => new Promise((stop) => stopOnSignal(stop))

/** The host without servers, its ledger and its logs. Everything that can be wrong with tokens and addresses is refused. */
async function openServedHost(start: HostStart) {
  const { options, path, folder, file, port } = start
  const state = stateFolder(options, folder)
  const own = join(state, 'host')
  // The operator's files and the ledger are beside the configuration, wherever a client starts the host from.
  const flags = { ...options, ledger: options.ledger ?? join(state, basename(DEFAULT_LEDGER)), rulesFolder: folder }
  // The commands that are printed from here on use the ledger of the folder in which they are typed.
  if (options.ledger === undefined && options.state === undefined && folder !== workingDirectory())
    say(`run myrmex commands for this host in ${folder}`)
  const logs = openHostLog(own, file.host.logs)
  const { policy, constitution, ledger, countFailures } = await openServingParts(flags)
  if (port !== undefined) await checkOperatorToken(policy)
  await checkCallers(start, policy)
  ledger.lock.fileMayTrust = options.open ?? file.host.open
  const host = await openHost({
    settings: [],
    name: options.name ?? file.host.name,
    ledger,
    policy,
    constitution,
    approvals: approvalSettings(policy.waiting, file.approvals),
    cacheFolder: own,
    protect: protectedPaths(flags, folder, state),
    log: logs.record,
  })
  // Takes as long as all that follows until the first server can be started.
  host.prepareSandbox(file.settings)
  logs.isServer = (name) => host.has(name)
  countFailures(host.server)
  host.server.pipeline.profiles.replace(file.profiles)
  const list = options.list ?? file.host.list
  const { addSearchTools } = await import('../../host/search/search-tools.ts')
  const listCost = addSearchTools(host.server, host.view, { list, always: file.host.alwaysList })
  return {
    ...{ host, ledger, policy, list, listCost, rulesFlags: flags },
    /** for the listener */
    listen: {
      ...{ folder, hostFolder: own, configFile: path, requireToken: file.host.requireToken, signIn: file.host.signIn },
      ...(logs.files !== undefined && { logs: logs.files }),
    },
    async close() {
      await host.close()
      await ledger.close()
      logs.close()
    },
  }
}

async function listenIfAsked(
  { options, port, address }: HostStart,
  { host, ledger, policy, listen }: Awaited<ReturnType<typeof openServedHost>>,
  count: number,
): Promise<HostListener | undefined> {
  if (port === undefined) return undefined
  const listening = await listenHost(host, { ...accessFlags(options), ...listen, ledger, policy, port, address }).catch(
    (error) => {
      throw portInUse(error, address, port)
    },
  )
  say(`listening at ${listening.url}${count === 0 ? '' : `; starting ${plural(count, 'server')}`}`)
  return listening
}

/** Has the ledger, the listing cache, the logs, and the address and token of the host. */
function stateFolder({ state }: HostCommandOptions, folder: string): string {
  if (state === undefined) return join(folder, MYRMEX_FOLDER)
  const path = resolve(state)
  makePrivateFolder(path)
  return path
}

/** On a port every client chooses its own. */
function checkProfile({ profiles }: HostFile, name: string | undefined, isOnStdio: boolean): void {
  if (name === undefined) return
  if (!isOnStdio)
    throw ToolError.of(
      'ValidationError',
      `--profile is for stdio. Over HTTP, clients connect to /mcp/p/${name}, or have a token of that profile (npx myrmex tokens create).`,
    )
  requireProfile(
    name,
    profiles.map((profile) => profile.name),
  )
}

async function checkCallers({ port, address, options, file }: HostStart, policy: Policy): Promise<void> {
  const { signIn, requireToken } = file.host
  if (port !== undefined)
    return checkAccess(address, options, policy, { requireToken, signIn: signIn && { config: signIn, port } })
  if (signIn !== undefined) say('host.sign_in has no effect on stdio; to listen on a port, add --http 7350')
}

function portInUse(error: unknown, address: string, port: number | undefined): unknown {
  if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') return error
  return ToolError.of(
    'UnavailableError',
    `Port ${port} of ${address} is in use, perhaps by a running host (npx myrmex host status). Choose another with --http.`,
  )
}

async function readConfig(path: string): Promise<HostFile> {
  try {
    if (existsSync(path)) await requireFolder(dirname(resolve(path)))
    return await readHostFile(path)
  } catch (error) {
    if (!(error instanceof ToolError) || error.error_type !== 'FileNotFoundError') throw error
    throw ToolError.of(
      'FileNotFoundError',
      `${path} does not exist. To import the servers of your clients: npx myrmex host import\n` +
        'Or write it: { "mcpServers": { "files": { "command": "npx", "args": ["-y", "@modelcontextprotocol/server-filesystem", "."] } } }',
    )
  }
}
