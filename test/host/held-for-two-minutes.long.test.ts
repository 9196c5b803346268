/**
 * The clients of others, with the timeout of a minute that they have by default, wait two minutes for a person: over HTTP in both eras, and on stdio.
 * It takes as long as it says.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { StreamableHTTPClientTransport as Http2, Client as Sdk2 } from '@modelcontextprotocol/client'
import { Client as Sdk1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport as Http1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { runToEnd } from '@myrmex/testing/cli/run-to-end'
import { hostFolder } from '@myrmex/testing/host/host-folder'
import { CLI, fixturePath } from '@myrmex/testing/paths'
import { expect, onTestFinished, test, vi } from 'vitest'

const WAIT_MS = 122_000

test('the official clients of both eras and one on stdio are held for two minutes, and get the result', {
  timeout: 300_000,
}, async () => {
  const files = hostFolder()
  const bank = { command: process.execPath, args: [fixturePath('host/bank-upstream.mjs')], trust: 'ask' }
  const approvals = { hold: '170 s' }
  files.write('project/myrmex.json', { mcpServers: { bank }, host: { open: true }, approvals })
  const host = files.start(['--http', '0'])
  await host.says(/(every call is recorded)/)
  const url = new URL('/mcp', host.api().url)
  const reports = new Map<string, number>()
  const options = (name: string) => ({
    resetTimeoutOnProgress: true,
    onprogress: () => void reports.set(name, (reports.get(name) ?? 0) + 1),
  })

  const first = new Sdk1({ name: 'first', version: '1.0.0' })
  await first.connect(new Http1(url) as never)
  const second = new Sdk2({ name: 'second', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } })
  await second.connect(new Http2(url))
  expect(second.getProtocolEra()).toBe('modern')
  const third = new Sdk1({ name: 'third', version: '1.0.0' })
  const { project: cwd, env } = files
  const stdio = { command: process.execPath, args: [CLI, 'host', '--stdio'], cwd, env: env as Record<string, string> }
  await third.connect(new StdioClientTransport({ ...stdio, stderr: 'ignore' }))
  onTestFinished(() => Promise.all([first.close(), second.close(), third.close()]).then(() => {}))
  const call = (to: string) => ({ name: 'bank_pay', arguments: { amount: 1, to } })
  const held = [
    first.callTool(call('first'), undefined, options('first')),
    second.callTool(call('second'), options('second')),
    third.callTool(call('third'), undefined, options('third')),
  ]
  const run = (...args: string[]) => runToEnd(args, { cwd, env })
  const waiting = await vi.waitFor(
    async () => {
      const list = JSON.parse((await run('approvals', 'list', '--json')).stdout) as { id: string }[]
      expect(list).toHaveLength(3)
      return list
    },
    { timeout: 30_000, interval: 500 },
  )
  await Promise.race([pause(WAIT_MS), ...held])
  expect((await run('approvals', 'approve', ...waiting.map(({ id }) => id))).code).toBe(0)
  const texts = (await Promise.all(held)).map(({ content }) => (content as { text: string }[])[0]?.text)
  expect(texts.map((text) => text?.split(': ')[1])).toEqual(['1 to first', '1 to second', '1 to third'])
  for (const name of ['first', 'second', 'third']) expect(reports.get(name), name).toBeGreaterThan(15)
})
