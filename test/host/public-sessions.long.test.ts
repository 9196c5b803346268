/**
 * A Git server from npm that others wrote, which keeps a working directory for its process. With `sessions: "caller"`, two clients of one
 * host each have their own.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runToEnd } from '@myrmex/testing/cli/run-to-end'
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import type { Client, Connection } from './clients/connection.ts'
import { sdk1 } from './clients/sdk1.ts'
import { sdk2 } from './clients/sdk2.ts'
import { startHost } from './host-process.ts'
import { installPublicServers, PUBLIC_SERVERS } from './public/public-servers.ts'
import { ScriptedUser } from './scripted-user.ts'

beforeAll(installPublicServers, 600_000)

const textOf = (result: unknown): string =>
  (result as { content: { text: string }[] }).content.map(({ text }) => text).join('\n')

/** Client, its version, and whether the record has a session. */
const AUDITED = [
  ['sdk1', '1.0.0', true],
  ['sdk1', '1.0.0', true],
  ['sdk2', '2.0.0', true],
]

async function gitHost(sessions: 'shared' | 'caller') {
  const folder = mkdtempSync(join(tmpdir(), 'myrmex-git-'))
  const git = PUBLIC_SERVERS.find(({ name }) => name === 'git')
  if (git === undefined) throw new Error('There is no Git server')
  const host = await startHost(folder, { git: { ...git.entry(folder), trust: 'trusted', sessions } })
  onTestFinished(async () => {
    await host.end()
    rmSync(folder, { recursive: true, force: true })
  })
  await vi.waitFor(() => expect(host.said()).toContain('git: ready'), { timeout: 120_000, interval: 50 })
  const open = async (client: Client, name: string) => {
    const repository = join(folder, name)
    mkdirSync(repository)
    execFileSync('git', ['init', '--quiet', '--initial-branch', name], { cwd: repository })
    const connection = await client.open({ kind: 'http', url: host.url }, new ScriptedUser([]))
    onTestFinished(() => connection.close())
    const call = async (tool: string, args: object): Promise<string> => textOf(await callTool(connection, tool, args))
    expect(await call('set_working_dir', { path: repository })).toContain(repository)
    return { branch: () => call('status', {}) }
  }
  return { folder, open }
}

const callTool = (connection: Connection, tool: string, args: object) =>
  connection.ask('tools/call', { name: `git_${tool}`, arguments: args })

test('two clients do not see each other’s working directory, and the audit says whose call it was', async () => {
  const { folder, open } = await gitHost('caller')
  // The modern client has no connection: what it has in common from call to call is its principal.
  const ann = await open(sdk1, 'ann')
  const bob = await open(sdk2.at(-1) as Client, 'bob')
  expect(await ann.branch()).toContain('ann')
  expect(await bob.branch()).toContain('bob')
  expect(await ann.branch()).not.toContain('bob')
  const query = ['audit', 'query', '--tool', 'git.status', '--json', '--ledger', join(folder, 'ledger.db')]
  const { stdout } = await runToEnd(query, { cwd: folder })
  const records = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<'client' | 'client_version' | 'session', string | null>)
  const seen = records.map(({ client, client_version, session }) => [client, client_version, session !== null])
  expect(seen.sort()).toEqual(AUDITED)
})

test('without it they share one: this is what the setting is for', async () => {
  const { open } = await gitHost('shared')
  const ann = await open(sdk1, 'ann')
  await open(sdk2.at(-1) as Client, 'bob')
  expect(await ann.branch()).toContain('bob')
})
