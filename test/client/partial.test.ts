/** Parts of a result and progress reports of one call at our client: from a server in this process, at a URL and behind a host. */
import { serverSettings } from '@myrmex/testing/host/server-settings'
import { toolDefaults } from '@myrmex/testing/sample-tools'
import { createServer, listenHttp, type Server, tool } from 'myrmex'
import { connect, type Target } from 'myrmex/client'
import { expect, onTestFinished, test } from 'vitest'
import * as z from 'zod'
import { openHost } from '../../packages/myrmex/src/host/host.ts'

const counts = tool({
  ...toolDefaults,
  name: 'test.counts',
  input: z.object({}),
  output: z.object({ counted: z.number() }),
  run: (_input, ctx) => {
    ctx.emit({ part: 0 })
    for (let n = 1; n <= 3; n++) {
      ctx.progress(n, 3, `step ${n}`)
      ctx.emit({ part: n })
    }
    return { counted: 3 }
  },
})

const served = (): Server => createServer({ name: 'test', version: '1.0.0', tools: [counts] })

async function atUrl(server: Server): Promise<string> {
  const { url, close } = await listenHttp(server)
  onTestFinished(() => close())
  return url
}

async function behindHost(): Promise<Server> {
  const endpoint = { where: 'url', url: await atUrl(served()), headers: {}, transport: 'auto' } as const
  const host = await openHost({ settings: [serverSettings('test', endpoint)], log: () => {} })
  onTestFinished(() => host.close())
  return host.server
}

const TARGETS: [string, () => Promise<Target>][] = [
  ['in this process', async () => served()],
  ['at a URL', async () => ({ url: await atUrl(served()) })],
  ['behind a host', behindHost],
  ['behind a host at a URL', async () => ({ url: await atUrl(await behindHost()) })],
]

const EXPECTED = [0, 1, 2, 3].flatMap((n) => [
  ...(n === 0 ? [] : [{ progress: n, total: 3, message: `step ${n}` }]),
  { part: n },
])

test.each(
  TARGETS.flatMap(([where, target]) => (['auto', 'legacy'] as const).map((era) => [where, era, target] as const)),
)('%s, era %s: all arrive, in order, each at its own listener', async (_where, era, target) => {
  const connection = await connect(await target(), { era })
  onTestFinished(() => connection.close())
  const heard: object[] = []
  const listen = (what: object): void => void heard.push(what)
  const result = await connection.call('test.counts', {}, { onProgress: listen, onPartial: listen })
  expect(result.data).toEqual({ counted: 3 })
  expect(heard).toEqual(EXPECTED)
  const [reports, parts]: [object[], object[]] = [[], []]
  await connection.call('test.counts', {}, { onProgress: (one) => reports.push(one) })
  await connection.call('test.counts', {}, { onPartial: (one) => parts.push(one) })
  expect([reports.length, parts.length]).toEqual([3, 4])
})

test('a batch reports how many of its calls have ended', async () => {
  const connection = await connect(served())
  onTestFinished(() => connection.close())
  const heard: object[] = []
  const calls = [{ name: 'counts' }, { name: 'nothing' }, { name: 'counts', arguments: {} }]
  const batch = await connection.request('myrmex/batch', { calls }, { onProgress: (one) => heard.push(one) })
  expect(batch).toMatchObject({ status: 'partial_success', results: [{}, { status: 'failure' }, {}] })
  expect(heard).toEqual([1, 2, 3].map((progress) => ({ progress, total: 3 })))
})
