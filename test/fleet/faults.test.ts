/** Agents that die, are not there, or change: each is reported, and the others work on. */

import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer as createNet } from 'node:net'
import { clerk } from '@myrmex/testing/fixtures/fleet/clerk.agent'
import {
  CLERK,
  call,
  childrenOf,
  FIXTURES,
  fileLetter,
  fleetStage,
  isAlive,
  trustAll,
} from '@myrmex/testing/fleet/fleet-locations'
import { eventually } from '@myrmex/testing/gated-server'
import { longTest } from '@myrmex/testing/long'
import { toolDefaults, waitTool } from '@myrmex/testing/sample-tools'
import { agent, createServer, prompt, tool } from 'myrmex'
import { type Fleet, openFleet } from 'myrmex/fleet'
import { expect, test } from 'vitest'
import * as z from 'zod'
import type { Caller } from '../../packages/myrmex/src/pipeline/caller.ts'
import { META } from '../../packages/myrmex/src/protocol/versions.ts'

/** The official client starts a child of its own to ask which era it speaks: only the child in use counts. */
const pidOf = async (fleet: Fleet): Promise<number> => Number((await call(fleet, 'kiosk.see_call')).data?.pid)

test('a child killed in the middle of a call is an UnavailableError, and the next call works in a new one', async () => {
  const here = fleetStage()
  const fleet = await here.fleet({ kiosk: here.child('kiosk.agent.ts'), clerk: CLERK })
  await trustAll(fleet)
  const pid = await pidOf(fleet)
  const begun = Promise.withResolvers<void>()
  const calling = call(fleet, 'kiosk.nap', {}, { onProgress: () => begun.resolve() })
  await begun.promise
  process.kill(pid, 'SIGKILL')
  const { status, error } = await calling
  expect({ status, ...error }).toMatchObject({
    status: 'failure',
    error_type: 'UnavailableError',
    error_message: expect.stringContaining('kiosk: killed by SIGKILL'),
    error_details: { server: 'kiosk', retry_after_ms: expect.any(Number) },
  })
  const next = await pidOf(fleet)
  expect(next).toBeGreaterThan(0)
  expect(next).not.toBe(pid)
  expect((await fileLetter(fleet)).status).toBe('success')
  await fleet.close()
  expect([pid, next].map(isAlive)).toEqual([false, false])
})

longTest('a child that keeps dying is left alone for a while', async () => {
  const here = fleetStage()
  const fleet = await here.fleet({ kiosk: here.child('kiosk.agent.ts') })
  await trustAll(fleet)
  const die = async () => {
    const begun = Promise.withResolvers<void>()
    const calling = call(fleet, 'kiosk.nap', {}, { onProgress: () => begun.resolve() })
    await Promise.race([begun.promise, calling])
    const [kiosk] = fleet.host.servers()
    if (kiosk?.pid) process.kill(kiosk.pid, 'SIGKILL')
    return (await calling).error
  }
  await die()
  await die()
  const third = await die()
  expect(third).toMatchObject({
    error_type: 'UnavailableError',
    error_message: expect.stringContaining('is not retried for now'),
  })
  const { retry_after_ms } = (third?.error_details ?? {}) as { retry_after_ms?: number }
  expect(retry_after_ms).toBeGreaterThan(0)
  await new Promise((resolve) => setTimeout(resolve, retry_after_ms))
  expect((await call(fleet, 'kiosk.count_coins', { coins: 1 })).error).toBeNull()
})

test('closing a fleet while it reconnects to an agent leaves nothing behind', async () => {
  const here = fleetStage()
  const before = await childrenOf(process.pid)
  const fleet = await here.fleet({ kiosk: here.child('kiosk.agent.ts') })
  await trustAll(fleet)
  const pid = await pidOf(fleet)
  process.kill(pid, 'SIGKILL')
  await eventually(async () => expect(isAlive(pid)).toBe(false))
  const calling = pidOf(fleet)
  await eventually(async () => expect(fleet.host.servers()[0]?.state).toBe('starting'))
  await fleet.close()
  expect(await calling).toBeNaN()
  expect(await childrenOf(process.pid)).toEqual(before)
})

