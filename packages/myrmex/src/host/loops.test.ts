/** A host that is its own server, alone or by way of another host, says so and lists nothing twice. */
import { freePort } from '@myrmex/testing/free-port'
import { rawClient } from '@myrmex/testing/host/raw-client'
import { serverSettings } from '@myrmex/testing/host/server-settings'
import { toolDefaults } from '@myrmex/testing/sample-tools'
import { listenHttp, prompt, resource, type Tool, tool } from 'myrmex'
import { expect, onTestFinished, test, vi } from 'vitest'
import * as z from 'zod'
import { createHost, type Host } from './host.ts'
import type { ServerSettings } from './settings.ts'

const serverAt = (port: number, name: string): ServerSettings =>
  serverSettings(name, {
    where: 'url',
    url: `http://127.0.0.1:${port}/mcp`,
    headers: {},
    transport: 'http',
  } as ServerSettings['endpoint'])

const own = (name: string): Tool =>
  tool({ ...toolDefaults, name, input: z.object({}), output: z.object({}), run: () => ({}) } as never)

/** With one item of each kind. */
async function hostAt(port: number, name: string): Promise<Host> {
  const host = createHost({
    tools: [own(`${name}own.look`)],
    resources: [resource({ uri: `${name}:///one`, name: 'one', description: 'One.', read: () => name })],
    prompts: [prompt({ name: `ask_${name}`, description: 'Asks.', get: () => 'ask' })],
  })
  const listening = await listenHttp(host.server, { port })
  onTestFinished(async () => {
    await host.close()
    await listening.close()
  })
  return host
}

const listed = ({ server }: Host) => ({
  tools: server.registry.listed().map((one) => one.tool.name),
  resources: server.resources.all().map(({ uri }) => uri),
  prompts: server.prompts.all().map(({ name }) => name),
})

test('a host whose server is the host itself says what to do, and does not ask again', async () => {
  const port = await freePort()
  const host = await hostAt(port, 'a')
  const before = listed(host)
  await host.replace([serverAt(port, 'self')])
  const why =
    'self: its URL leads back to this host, which cannot be its own server. Nothing of it is used, and it is not asked again. ' +
    'Correct its URL in myrmex.json, or remove it: npx myrmex host remove self'
  expect(host.status('self')).toMatchObject({
    state: 'stopped',
    last_error: { error_type: 'ValidationError', message: why.slice('self: '.length) },
    retry_after_ms: 0,
  })
  expect(listed(host)).toEqual(before)
  const starts = vi.fn()
  host.onChange(starts)
  const client = await rawClient(host.server, { era: 'legacy' })
  await expect(client.request('resources/read', { uri: 'other:///two' })).rejects.toThrow('Resource not found')
  expect(starts).not.toHaveBeenCalled()
  await host.restart('self')
  expect(host.status('self')).toMatchObject({ state: 'stopped' })
})

test('two hosts that serve each other list the items of each once', async () => {
  const [first, second] = [await freePort(), await freePort()]
  const [a, b] = [await hostAt(first, 'a'), await hostAt(second, 'b')]
  await a.replace([serverAt(second, 'b')])
  await b.replace([serverAt(first, 'a')])
  // Each reads the list of the other again.
  for (const name of ['a', 'b', 'a', 'b']) await (name === 'a' ? b : a).refresh(name)
  expect(listed(a)).toEqual({
    tools: ['aown.look', 'b.bown.look'],
    resources: ['a:///one', 'b:///one'],
    prompts: ['ask_a', 'ask_b'],
  })
  expect(listed(b).tools).toEqual(['a.aown.look', 'bown.look'])
  expect(a.problems.map(({ message }) => message)).toContain(
    'tools/list: left out 1 of this host itself, which has them already',
  )
  const client = await rawClient(a.server, { era: 'modern' })
  expect(await client.request('resources/read', { uri: 'b:///one' })).toMatchObject({ contents: [{ text: 'b' }] })
  // Neither has it, and each would ask the other.
  const looked = vi.fn(a.server.view.findResource)
  a.server.view.findResource = looked
  await expect(client.request('resources/read', { uri: 'other:///two' })).rejects.toThrow('Resource not found')
  // For the client, and when it came back.
  expect(looked).toHaveBeenCalledTimes(2)
})

test('a server that claims to be behind a host loses its own items, and no others', async () => {
  const [first, second] = [await freePort(), await freePort()]
  const [a, b] = [await hostAt(first, 'a'), await hostAt(second, 'b')]
  const forger = await freePort()
  const c = await hostAt(forger, 'c')
  c.server.view.hostId = a.server.view.hostId
  await b.replace([serverAt(forger, 'c')])
  await a.replace([serverAt(second, 'b')])
  expect(listed(b).tools).toEqual(['bown.look', 'c.cown.look'])
  expect(listed(a).tools).toEqual(['aown.look', 'b.bown.look'])
})
