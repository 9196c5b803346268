/** A host in front of the fixture `stateful-upstream.ts`, as a child or at a URL, where each caller session has its own connection. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { type Host, type HostOptions, openHost } from '../../packages/myrmex/src/host/host.ts'
import type { ServerSettings } from '../../packages/myrmex/src/host/settings.ts'
import { fixturePath } from '../paths.ts'
import type { RawClient } from './raw-client.ts'
import { serverSettings } from './server-settings.ts'

const PROGRAM = fixturePath('host/stateful-upstream.ts')

export interface StatefulHost {
  readonly host: Host
  readonly log: string[]
  /** From now on new connections list other definitions: `changed` or `extra`. */
  alter(how: 'changed' | 'extra'): void
  /** open MCP sessions at the URL */
  sessionsAtUrl(): Promise<number>
}

async function listen(folder: string): Promise<string> {
  const child = spawn(process.execPath, [PROGRAM, 'http'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, FOLDER: folder },
  })
  onTestFinished(() => void child.kill())
  const [line] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string]
  return line.trim()
}

export async function statefulHost(
  where: 'child' | 'url',
  more: Partial<ServerSettings> = {},
  rules: Pick<HostOptions, 'policy' | 'constitution'> = {},
): Promise<StatefulHost> {
  const folder = mkdtempSync(join(tmpdir(), 'stateful-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const url = where === 'url' ? await listen(folder) : ''
  const endpoint: ServerSettings['endpoint'] =
    where === 'url'
      ? { where: 'url', url, headers: {}, transport: 'http' }
      : { where: 'child', command: process.execPath, args: [PROGRAM], env: { FOLDER: folder }, cwd: folder }
  const log: string[] = []
  const settings = serverSettings('git', endpoint, { sessions: 'caller', hungMs: 10_000, ...more })
  const host = await openHost({ ...rules, settings: [settings], log: (level, line) => log.push(`${level} ${line}`) })
  onTestFinished(() => host.close())
  return {
    host,
    log,
    alter: (how) => writeFileSync(join(folder, how), ''),
    sessionsAtUrl: async () => Number(await (await fetch(new URL('/sessions', url))).text()),
  }
}

export interface Whereabouts {
  readonly folder: string
  readonly pid: number
  readonly number: number
}

export const whereabouts = async (client: RawClient, meta = {}): Promise<Whereabouts> =>
  JSON.parse(textOf(await client.request('tools/call', { name: 'git.where', arguments: {} }, meta)))

export const enter = (client: RawClient, folder: string, meta = {}): Promise<unknown> =>
  client.request('tools/call', { name: 'git.enter', arguments: { folder } }, meta)

export const textOf = ({ content }: Record<string, unknown>): string =>
  (content as { text: string }[]).map(({ text }) => text).join('\n')