test('missing agents are reported, the others work, and one that starts later joins', async () => {
  const here = fleetStage()
  const port = await freePort()
  const fleet = await here.fleet({
    clerk: CLERK,
    kiosk: { url: `http://127.0.0.1:${port}/mcp` },
    missing: { command: 'no-such-program-anywhere' },
    broken: { module: 'not-there.agent.ts' },
    renamed: { module: 'clerk.agent.ts' },
  })
  expect(fleet.problems).toEqual([
    { agent: 'kiosk', error_type: 'UnavailableError', message: expect.stringContaining('nothing listens there') },
    {
      agent: 'missing',
      error_type: 'UnavailableError',
      message: expect.stringContaining('the command no-such-program-anywhere does not exist'),
    },
    { agent: 'broken', error_type: expect.any(String), message: expect.stringContaining('not-there.agent.ts') },
    {
      agent: 'renamed',
      error_type: 'RegistrationError',
      message: expect.stringContaining('the fleet calls it renamed'),
    },
  ])
  expect((await fileLetter(fleet)).data).toEqual({ drawer: 3 })
  expect(fleet.views().map(({ name }) => name)).toEqual(['clerk.file_letter'])
  const [, kiosk, , broken] = fleet.agents
  await expect(kiosk?.plan('anything', {})).rejects.toMatchObject({ error_type: 'UnavailableError' })
  await expect(broken?.plan('anything', {})).rejects.toThrow(/could not be loaded/)

  const server = createServer({ name: 'far', version: '1.0.0', tools: [talk('1.0.0')] })
  await here.listen(server, port)
  await eventually(async () => expect((await fleet.refresh()).map(({ agent }) => agent)).not.toContain('kiosk'))
  expect(fleet.views().map(({ name }) => name)).toEqual(['clerk.file_letter', 'kiosk.talk'])
})

test('tools that are new, changed or gone are so after a refresh, and an agent that is down keeps what it had', async () => {
  const here = fleetStage()
  const server = createServer({ name: 'far', version: '1.0.0', tools: [talk('1.0.0'), talk('1.0.0', 'kiosk.stay')] })
  const listening = await here.listen(server)
  const fleet = await here.fleet({ kiosk: listening, clerk: CLERK })
  const versions = () => fleet.views().map(({ name, version }) => `${name} ${version}`)
  const kept = fleet.server.registry.find('kiosk.stay')
  expect(versions()).toEqual(['clerk.file_letter 1.0.0', 'kiosk.stay 1.0.0', 'kiosk.talk 1.0.0'])

  server.registry.unregister('kiosk.talk')
  server.registry.register(talk('2.0.0')).register(talk('1.0.0', 'kiosk.sing'))
  expect(await fleet.refresh()).toMatchObject([
    { agent: 'kiosk', tool: 'kiosk.talk', message: expect.stringContaining('changed since it was pinned') },
    { agent: 'kiosk', tool: 'kiosk.sing', message: expect.stringContaining('new since the first listing') },
  ])
  expect(versions()).toEqual(['clerk.file_letter 1.0.0', 'kiosk.sing 1.0.0', 'kiosk.stay 1.0.0', 'kiosk.talk 2.0.0'])
  expect(fleet.server.registry.find('kiosk.stay')).toBe(kept)

  await here.shut()
  expect((await fleet.refresh())[0]).toMatchObject({ agent: 'kiosk', error_type: 'UnavailableError' })
  expect(versions()).toHaveLength(4)
})

test('cancelling a call stops it there too, and so does its deadline', async () => {
  const here = fleetStage()
  const sleeper = waitTool(30_000, 'kiosk.wait')
  const place = await here.listen(createServer({ name: 'far', version: '1.0.0', tools: [sleeper.tool] }))
  const fleet = await here.fleet({ kiosk: place })
  const hurried = await here.fleet({ kiosk: { ...place, timeout_ms: 200 } })
  await trustAll(fleet)
  await trustAll(hurried)
  const stop = new AbortController()
  const calling = call(fleet, 'kiosk.wait', {}, { signal: stop.signal }).catch((thrown) => thrown)
  await eventually(async () => expect(sleeper.seen.started).toBe(1))
  stop.abort()
  expect(await calling).toMatchObject({ error_type: 'CancelledError' })
  await eventually(async () => expect(sleeper.seen.aborted).toHaveLength(1))
  expect((await call(hurried, 'kiosk.wait')).error).toMatchObject({ error_type: 'TimeoutError' })
  await eventually(async () => expect(sleeper.seen.aborted).toHaveLength(2))
})

