/** One host listens for a folder, however the last one ended and however many start at once. Hosts on stdio share the folder. */

import { once } from 'node:events'
import { gatedServer, hostFolder } from '@myrmex/testing/host/host-folder'
import { longTest } from '@myrmex/testing/long'
import { expect, test } from 'vitest'

test('a second host is refused, with the process and the URL of the first, and may have a state folder of its own', async () => {
  const { write, start, run, read } = hostFolder()
  write('project/myrmex.json', { mcpServers: { good: gatedServer('g') } })
  const first = start(['--http', '0'])
  const url = await first.says(/listening at (\S+);/)
  const { code, stderr } = await run(['--http', '0'])
  expect(code).toBe(1)
  expect(stderr).toContain(`: process ${first.child.pid} at ${url}. Use that one`)
  expect(first.api().pid).toBe(first.child.pid)
  const other = start(['--http', '0', '--state', '.myrmex-b'])
  await other.says(/(every call is recorded)/)
  expect(JSON.parse(read('project/.myrmex-b/host/api.json')).pid).toBe(other.child.pid)
  expect((await run(['status', '--state', '.myrmex-b', '--json'])).stdout).toContain(`"pid": ${other.child.pid}`)
  expect((await run(['status', '--json'])).stdout).toContain(`"pid": ${first.child.pid}`)
})

test('a killed host leaves nothing that keeps the next one out, and of two that start at once one serves', async () => {
  const { write, start } = hostFolder()
  write('project/myrmex.json', { mcpServers: { good: gatedServer('g') } })
  const first = start(['--http', '0'])
  await first.says(/(every call is recorded)/)
  await first.end('SIGKILL')
  const both = [start(['--http', '0']), start(['--http', '0'])]
  const loser = await Promise.race(both.map(async (host) => once(host.child, 'exit').then(() => host)))
  const winner = both.find((host) => host !== loser)
  expect(loser.child.exitCode).toBe(1)
  expect(loser.said()).toContain(`A host already serves this folder`)
  expect(loser.said()).toContain(`process ${winner?.child.pid} at http://127.0.0.1:`)
  await winner?.says(/(every call is recorded)/)
  expect(winner?.api().pid).toBe(winner?.child.pid)
  expect(await winner?.end()).toBe(0)
})

longTest('hosts on stdio run beside it, and leave its address and the listing cache whole', async () => {
  const { write, start, read } = hostFolder()
  write('project/myrmex.json', { mcpServers: { good: gatedServer('g') } })
  const first = start(['--http', '0'])
  await first.says(/(every call is recorded)/)
  const clients = [start(['--stdio']), start(['--stdio'])]
  await Promise.all(clients.map((client) => client.says(/(good: ready)/)))
  for (const { child } of clients) {
    child.stdin?.end()
    await once(child, 'exit')
    expect(child.exitCode).toBe(0)
  }
  expect(first.api().pid).toBe(first.child.pid)
  expect(JSON.parse(read('project/.myrmex/host/good.json')).listing.tools).toHaveLength(1)
  const pids = new Set(
    read('project/.myrmex/host/logs/good.log')
      .trim()
      .split('\n')
      .map((line) => /^\S+Z (\d+) info /.exec(line)?.[1]),
  )
  expect(pids).toEqual(new Set([first, ...clients].map(({ child }) => String(child.pid))))
})
