/**
 * `myrmex host`: serves the servers of myrmex.json at one endpoint, on stdio or over HTTP, until EOF or a signal. It answers soon
 * after its start; servers that take longer are added when they are ready.
 */

import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { closeInherited } from '../../host/child/close-inherited.ts'
import { HOST_FILE, type HostFile, readHostFile } from '../../host/config/read-host-file.ts'
import { openHost } from '../../host/host.ts'
import type { LogLevel } from '../../host/upstream/upstream-deps.ts'
import { DEFAULT_LEDGER } from '../../ledger/open.ts'
import { approvalSettings } from '../../pipeline/rules/approval-settings.ts'
import { ToolError } from '../../protocol/errors.ts'
import { announceHost, announceServers } from '../../serve/announce.ts'
import { checkAccess } from '../../serve/check-access.ts'
import { workingDirectory } from '../../serve/command-folder.ts'
import { acceptFolder, requireFolder } from '../../serve/folder-trust.ts'
import type { LedgerFlags } from '../../serve/ledger.ts'
import { HOST_FOLDER, listenHost } from '../../serve/listen-host.ts'
import { loadBeforeChildren } from '../../serve/load-before-children.ts'
import type { RulesFlags } from '../../serve/operator-file.ts'
import { type AccessFlags, accessFlags, noteUnusedAccess } from '../../serve/options.ts'
import { protectedPaths } from '../../serve/protected-paths.ts'
import { reloadOnChange } from '../../serve/reload.ts'
import { openServingParts, serveUntilEof } from '../../serve/serving.ts'
import { stopOnSignal } from '../../serve/signals.ts'
import { clean, fail, say } from '../../serve/terminal.ts'
import { log } from '../../server/log.ts'
import { claimStdout } from '../../transport/process-streams.ts'

export interface HostCommandOptions extends LedgerFlags, RulesFlags, AccessFlags {
  config?: string
  http?: number
  stdio?: boolean
  host?: string
  name?: string
  list?: 'all' | 'search'
  watch: boolean
  open?: boolean
}

/** How long clients wait for servers that are still starting. */
const START_WAIT_MS = 8000

export async function serveHost(options: HostCommandOptions): Promise<void> {
  const path = options.config ?? HOST_FILE
  const folder = dirname(resolve(path))
  // A configuration that the operator named is believed, and so is what is beside it.
  if (options.config !== undefined) acceptFolder(folder)
  const file = await readConfig(path)
  const port = options.stdio ? undefined : (options.http ?? file.host.port)
  // Before any module is loaded: its output must not mix with the messages.
  const output = port === undefined ? claimStdout() : undefined
  if (output !== undefined) noteUnusedAccess(options, say)
  if (output !== undefined && process.stdin.isTTY && !options.stdio)
    say('speaking MCP on stdin and stdout; to listen on a port, add --http 7350')
  for (const note of file.notes) say(`${path}: ${note}`)
  // The operator's files and the ledger are beside the configuration, wherever a client starts the host from.
  const flags = { ...options, ledger: options.ledger ?? join(folder, DEFAULT_LEDGER), rulesFolder: folder }
  // The commands that are printed from here on use the ledger of the folder in which they are typed.
  if (options.ledger === undefined && folder !== workingDirectory())
    say(`run myrmex commands for this host in ${folder}`)
  const { policy, constitution, ledger, countFailures } = await openServingParts(flags)
  const address = options.host ?? file.host.address ?? '127.0.0.1'
  if (port !== undefined) await checkAccess(address, options, policy)
  ledger.lock.fileMayTrust = options.open ?? file.host.open
  const host = await openHost({
    settings: [],
    name: options.name ?? file.host.name,
    ledger,
    policy,
    constitution,
    approvals: approvalSettings(policy.waiting, file.approvals),
    cacheFolder: join(folder, HOST_FOLDER),
    protect: protectedPaths(flags, folder),
    log: logLine,
  })
  countFailures(host.server)
  const list = options.list ?? file.host.list
  const { addSearchTools } = await import('../../host/search/search-tools.ts')
  const listCost = addSearchTools(host.server, host.view, { list, always: file.host.alwaysList })
  const announcer = announceServers(host)
  await loadBeforeChildren(output === undefined, policy)
  closeInherited()
  await Promise.race([host.replace(file.settings), pause(START_WAIT_MS, undefined, { ref: false })])
  announcer.announceAll(file)
  const watch = options.watch ? await reloadOnChange(path, host, file, ledger.lock) : undefined
  const end = async (): Promise<never> => {
    announcer.stop()
    await watch?.close()
    await host.close()
    await ledger.close()
    return process.exit()
  }
  if (output !== undefined) {
    await serveUntilEof(host.server, output)
    return end()
  }
  const listening = await listenHost(host, {
    ...accessFlags(options),
    ledger,
    policy,
    folder,
    port: port ?? 0,
    address,
  }).catch(async (error) => {
    // Reported before the servers are stopped, which may take a while. They must not keep running unused.
    process.exitCode = fail(portInUse(error, address, port)).exitCode
    return end()
  })
  await announceHost(host, listening, { list, tokens: listCost(), ledger })
  await new Promise<void>((stop) => stopOnSignal(stop))
  say('stopping after the requests in flight')
  await listening.close()
  return end()
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

/** A child's stderr can contain anything: `clean` removes control characters. */
function logLine(level: LogLevel, line: string): void {
  if (process.stderr.isTTY && level !== 'debug') say(clean(line))
  else log[level]({}, line)
}
