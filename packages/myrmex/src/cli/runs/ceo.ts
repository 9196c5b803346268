/** `myrmex ceo`: serves the fleet's leader over MCP, on stdio or over HTTP, until EOF or a signal. */
import { existsSync } from 'node:fs'
import type { Agent } from '../../agent/agent.ts'
import { ceo, trustCeo } from '../../agent/ceo.ts'
import { FLEET_FILE } from '../../agent/fleet/find-fleet.ts'
import { type RunEnvironmentOptions, withRuns } from '../../agent/run/environment.ts'
import type { Runs } from '../../agent/run/runs.ts'
import { runWorker } from '../../agent/run/worker.ts'
import { cliOperator } from '../../ledger/decisions/operator-name.ts'
import type { Policy } from '../../pipeline/rules/policy.ts'
import { loadRules } from '../../serve/operator-file.ts'
import { type AccessFlags, noteUnusedAccess } from '../../serve/options.ts'
import { listenWithToken } from '../../serve/serving.ts'
import { reportError, untilSignal } from '../../serve/signals.ts'
import { say } from '../../serve/terminal.ts'
import { createServer, type Server } from '../../server/server.ts'
import { claimStdout } from '../../transport/process-streams.ts'
import { serveStdio } from '../../transport/stdio.ts'
import { announceLedger, chooseFolder } from '../choose-folder.ts'

export interface CeoServeOptions extends RunEnvironmentOptions, AccessFlags {
  http?: number
  host: string
}

export async function serveCeo(given: CeoServeOptions): Promise<void> {
  // Before anything is loaded: an agent file's output must not mix with the messages.
  const output = given.http === undefined ? claimStdout() : undefined
  if (output !== undefined) noteUnusedAccess(given, say)
  const options = withFolder(given)
  const ended = untilSignal()
  process.on('unhandledRejection', reportError)
  await withRuns(options, { note: say }, async (runs) => {
    const worker = await runWorker(runs, options.ledger)
    const { policy } = await loadRules(options)
    const leader = ceo(runs, { onFailure: reportError, ...(worker.enqueue && { enqueue: worker.enqueue }) })
    const operator = cliOperator()
    await trustCeo(runs.environment.ledger, leader, { ...operator, name: `${operator.name}, by myrmex ceo` }, say)
    const server = ceoServer(runs, leader, policy)
    try {
      if (output === undefined) await overHttp(server, options, policy, ended)
      else {
        const stdio = serveStdio(server, { output })
        void ended.then(stdio.stop)
        await stdio.done
      }
    } finally {
      server.close()
      await worker.close()
    }
  })
  process.exit()
}

/** A desktop client starts it anywhere: its ledger and rules are where its fleet is. */
function withFolder(options: CeoServeOptions): CeoServeOptions {
  const { fleet = FLEET_FILE } = options
  // That there is no fleet is reported when it is opened.
  if (!existsSync(fleet)) return options
  const flags = chooseFolder(options, [fleet])
  announceLedger(flags)
  return flags
}

function ceoServer(runs: Runs, leader: Agent, policy: Policy): Server {
  const { name, version, tools, resources, prompts } = leader
  const server = createServer({ name, version, ledger: runs.environment.ledger, policy })
  server.add({ file: 'myrmex ceo', agents: [leader], tools, resources, prompts, scratch: undefined })
  return server
}

async function overHttp(server: Server, options: CeoServeOptions, policy: Policy, ended: Promise<void>): Promise<void> {
  const listening = await listenWithToken(server, options, policy)
  say(`the CEO is at ${listening.url}`)
  say(`try: npx myrmex tools --url ${listening.url}`)
  await ended
  await listening.close()
}
