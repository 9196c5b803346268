/** `myrmex serve`: serves tool files over MCP, on stdio or over HTTP, until EOF or a signal. */

import { resolve } from 'node:path'
import { plural } from '../../protocol/text.ts'
import { loadConstitution } from '../../serve/constitution.ts'
import { type LedgerFlags, openChosenLedger } from '../../serve/ledger.ts'
import { loadPolicy } from '../../serve/policy.ts'
import { pruneRegularly } from '../../serve/retention.ts'
import { stopOnSignal } from '../../serve/signals.ts'
import { say } from '../../serve/terminal.ts'
import { offerDebugError } from '../../server/debug-error.ts'
import { log } from '../../server/log.ts'
import { claimStdout, serveStdio } from '../../transport/stdio.ts'
import { loadServer, reportFailures } from './load.ts'

export interface ServeOptions extends LedgerFlags {
  http?: number
  host: string
  name: string
  watch?: boolean
  policy?: string
  constitution?: string
}

export async function serve(files: string[], options: ServeOptions): Promise<void> {
  // Before anything is loaded: a tool file's output must not mix with the messages.
  const output = options.http === undefined ? claimStdout() : undefined
  const policy = await loadPolicy(options.policy)
  const constitution = await loadConstitution(options.constitution)
  let failed = (): void => {}
  const ledger = await openChosenLedger(options, {
    onFailure: (thrown) => {
      failed()
      log.error({ thrown }, 'the ledger failed')
    },
  })
  const { server, modules, failures } = await loadServer(files, { name: options.name, ledger, policy, constitution })
  const count = server.measures.counter('myrmex_ledger_failures_total', 'Times the ledger failed.')
  failed = () => count.inc()
  reportFailures(failures)
  if (server.agent !== undefined) offerDebugError(server)
  if (policy.audit?.keep_days !== undefined) pruneRegularly(ledger, policy.audit.keep_days)
  if (options.watch) {
    const { watchModules } = await import('../../tool/discovery/watch.ts')
    const watching = await watchModules({
      paths: files.map((file) => resolve(file)),
      modules,
      replace: (before, now) => server.replace(before, now),
      onFailure: ({ module, error }) => say(`${module} was not reloaded: ${error}`),
    })
    server.onClose(() => void watching.close())
  }
  if (output !== undefined) {
    const stdio = serveStdio(server, { output })
    stopOnSignal(stdio.stop)
    await stdio.done
    await ledger.close()
    process.exit()
  }
  const { listenHttp } = await import('../../transport/http/listen.ts')
  const token = process.env.MYRMEX_TOKEN
  const listening = await listenHttp(server, {
    port: options.http ?? 0,
    host: options.host,
    policy,
    ...(token !== undefined && { token }),
  })
  const { size } = server.registry
  say(`${plural(size, 'tool')} at ${listening.url}`)
  say(`every call is recorded: npx myrmex audit tail --follow`)
  say(`try: npx myrmex tools --url ${listening.url}`)
  await new Promise<void>((resolve) => stopOnSignal(resolve))
  await listening.close()
  await ledger.close()
  process.exit()
}