test('a step of a run has its own key there, and what it calls on the way is not taken for it', async () => {
  const here = fleetStage()
  const ask = tool({
    ...toolDefaults,
    name: 'boss.ask',
    input: z.object({}),
    output: z.object({ keys: z.array(z.unknown()) }),
    run: async (_input, ctx) => {
      const calls = [await ctx.call('kiosk.see_call', {}), await ctx.call('kiosk.see_call', {})]
      return { keys: calls.map(({ data, error }) => data?.key ?? error) }
    },
  })
  const boss = agent({ name: 'boss', tools: [ask] })
  const fleet = await here.fleet({ kiosk: await here.url('kiosk.agent.ts') }, { agents: [boss] })
  await trustAll(fleet)
  const { pipeline } = fleet.server
  const _meta = { [META.context]: { run: 'r', step: 's' } }
  const step = await pipeline.call(led('run:r:s'), 'kiosk.see_call', {}, _meta)
  // A key that begins like a run's would be refused there: it comes from outside.
  expect(step).toMatchObject({ error: null, data: { key: 'step run:r:s', context: { run: 'r', step: 's' } } })
  const inner = await pipeline.call(led('run:r:t'), 'boss.ask', {}, _meta)
  const [one, two] = (inner as unknown as { data: { keys: string[] } }).data.keys
  expect([one, two]).toEqual([expect.stringMatching(/^once /), expect.stringMatching(/^once /)])
  expect(one).not.toBe(two)
  // A caller cannot name the place of a step, and a long key still fits.
  expect((await call(fleet, 'kiosk.see_call', {}, { idempotencyKey: 'step run:r:s' })).data?.key).toBe(
    'call step run:r:s',
  )
  const long = await call(fleet, 'kiosk.see_call', {}, { idempotencyKey: 'x'.repeat(200) })
  expect(long.data?.key).toMatch(/^call [0-9a-f]{64}$/)
})

/** Whoever makes the call of a run's step. */
const led = (key: string): Caller => ({
  transport: 'direct',
  principal: { id: 'local', kind: 'local' },
  client: { info: undefined, capabilities: {} },
  runContext: {
    run: 'r',
    step: 's',
    key,
    covers: () => undefined,
    reserve: () => undefined,
    settle: () => {},
  },
  notify: () => {},
  log: () => {},
  ask: () => ({}),
  disconnect: () => true,
})

test('a token goes with every request, and without it the agent is reported as missing', async () => {
  const here = fleetStage()
  const server = createServer({ name: 'far', version: '1.0.0', tools: [talk('1.0.0')] })
  const { url } = await here.listen(server, 0, 'sesame')
  const open = (env: NodeJS.ProcessEnv) =>
    here.fleet({ kiosk: { url: `$\{KIOSK}`, token_env: 'KIOSK_TOKEN' } }, { env })
  const good = await open({ KIOSK: url, KIOSK_TOKEN: 'sesame' })
  expect(good.problems).toEqual([])
  const bad = await open({ KIOSK: url, KIOSK_TOKEN: 'open up' })
  expect(bad.problems).toMatchObject([{ agent: 'kiosk' }])
  expect(JSON.stringify(bad.problems)).not.toContain('open up')
  await expect(open({ KIOSK: url })).rejects.toThrow(
    '/agents/kiosk/token_env needs the environment variable KIOSK_TOKEN, which is not set',
  )
})

test('two agents of one name are refused; those of the program itself are there as they are', async () => {
  const here = fleetStage()
  await expect(openFleet({ agents: { clerk: CLERK } }, { agents: [clerk], folder: FIXTURES })).rejects.toThrow(
    'Two agents of the fleet are named clerk.',
  )
  const fleet = await here.fleet({}, { agents: [clerk] })
  expect(fleet.agents).toMatchObject([{ name: 'clerk', where: 'in-process', hasOwnPlan: true }])
  expect((await fileLetter(fleet)).status).toBe('success')
})

test('an agent that claims what another has is left out as a whole', async () => {
  const here = fleetStage()
  const cry = (text: string) => prompt({ name: 'cry', get: () => text })
  const first = agent({ name: 'first', tools: [talk('1.0.0', 'first.talk')], prompts: [cry('one')] })
  const second = agent({ name: 'second', tools: [talk('1.0.0', 'second.talk')], prompts: [cry('two')] })
  const fleet = await here.fleet({}, { agents: [first, second] })
  expect(fleet.problems).toMatchObject([{ agent: 'second', error_type: 'RegistrationError' }])
  expect(fleet.views().map(({ name }) => name)).toEqual(['first.talk'])
})

const talk = (version: string, name = 'kiosk.talk') =>
  tool({ ...toolDefaults, name, version, input: z.object({}), output: z.object({}), run: () => ({}) })

async function freePort(): Promise<number> {
  const server = createNet().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
