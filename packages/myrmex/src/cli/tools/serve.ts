/** `myrmex serve`: serves tool files over MCP, on stdio or over HTTP, until EOF or a signal. */

import { resolve } from 'node:path'
import { plural } from '../../protocol/text.ts'
import type { LedgerFlags } from '../../serve/ledger.ts'
import type { RulesFlags } from '../../serve/operator-file.ts'
import { type AccessFlags, noteUnusedAccess } from '../../serve/options.ts'
import { listenWithToken, openServingParts, serveUntilEof } from '../../serve/serving.ts'
import { stopOnSignal } from '../../serve/signals.ts'
import { say } from '../../serve/terminal.ts'
import { offerDebugError } from '../../server/debug-error.ts'
import { claimStdout } from '../../transport/process-streams.ts'
import { announceLedger, chooseFolder } from '../choose-folder.ts'
import { loadServer, reportFailures } from './load.ts'

export interface ServeOptions extends LedgerFlags, RulesFlags, AccessFlags {
  http?: number
  host: string
  name?: string
  watch?: boolean
}

export async function serve(files: string[], given: ServeOptions): Promise<void> {
  // Before anything is loaded: a tool file's output must not mix with the messages.
  const output = given.http === undefined ? claimStdout() : undefined
  if (output !== undefined) noteUnusedAccess(given, say)
  const options = chooseFolder(given, files, given.name)
  const { policy, constitution, ledger, countFailures } = await openServingParts(options)
  announceLedger(options)
  // Before anything is loaded: which file imports which is recorded as it is loaded.
  if (options.watch) (await import('../../tool/discovery/import-graph.ts')).trackImports()
  const { server, modules, failures } = await loadServer(files, {
    ...(options.name !== undefined && { name: options.name }),
    ledger,
    policy,
    constitution,
  })
  countFailures(server)
  reportFailures(failures)
  if (server.agent !== undefined) offerDebugError(server)
  if (options.watch) {
    const { watchModules } = await import('../../tool/discovery/watch.ts')
    const { describeChange, describeReloadFailure } = await import('./describe-change.ts')
    const watching = await watchModules({
      paths: files.map((file) => resolve(file)),
      modules,
      failures,
      replace: (before, now) => server.replace(before, now),
      onFailure: (failure) => say(describeReloadFailure(failure)),
      onChange: (change) => say(describeChange(change)),
    })
    server.onClose(() => void watching.close())
  }
  if (output !== undefined) await serveUntilEof(server, output)
  else {
    const listening = await listenWithToken(server, options, policy)
    say(`${plural(server.registry.size, 'tool')} at ${listening.url}`)
    say(`try: npx myrmex tools --url ${listening.url}`)
    await new Promise<void>((resolve) => stopOnSignal(resolve))
    await listening.close()
  }
  await ledger.close()
  process.exit()
}
