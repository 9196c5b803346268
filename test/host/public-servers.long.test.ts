/**
 * Two dozen servers from npm that others wrote, each directly and through one host, by clients that others wrote: what they list, read
 * and answer is the same, and the host's own process stays small.
 */
import { residentMegabytes } from '@myrmex/testing/served-process'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Connection } from './clients/connection.ts'
import { sdk1 } from './clients/sdk1.ts'
import { sdk2 } from './clients/sdk2.ts'
import { Comparison } from './comparison.ts'
import { ended, withoutUris } from './ended.ts'
import { LIST_METHODS, type ListMethod, listDefinitions, type PairedItem, pairItems } from './paired-items.ts'
import { installPublicServers, PUBLIC_SERVERS, type PublicServer } from './public/public-servers.ts'
import { ScriptedUser } from './scripted-user.ts'

/** The host's process alone; its children are not ours. */
const MAX_HOST_MEGABYTES = 180
const CLIENTS = [sdk1, ...sdk2.slice(1)]
const [DIRECT_CLIENT = sdk1] = sdk2

let ground: Comparison
let startedMegabytes = 0
const hosted: Connection[] = []

beforeAll(async () => {
  installPublicServers()
  ground = await Comparison.open(PUBLIC_SERVERS.map((foreign) => ({ foreign, name: foreign.name })))
  await ground.allReady(PUBLIC_SERVERS.map(({ name }) => name))
  startedMegabytes = residentMegabytes(ground.host?.pid ?? 0)
  // Some of them have words that the scanner holds back. An operator who has looked at them lets them through.
  await ground.operate('trust', '--all', '--yes', '--despite-findings', '--open')
  for (const client of CLIENTS) {
    const [first] = PUBLIC_SERVERS as [PublicServer]
    hosted.push(await client.open(ground.hosted({ foreign: first, name: first.name }).target, new ScriptedUser([])))
  }
}, 600_000)

afterAll(async () => {
  await Promise.all(hosted.map((one) => one.close()))
  await ground?.close()
})

describe.each(PUBLIC_SERVERS)('$pkg', (foreign) => {
  let direct: Connection
  const folders = { direct: '', hosted: '' }
  const lists = new Map<ListMethod, Awaited<ReturnType<typeof listDefinitions>>>()
  const pairs = new Map<string, readonly PairedItem[]>()

  beforeAll(async () => {
    const side = ground.direct(foreign)
    folders.direct = side.folder
    folders.hosted = ground.hosted({ foreign, name: foreign.name }).folder
    direct = await DIRECT_CLIENT.open(side.target, new ScriptedUser([]))
    for (const method of LIST_METHODS) lists.set(method, await listDefinitions(direct, method, folders.direct))
  })
  afterAll(() => direct?.close())

  describe.each(CLIENTS.map((client, number) => ({ name: client.name, number })))('by $name', ({ number }) => {
    const client = (): Connection => hosted[number] as Connection
    const pairsOf = (method: ListMethod): readonly PairedItem[] => pairs.get(`${number} ${method}`) ?? []

    test.each(LIST_METHODS)('%s lists the same definitions', async (method) => {
      const own = lists.get(method) ?? []
      const all = await listDefinitions(client(), method, folders.hosted)
      const paired = pairItems(own, all)
      pairs.set(`${number} ${method}`, paired)
      const missing = own.filter(({ key }) => !paired.some((pair) => pair.own === key))
      expect(missing).toEqual([])
      expect(new Set(paired.map((pair) => pair.hosted)).size).toBe(own.length)
    })

    test('its resources read the same', async () => {
      for (const { own, hosted: uri } of pairsOf('resources/list')) {
        const there = await ended(direct.ask('resources/read', { uri: own }), folders.direct, own, own)
        const here = await ended(client().ask('resources/read', { uri }), folders.hosted, uri, own)
        expect(withoutUris(here)).toEqual(withoutUris(there))
      }
    })

    test('its tools answer the same', async () => {
      for (const [tool, args] of foreign.calls) {
        const name = pairsOf('tools/list').find((pair) => pair.own === tool)?.hosted ?? `no tool ${tool}`
        const argsIn = (folder: string) => (typeof args === 'function' ? args(folder) : args)
        // One after the other: some of them write a file of a fixed name in the folder of temporary files.
        const there = await ended(
          direct.ask('tools/call', { name: tool, arguments: argsIn(folders.direct) }),
          folders.direct,
          tool,
          tool,
        )
        const here = await ended(
          client().ask('tools/call', { name, arguments: argsIn(folders.hosted) }),
          folders.hosted,
          name,
          tool,
        )
        expect(here).toEqual(there)
      }
    })
  })
})

test(`the host of ${PUBLIC_SERVERS.length} servers uses at most ${MAX_HOST_MEGABYTES} MiB`, () => {
  const figures = { started: startedMegabytes, afterAll: residentMegabytes(ground.host?.pid ?? 0) }
  expect(Math.max(...Object.values(figures)), JSON.stringify(figures)).toBeLessThanOrEqual(MAX_HOST_MEGABYTES)
})
