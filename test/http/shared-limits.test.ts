/** Limits over several processes: two real servers on one PostgreSQL let through as many calls as one would, to the call. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { LIMIT } from '@myrmex/testing/fixtures/limited.tools'
import { post } from '@myrmex/testing/http-server'
import { CLI, fixturePath } from '@myrmex/testing/paths'
import { freshDatabase } from '@myrmex/testing/postgres/fresh-database'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openLedger } from '../../packages/myrmex/src/ledger/open.ts'

const TOOLS = fixturePath('limited.tools.ts')
const CALLERS = 64
const OVER_ALL = 90

const folder = mkdtempSync(join(tmpdir(), 'myrmex-limits-'))
const policy = join(folder, 'myrmex.policy.json')
const key = join(folder, 'ledger.key')
let address = ''
let servers: { origin: string; end(): Promise<void> }[] = []

async function serve(): Promise<(typeof servers)[number]> {
  const args = [CLI, 'serve', TOOLS, '--http', '0', '--ledger', address, '--ledger-key', key, '--policy', policy]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] })
  const end = async (): Promise<void> => {
    child.kill('SIGTERM')
    if (child.exitCode === null) await once(child, 'exit')
  }
  let said = ''
  for await (const chunk of child.stderr.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    said += chunk
    const origin = /http:\/\/127\.0\.0\.1:\d+/.exec(said)?.[0]
    if (origin === undefined) continue
    child.stderr.resume()
    return { origin, end }
  }
  throw new Error(`The server did not start: ${said}`)
}

beforeAll(async () => {
  address = await freshDatabase()
  writeFileSync(
    policy,
    JSON.stringify({ limits: { tools: { 'limited.many': { calls: OVER_ALL, per_ms: 86_400_000 } } } }),
  )
  servers = await Promise.all([serve(), serve()])
})

afterAll(async () => {
  await Promise.all(servers.map(({ end }) => end()))
  rmSync(folder, { recursive: true, force: true })
})

test.each([
  ["as the tool's author says", 'limited.few', LIMIT],
  ["as the operator's policy says", 'limited.many', OVER_ALL],
])('two processes with 64 callers each let through exactly as many calls %s', async (_who, tool_name, limit) => {
  const call = (origin: string) => post(`${origin}/call`, { tool_name, arguments: {} })
  // One call to each first: on a busy machine, one process alone could use up the limit.
  const first = []
  for (const { origin } of servers) first.push(await call(origin))
  const calls = servers.flatMap(({ origin }) => Array.from({ length: CALLERS - 1 }, () => call(origin)))
  const results = [...first, ...(await Promise.all(calls))].map(({ json }) => json)
  const passed = results.filter(({ status }) => status === 'success')
  expect(passed).toHaveLength(limit)
  expect(new Set(passed.map(({ data }) => data.process)).size).toBe(2)
  for (const { error } of results.filter(({ status }) => status !== 'success')) {
    expect(error).toMatchObject({ error_type: 'ApiLimitExceeded', error_details: { limit: `tool:${tool_name}` } })
    expect(error.error_details.retry_after_ms).toBeGreaterThan(0)
  }
  const ledger = await openLedger(address, { keyFile: key })
  const lines = await Array.fromAsync(ledger.index.search({ tool: tool_name }))
  await ledger.close()
  expect(lines).toHaveLength(CALLERS * 2)
  expect(lines.filter(({ outcome }) => outcome === 'success')).toHaveLength(limit)
})
