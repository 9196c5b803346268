/**
 * The attacker is a child of the host with the rights of its user. It replaces a file of the program, or of a package that the
 * program depends on, and waits until the host loads it: the log, the search and the operator's API were loaded after the children.
 *
 * Attacker: a child process of the same user
 * Attack: replaces a file of the program while the host runs, which the host loads later and executes with its keys.
 * Stopped by: `myrmex host` has loaded everything that it may need before the first child starts.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startReachingHost } from '@myrmex/testing/host/reaching-host'
import { fixturePath } from '@myrmex/testing/paths'
import { connect } from 'myrmex/client'
import { expect, onTestFinished, test } from 'vitest'

test('a host loads no code after its first child has started, whatever it is asked to do', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'load-trace-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const trace = join(folder, 'trace')
  const hook = fixturePath('attacks/load-trace.mjs')
  const host = await startReachingHost({
    sandbox: 'none',
    env: { NODE_OPTIONS: `--import ${hook}`, LOAD_TRACE: trace },
  })
  await host.reach('self')
  await host.api('/host')
  await host.api('/trust')
  const [, url = ''] = /(http:\S+\/mcp)\b/.exec(host.said()) ?? []
  const connection = await connect({ url })
  onTestFinished(() => connection.close())
  expect((await connection.call('myrmex.search_tools', { query: 'reach' })).status).toBe('success')
  expect((await fetch(new URL('/metrics', url))).status).toBe(200)
  // A server of another kind, and a broken file.
  const config = join(host.folder, 'myrmex.json')
  const { mcpServers } = JSON.parse(readFileSync(config, 'utf8')) as { mcpServers: object }
  writeFileSync(config, JSON.stringify({ mcpServers: { ...mcpServers, more: { url: 'http://127.0.0.1:9/mcp' } } }))
  await expect.poll(host.said, { timeout: 20_000 }).toContain('was reloaded')
  writeFileSync(config, '{ "mcpServers": { "x": { "comand": 1 } } }')
  await expect.poll(host.said, { timeout: 20_000 }).toContain('was not reloaded')
  const lines = readFileSync(trace, 'utf8').trim().split('\n')
  const started = lines.indexOf('child started')
  expect(started).toBeGreaterThan(100)
  expect(lines.slice(started + 1).filter((line) => line !== 'child started')).toEqual([])
})
