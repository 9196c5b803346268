/** Two folders that are alike, and a host before the servers in one of them: what a comparison stands on. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runToEnd } from '@myrmex/testing/cli/run-to-end'
import { vi } from 'vitest'
import { type ForeignServer, rootsOf } from './foreign-servers.ts'
import { type HostProcess, ledgerArgs, startHost } from './host-process.ts'
import type { ComparisonSide } from './session.ts'

/** A server, and what the host calls it. */
export interface PlacedServer {
  readonly foreign: ForeignServer
  readonly name: string
}

export interface ComparisonOptions {
  /** of the host, besides what it has */
  readonly env?: Readonly<Record<string, string>>
  /** Clients on it have none to tell, so the host is given none either. */
  readonly rootless?: true
}

/** HOST_CONTROL=direct holds the servers against themselves: what differs then is the comparison's fault. */
const isControl = process.env.HOST_CONTROL === 'direct'

export class Comparison {
  readonly #top: string
  readonly #host: HostProcess | undefined

  private constructor(top: string, host: HostProcess | undefined) {
    this.#top = top
    this.#host = host
  }

  static async open(
    placed: readonly PlacedServer[],
    { env = {}, rootless }: ComparisonOptions = {},
  ): Promise<Comparison> {
    const top = mkdtempSync(join(tmpdir(), 'myrmex-same-'))
    const entries = placed.map(({ foreign, name }) => {
      const folder = folderOf(top, 'hosted', foreign)
      foreign.prepare(folder)
      const roots = rootless ? [] : rootsOf(folder)
      return [name, { ...foreign.entry(folder), trust: 'trusted' as const, roots }] as const
    })
    const host = isControl ? undefined : await startHost(top, Object.fromEntries(entries), env)
    return new Comparison(top, host)
  }

  /** The host serves before its slowest server is ready. */
  async allReady(names: readonly string[]): Promise<void> {
    await vi.waitFor(
      () => {
        const said = this.#host?.said() ?? ''
        const missing = names.filter((name) => this.#host !== undefined && !said.includes(`myrmex: ${name}: ready`))
        if (missing.length > 0) throw new Error(`Not ready: ${missing}.\n${said}`)
      },
      { timeout: 120_000, interval: 100 },
    )
  }

  get host(): HostProcess | undefined {
    return this.#host
  }

  /** Runs a command of the operator on the host's ledger. Throws what it printed if it fails. */
  async operate(...args: readonly string[]): Promise<void> {
    if (this.#host === undefined) return
    const { code, stdout, stderr } = await runToEnd([...args, ...ledgerArgs(this.#top)], { cwd: this.#top })
    if (code !== 0) throw new Error(`myrmex ${args.join(' ')} ended with ${code}:\n${stdout}${stderr}`)
  }

  direct(foreign: ForeignServer): ComparisonSide {
    return this.#direct(foreign, 'direct')
  }

  /** Its folder is as it was at first. */
  #direct(foreign: ForeignServer, where: 'direct' | 'hosted'): ComparisonSide {
    const folder = folderOf(this.#top, where, foreign)
    foreign.prepare(folder)
    const { command, args, env } = foreign.entry(folder)
    const target = { kind: 'stdio' as const, command, args: [...args], env: { ...env } }
    return { target, server: undefined, scheme: foreign.scheme, folder, roots: rootsOf(folder) }
  }

  hosted({ foreign, name }: PlacedServer): ComparisonSide {
    const side = this.#direct(foreign, 'hosted')
    if (this.#host === undefined) return side
    return { ...side, target: { kind: 'http', url: this.#host.url }, server: name }
  }

  async close(): Promise<void> {
    await this.#host?.end()
    rmSync(this.#top, { recursive: true, force: true })
  }
}

/** Both are as long: sizes and line breaks are the same. */
function folderOf(top: string, side: 'direct' | 'hosted', { name }: ForeignServer): string {
  const folder = join(top, side, name)
  mkdirSync(folder, { recursive: true })
  return folder
}
