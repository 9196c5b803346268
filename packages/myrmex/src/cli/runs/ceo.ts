/** `myrmex ceo`: serves the fleet's leader over MCP, on stdio or over HTTP, until EOF or a signal. */
import type { Writable } from 'node:stream'
import { ceo } from '../../agent/ceo.ts'
import { type RunEnvironmentOptions, withRuns } from '../../agent/run/environment.ts'
import type { Runs } from '../../agent/run/runs.ts'
import { runWorker } from '../../agent/run/worker.ts'
import { loadPolicy } from '../../serve/policy.ts'
import { reportError, untilSignal } from '../../serve/signals.ts'
import { say } from '../../serve/terminal.ts'
import { createServer, type Server } from '../../server/server.ts'
import { claimStdout, serveStdio } from '../../transport/stdio.ts'

export interface CeoServeOptions extends RunEnvironmentOptions {
  http?: number
  host: string
}

export async function serveCeo(options: CeoServeOptions): Promise<void> {
  // Before anything is loaded: an agent file's output must not mix with the messages.
  const output = options.http === undefined ? claimStdout() : undefined
  const ended = untilSignal()
  process.on('unhandledRejection', reportError)
  await withRuns(options, { note: say }, async (runs) => {
    const tending = await runWorker(runs, options.ledger)
    const server = await ceoServer(runs, tending.enqueue, options.policy)
    try {
      await (output === undefined ? overHttp(server, options, ended) : overStdio(server, output, ended))
    } finally {
      server.close()
      await tending.close()
    }
  })
  process.exit()
}

async function ceoServer(
  runs: Runs,
  enqueue: ((run: string) => Promise<void>) | undefined,
  policyFile: string | undefined,
): Promise<Server> {
  const policy = await loadPolicy(policyFile)
  const { ledger } = runs.environment
  const leader = ceo(runs, { onFailure: reportError, ...(enqueue && { enqueue }) })
  const { name, version, tools, resources, prompts } = leader
  const server = createServer({ name, version, ledger, policy })
  server.add({ file: 'myrmex ceo', agents: [leader], tools, resources, prompts, scratch: undefined })
  return server
}

async function overStdio(server: Server, output: Writable, ended: Promise<void>): Promise<void> {
  const stdio = serveStdio(server, { output })
  void ended.then(stdio.stop)
  await stdio.done
}

async function overHttp(server: Server, options: CeoServeOptions, ended: Promise<void>): Promise<void> {
  const { listenHttp } = await import('../../transport/http/listen.ts')
  const token = process.env.MYRMEX_TOKEN
  const policy = await loadPolicy(options.policy)
  const listening = await listenHttp(server, {
    port: options.http ?? 0,
    host: options.host,
    policy,
    ...(token !== undefined && { token }),
  })
  say(`the CEO is at ${listening.url}`)
  say(`try: npx myrmex tools --url ${listening.url}`)
  await ended
  await listening.close()
}
