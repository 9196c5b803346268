/** The same agent in this process, in a child and behind a URL, each as a fleet of its own; and what ends all of it. */

import { mkdtempSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer, listenHttp, type Server, type Tool, type ToolResult } from 'myrmex'
import { type CallOptions, connect } from 'myrmex/client'
import { type Fleet, type FleetAgent, type FleetConfig, type FleetOptions, openFleet } from 'myrmex/fleet'
import { onTestFinished } from 'vitest'
import type { TrustLevel } from '../../packages/myrmex/src/ledger/decisions/trust-row.ts'
import { loadModule } from '../../packages/myrmex/src/tool/discovery/module.ts'
import { runToEnd } from '../cli/run-to-end.ts'
import { CLI, fixturePath } from '../paths.ts'

export const FIXTURES = fixturePath('fleet')

type Place = FleetConfig['agents'][string]

/** Whatever is opened on it is ended with it, the last first. */
export class FleetStage {
  readonly #ends: (() => unknown)[] = []
  /** closes what was last listened on */
  shut: () => Promise<void> = async () => {}

  later(end: () => unknown): void {
    this.#ends.push(end)
  }

  async end(): Promise<void> {
    for (const end of this.#ends.splice(0).reverse()) await end()
  }

  folder(): string {
    const folder = mkdtempSync(join(tmpdir(), 'myrmex-fleet-'))
    this.later(() => rmSync(folder, { recursive: true, force: true }))
    return folder
  }

  /** In a folder of its own, where its ledger is. */
  child(file: string): Place {
    return { command: process.execPath, args: [CLI, 'serve', join(FIXTURES, file)], cwd: this.folder() }
  }

  /** Trusts tools on the remote side too, where their undo passes the gates once more. */
  async trustedThere(where: FleetAgent['where'], file: string, tools: readonly string[]): Promise<Place> {
    if (where === 'in-process') return { module: file }
    if (where === 'child') {
      const place = this.child(file) as Place & { cwd: string }
      const ledger = join('.myrmex', 'agents', String(file.split('.')[0]), 'ledger.db')
      for (const name of tools)
        await runToEnd(['trust', name, '--yes', '--file', join(FIXTURES, file), '--ledger', ledger], { cwd: place.cwd })
      return place
    }
    const server = createServer({ name: 'far', version: '3.0.0', observe: () => {} })
    server.add(await loadModule(join(FIXTURES, file)))
    for (const name of tools) await server.ledger.trustTool(server.registry.find(name) as Tool, 'test')
    return this.listen(server)
  }

  async url(file: string): Promise<Place> {
    const server = createServer({ name: 'far', version: '3.0.0', observe: () => {} })
    server.add(await loadModule(join(FIXTURES, file)))
    return this.listen(server)
  }

  async listen(server: Server, port = 0, token?: string): Promise<Place & { url: string }> {
    const { url, close } = await listenHttp(server, { port, ...(token !== undefined && { token }) })
    const shut = (): Promise<void> => close()
    this.later(shut)
    this.shut = shut
    return { url }
  }

  async place(where: FleetAgent['where'], file: string): Promise<Place> {
    if (where === 'in-process') return { module: file }
    return where === 'child' ? this.child(file) : this.url(file)
  }

  async fleet(agents: Record<string, Place>, options: FleetOptions = {}): Promise<Fleet> {
    const fleet = await openFleet({ agents }, { folder: FIXTURES, stderr: 'ignore', observe: () => {}, ...options })
    this.later(() => fleet.close())
    return fleet
  }
}

/** Ended when the test is over. */
export function fleetStage(): FleetStage {
  const own = new FleetStage()
  onTestFinished(() => own.end())
  return own
}

/** So are plans and verdicts of agents elsewhere. */
export async function trustAgents(fleet: Fleet): Promise<void> {
  for (const { name } of fleet.agents)
    for (const method of ['plan', 'critique']) {
      const definition = fleet.host.definition(`agent:${name}.${method}`)
      if (definition !== undefined) await trust(fleet, definition, 'verified')
    }
}

/** Tools from elsewhere are refused until somebody has reviewed them. */
export async function trustAll(fleet: Fleet): Promise<void> {
  await trustAgents(fleet)
  for (const tool of fleet.server.registry) await trust(fleet, tool, tool.destructive ? 'trusted' : 'verified')
}

const trust = ({ server }: Fleet, { name, version, hash }: Tool, level: TrustLevel): Promise<void> =>
  server.ledger.trust.set({ tool: name, version, hash }, level, 'test')

export function isAlive(pid: number | undefined): boolean {
  try {
    return pid !== undefined && process.kill(pid, 0)
  } catch {
    return false
  }
}

/** The processes that this one has started and that are still there. */
export async function childrenOf(pid: number): Promise<string[]> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')
  return children.split(' ').filter((child) => child !== '')
}

/** One call through the fleet, as any client makes it. */
export async function call({ server }: Fleet, name: string, args = {}, options: CallOptions = {}): Promise<ToolResult> {
  const connection = await connect(server)
  try {
    return await connection.call(name, args, options)
  } finally {
    await connection.close()
  }
}

export const CLERK = { module: 'clerk.agent.ts' }
export const fileLetter = (fleet: Fleet): Promise<ToolResult> => call(fleet, 'clerk.file_letter', { letter: 'abc' })
