/** `myrmex tokens` and the switches of `myrmex host`, as commands beside a host that runs: it follows without a restart. */
import { copyFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runToEnd } from '@myrmex/testing/cli/run-to-end'
import { eventually } from '@myrmex/testing/gated-server'
import { post, postModern } from '@myrmex/testing/http-server'
import { serveOperatorApi } from '@myrmex/testing/operator-api'
import { twoServers } from '@myrmex/testing/profiles/two-servers'
import { openLedger } from 'myrmex'
import { expect, test, vi } from 'vitest'
import { writeApiFile } from '../../packages/myrmex/src/host/api/api-file.ts'

vi.setConfig({ testTimeout: 60_000 })

const CONFIG = {
  mcpServers: { ants: { command: 'node' }, bees: { command: 'node' } },
  profiles: { ants: { servers: ['ants'] }, bees: { servers: ['bees'], read_only: true } },
}

async function besideHost() {
  const served = await twoServers()
  const { folder, path } = served.file
  const config = join(folder, 'myrmex.json')
  writeFileSync(config, JSON.stringify(CONFIG))
  const env = { ...process.env, NO_COLOR: '1', TZ: 'UTC', MYRMEX_LEDGER: path, MYRMEX_HOST: config }
  const myrmex = (...args: string[]) => runToEnd(args, { cwd: folder, env })
  const status = async (path: string, token: string): Promise<number> =>
    (await postModern(`${served.origin}${path}`, 'tools/list', {}, { authorization: `Bearer ${token}` })).status
  return { ...served, myrmex, status }
}

test('a token of a profile is created, replaced and revoked while the host runs', async () => {
  const { myrmex, status } = await besideHost()
  const wrong = await myrmex('tokens', 'create', 'cursor', '--profile', 'antz')
  expect(wrong.stderr).toContain('Unknown profile "antz". Did you mean ants? Profiles: ants, bees.')
  const made = await myrmex('tokens', 'create', 'cursor', '--profile', 'ants')
  expect(made.stdout).toMatch(
    /^created {2}cursor: may call everything within the profile ants, until it is revoked\n\n {2}myx_\w{46}\n\n$/,
  )
  const token = /myx_\w+/.exec(made.stdout)?.[0] ?? ''
  await eventually(async () => expect(await status('/mcp/p/ants', token)).toBe(200))
  expect(await status('/mcp/p/bees', token)).toBe(403)
  const again = await myrmex('tokens', 'create', 'cursor', '--profile', 'bees')
  expect(again.stderr).toContain('There is a token cursor already.')
  const next = JSON.parse((await myrmex('tokens', 'rotate', 'cursor', '--json')).stdout)
  await eventually(async () => expect(await status('/mcp', token)).toBe(401))
  await eventually(async () => expect(await status('/mcp', next.token)).toBe(200))
  const listed = await myrmex('tokens', 'list')
  expect(listed.stdout).toMatch(/^name +state +profile +scopes +created +last used +ends\ncursor +valid +ants +\*/)
  expect(listed.stdout).not.toContain('myx_')
  expect((await myrmex('tokens', 'revoke', 'cursor')).stdout).toBe('revoked  cursor\n')
  await eventually(async () => expect(await status('/mcp', next.token)).toBe(401))
  const unknown = await myrmex('tokens', 'revoke', 'cursor')
  expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining('No token "cursor" is valid.') })
})

test('read-only and stop take effect in the host that runs, and say how to go on', async () => {
  const { myrmex, origin, ledger } = await besideHost()
  const call = async (tool_name: string, path = '/call') =>
    (await post(`${origin}${path}`, { tool_name, arguments: {} })).json.error?.error_message ?? 'success'
  expect((await myrmex('host', 'read-only', 'on', '--profile', 'antz')).stderr).toContain('Did you mean ants?')
  const on = await myrmex('host', 'read-only', 'on', '--profile', 'ants', '--reason', 'audit')
  expect(on.stdout).toBe(
    'read-only for the profile ants: audit\n' +
      'calls that change state are rejected, those in flight finish; to go on: npx myrmex host read-only off --profile ants\n',
  )
  await vi.waitFor(() => expect(ledger.switches.state.isOn).toBe(true), { timeout: 10_000 })
  expect(await call('ants.write_ants', '/p/ants/call')).toContain('(audit)')
  expect(await call('ants.write_ants')).toBe('success')
  await myrmex('host', 'read-only', 'off', '--profile', 'ants')
  const stopped = await myrmex('host', 'stop-everything', '--reason', 'incident 7')
  expect(stopped.stdout).toContain('to go on: npx myrmex host resume-everything')
  await vi.waitFor(() => expect(ledger.switches.state.stop).toBeDefined(), { timeout: 10_000 })
  expect(await call('ants.read_ants')).toContain('(incident 7)')
  expect((await myrmex('host', 'stop-everything', '--reason', 'incident 7')).stdout).toBe(
    'everything is stopped already, for this reason\n',
  )
  expect((await myrmex('host', 'resume-everything')).stdout).toBe('calls are accepted again\n')
  await vi.waitFor(() => expect(ledger.switches.state.isOn).toBe(false), { timeout: 10_000 })
  expect(await call('ants.read_ants')).toBe('success')
})

test('a switch or a token that the host beside it would not follow is refused, and says why', async () => {
  const { host, file, ledger } = await twoServers()
  const api = await serveOperatorApi({ server: host.server, ledger })
  writeFileSync(join(file.folder, 'myrmex.json'), JSON.stringify(CONFIG))
  const { url, token: operator } = api
  await writeApiFile(join(file.folder, '.myrmex', 'host'), { url, token: operator, pid: process.pid })
  const { MYRMEX_LEDGER: _, ...env } = process.env
  const myrmex = (...args: string[]) => runToEnd(args, { cwd: file.folder, env: { ...env, NO_COLOR: '1' } })
  // The ledger of this folder, as an earlier start left it. Another key would tell them apart: that of a database is here, too.
  copyFileSync(join(file.folder, 'ledger.key'), join(file.folder, '.myrmex', 'ledger.key'))
  const own = await openLedger(join(file.folder, '.myrmex', 'ledger.db'))
  const { token } = await own.tokens.create('ci', { scopes: ['*'] }, 'ada')
  for (const args of [
    ['host', 'stop-everything'],
    ['host', 'read-only', 'on'],
    ['tokens', 'create', 'ann', '--profile', 'ants'],
    ['tokens', 'rotate', 'ci'],
    ['tokens', 'revoke', 'ci'],
  ]) {
    const { code, stdout, stderr } = await myrmex(...args)
    expect({ code, stdout }, args.join(' ')).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain(
      `The host that runs here (process ${process.pid}) uses another ledger. Nothing was changed.`,
    )
  }
  await own.switches.refresh()
  expect(own.switches.state.isOn).toBe(false)
  expect(own.tokens.find(token)).toBeDefined()
  await own.close()
  const named = await myrmex('host', 'stop-everything', '--ledger', join(file.folder, '.myrmex', 'ledger.db'))
  expect(named.stderr).toContain('uses another ledger, and does not follow this one')
  const right = await myrmex('host', 'stop-everything', '--ledger', file.path)
  expect(right).toMatchObject({ code: 0, stderr: expect.not.stringContaining('another ledger') })
  await vi.waitFor(() => expect(ledger.switches.state.stop).toBeDefined(), { timeout: 10_000 })
})
