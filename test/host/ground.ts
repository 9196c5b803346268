/** Two folders that are alike, and a host before the servers in one of them: what a comparison stands on. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Hosted, startHost } from './hosted.ts'
import { type Foreign, rootsOf } from './servers.ts'
import type { Side } from './session.ts'

/** A server, and what the host calls it. */
export interface Placed {
  readonly foreign: Foreign
  readonly name: string
}

export interface GroundOptions {
  /** of the host, besides what it has */
  readonly env?: Readonly<Record<string, string>>
  /** Clients on it have none to tell, so the host is given none either. */
  readonly rootless?: true
}

/** HOST_CONTROL=direct holds the servers against themselves: what differs then is the comparison's fault. */
const isControl = process.env.HOST_CONTROL === 'direct'

export class Ground {
  readonly #top: string
  readonly #host: Hosted | undefined

  private constructor(top: string, host: Hosted | undefined) {
    this.#top = top
    this.#host = host
  }

  static async open(placed: readonly Placed[], { env = {}, rootless }: GroundOptions = {}): Promise<Ground> {
    const top = mkdtempSync(join(tmpdir(), 'myrmex-same-'))
    const entries = placed.map(({ foreign, name }) => {
      const folder = folderOf(top, 'hosted', foreign)
      foreign.prepare(folder)
      const roots = rootless ? [] : rootsOf(folder)
      return [name, { ...foreign.entry(folder), trust: 'trusted' as const, roots }] as const
    })
    const host = isControl ? undefined : await startHost(top, Object.fromEntries(entries), env)
    return new Ground(top, host)
  }

  get host(): Hosted | undefined {
    return this.#host
  }

  direct(foreign: Foreign): Side {
    return this.#direct(foreign, 'direct')
  }

  /** Its folder is as it was at first. */
  #direct(foreign: Foreign, where: 'direct' | 'hosted'): Side {
    const folder = folderOf(this.#top, where, foreign)
    foreign.prepare(folder)
    const { command, args, env } = foreign.entry(folder)
    const target = { kind: 'stdio' as const, command, args: [...args], env: { ...env } }
    return { target, server: undefined, scheme: foreign.scheme, folder, roots: rootsOf(folder) }
  }

  hosted({ foreign, name }: Placed): Side {
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
function folderOf(top: string, side: 'direct' | 'hosted', { name }: Foreign): string {
  const folder = join(top, side, name)
  mkdirSync(folder, { recursive: true })
  return folder
}
