/** The host as its users start it: `myrmex host` on a configuration file, over HTTP, on a ledger of its own. */

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CLI } from '@myrmex/testing/paths'
import type { ServerEntry } from './foreign-servers.ts'

const MAX_START_MS = 60_000

/** One server behind it, in the words of `myrmex.json`. */
export interface ConfiguredServer extends ServerEntry {
  readonly trust?: 'trusted' | 'ask'
  readonly start?: 'eager'
  readonly sessions?: 'shared' | 'caller'
  readonly roots?: readonly string[]
}

export interface HostProcess {
  readonly url: string
  readonly pid: number
  /** what it said so far */
  said(): string
  /** Tells it to end, and waits until it has. Throws where it did not end well. */
  end(): Promise<void>
}

/** The arguments to start it with. */
export function hostArgs(folder: string, servers: Readonly<Record<string, ConfiguredServer>>): string[] {
  const config = join(folder, 'myrmex.json')
  writeFileSync(config, JSON.stringify({ mcpServers: servers }, null, 2))
  // Its ledger has no operator, and the tools that change state are trusted as the file says.
  return [CLI, 'host', '--open', '--config', config, ...ledgerArgs(folder)]
}

export const ledgerArgs = (folder: string): string[] => [
  ...['--ledger', join(folder, 'ledger.db')],
  ...['--ledger-key', join(folder, 'key')],
]

/** No test may leave a host behind. */
const alive = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of alive) child.kill('SIGKILL')
})

export async function startHost(
  folder: string,
  servers: Readonly<Record<string, ConfiguredServer>>,
  more: Readonly<Record<string, string>> = {},
): Promise<HostProcess> {
  const { MYRMEX_POLICY: _, MYRMEX_TOKEN: __, NODE_OPTIONS: ___, ...env } = process.env
  const child = spawn(process.execPath, [...hostArgs(folder, servers), '--http', '0'], {
    cwd: folder,
    env: { ...env, ...more },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  alive.add(child)
  let said = ''
  const ended = once(child, 'exit').finally(() => alive.delete(child))
  const url = await new Promise<string>((resolve, reject) => {
    const late = setTimeout(
      () => reject(new Error(`The host did not start in ${MAX_START_MS} ms: ${said}`)),
      MAX_START_MS,
    )
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      said += text
      const found = /(http:\/\/127\.0\.0\.1:\d+\/mcp)\b/.exec(said)?.[1]
      if (found !== undefined) resolve(found)
    })
    child.once('exit', (code) => reject(new Error(`The host ended with ${code} before it listened: ${said}`)))
    child.once('exit', () => clearTimeout(late))
  })
  return {
    url,
    pid: child.pid as number,
    said: () => said,
    async end() {
      child.kill('SIGTERM')
      const [code, signal] = await ended
      if (code !== 0) throw new Error(`The host ended with ${code ?? signal}: ${said}`)
    },
  }
}
