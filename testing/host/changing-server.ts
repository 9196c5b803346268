/**
 * A real child process that lists whatever a test wants it to list next (fixture `changing-upstream.mjs`), and a host in front of it
 * whose ledger survives a restart of the host. Everything is removed when the test ends.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { type Host, type HostOptions, openHost } from '../../packages/myrmex/src/host/host.ts'
import type { ServerSettings } from '../../packages/myrmex/src/host/settings.ts'
import type { Ledger } from '../../packages/myrmex/src/ledger/ledger.ts'
import { openLedger } from '../../packages/myrmex/src/ledger/open.ts'
import { fixturePath } from '../paths.ts'
import { serverSettings } from './server-settings.ts'

export interface ChangingServer {
  readonly settings: ServerSettings
  /** the same program under other settings */
  with(more: Partial<ServerSettings>): ChangingServer
  /** From now on it lists and says this. */
  shape(shape: object): void
  /** the names of the tools that it was called by */
  called(): string[]
  /** the requests that reached it, in its own words */
  noted(): unknown[]
}

const temporaryFolder = (prefix: string): string => {
  const folder = mkdtempSync(join(tmpdir(), prefix))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

export function changingServer(
  name: string,
  first: object,
  more: Partial<ServerSettings> = {},
  folder = temporaryFolder('changing-'),
): ChangingServer {
  const shape = (next: object): void => writeFileSync(join(folder, 'shape.json'), JSON.stringify(next))
  shape(first)
  const args = [fixturePath('host/changing-upstream.mjs')]
  const endpoint = { where: 'child', command: process.execPath, args, env: { FOLDER: folder }, cwd: folder } as const
  const calls = join(folder, 'calls')
  const lines = (): string[] => (existsSync(calls) ? readFileSync(calls, 'utf8').trim().split('\n') : [])
  return {
    settings: serverSettings(name, endpoint, { timeoutMs: 20_000, hungMs: 5000, ...more }),
    with: (other) => {
      const now = JSON.parse(readFileSync(join(folder, 'shape.json'), 'utf8')) as object
      return changingServer(other.name ?? name, now, { ...more, ...other }, folder)
    },
    shape,
    noted: () => lines().map((line) => JSON.parse(line)),
    called: () => lines().flatMap((line) => (JSON.parse(line) as { called?: string }).called ?? []),
  }
}

/** A ledger in a file, as a host that is started again finds it. */
export async function temporaryLedger(): Promise<Ledger> {
  const ledger = await openLedger(join(temporaryFolder('host-ledger-'), 'ledger.db'))
  onTestFinished(() => ledger.close())
  return ledger
}

export async function hostOf(
  servers: readonly ChangingServer[],
  options: Partial<Omit<HostOptions, 'settings'>> = {},
): Promise<Host> {
  const host = await openHost({ ...options, settings: servers.map(({ settings }) => settings) })
  onTestFinished(() => host.close())
  return host
}
