/**
 * Servers from npm that others wrote, with prompts, templates, pages of apps and results of old versions of the SDK, each directly and
 * through one host: what they list, read, fill in and answer is the same, errors included.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Client, Connection } from './clients/connection.ts'
import { sdk1 } from './clients/sdk1.ts'
import { sdk2 } from './clients/sdk2.ts'
import { Comparison } from './comparison.ts'
import { type Ended, ended, withoutUris } from './ended.ts'
import { LIST_METHODS, type ListMethod, listDefinitions, type PairedItem, pairItems } from './paired-items.ts'
import { installPublicServers, MORE_SERVERS, type PublicServer } from './public/public-servers.ts'
import { ScriptedUser } from './scripted-user.ts'

const CLIENTS = [sdk1, ...sdk2]
/** SDK 1.x drops members of blocks that it does not know, so it is compared with itself. */
const directly = (client: Client): Client => (client === sdk1 ? sdk1 : (sdk2[0] ?? sdk1))

beforeAll(installPublicServers, 600_000)

type Definition = Record<string, unknown> & { arguments?: { name: string }[] }
type Params = Record<string, unknown>

/** A value for each expression of a template. */
const filled = (template: string): string => template.replace(/\{[^}]*\}/g, 'x')

/** Clients read a result without content as one with none. */
const withContent = ({ result, ...rest }: Ended): Ended =>
  result === undefined ? rest : { ...rest, result: { content: [], ...(result as object) } }

class Pair {
  readonly #direct: Connection
  readonly #hosted: Connection
  readonly #folders: { readonly direct: string; readonly hosted: string }
  readonly lists = new Map<ListMethod, readonly (PairedItem & { item: Definition })[]>()

  constructor(direct: Connection, hosted: Connection, folders: { direct: string; hosted: string }) {
    this.#direct = direct
    this.#hosted = hosted
    this.#folders = folders
  }

  /** What one side lists and the other does not. */
  async compareLists(method: ListMethod): Promise<string[]> {
    const own = await listDefinitions(this.#direct, method, this.#folders.direct)
    const paired = pairItems(own, await listDefinitions(this.#hosted, method, this.#folders.hosted))
    const items = new Map(own.map(({ key, item }) => [key, item as Definition]))
    this.lists.set(
      method,
      paired.map((pair) => ({ ...pair, item: items.get(pair.own) ?? {} })),
    )
    return own.map(({ key }) => key).filter((key) => !paired.some((pair) => pair.own === key))
  }

  async compare(method: string, own: Params, hosted: Params): Promise<void> {
    const there = await ended(this.#direct.ask(method, own), this.#folders.direct, String(own.name), String(own.name))
    const here = await ended(
      this.#hosted.ask(method, hosted),
      this.#folders.hosted,
      String(hosted.name),
      String(own.name),
    )
    const said = method === 'tools/call' ? [here, there].map(withContent) : [here, there]
    expect(withoutUris(said[0] as Ended)).toEqual(withoutUris(said[1] as Ended))
  }

  close = (): Promise<unknown> => Promise.all([this.#direct.close(), this.#hosted.close()])
}

describe.each(CLIENTS)('by $name', (client) => {
  let ground: Comparison
  beforeAll(async () => {
    ground = await Comparison.open(MORE_SERVERS.map((foreign) => ({ foreign, name: foreign.name })))
    await ground.allReady(MORE_SERVERS.map(({ name }) => name))
    await ground.operate('trust', '--all', '--yes', '--despite-findings', '--open')
  }, 300_000)
  afterAll(() => ground?.close())

  describe.each(MORE_SERVERS)('$pkg', (foreign: PublicServer) => {
    let pair: Pair
    beforeAll(async () => {
      const [direct, hosted] = [ground.direct(foreign), ground.hosted({ foreign, name: foreign.name })]
      pair = new Pair(
        await directly(client).open(direct.target, new ScriptedUser(direct.roots)),
        await client.open(hosted.target, new ScriptedUser(hosted.roots)),
        { direct: direct.folder, hosted: hosted.folder },
      )
    })
    afterAll(() => pair?.close())

    test.each(LIST_METHODS)('%s lists the same definitions', async (method) => {
      expect(await pair.compareLists(method)).toEqual([])
    })

    test('what it lists reads the same, and what it does not list fails the same', async () => {
      for (const { own, hosted } of pair.lists.get('resources/list') ?? [])
        await pair.compare('resources/read', { uri: own }, { uri: hosted })
      for (const { own, hosted } of pair.lists.get('resources/templates/list') ?? [])
        await pair.compare('resources/read', { uri: filled(own) }, { uri: filled(hosted) })
    })

    test('its prompts say the same', async () => {
      for (const { own, hosted, item } of pair.lists.get('prompts/list') ?? []) {
        const all = Object.fromEntries((item.arguments ?? []).map(({ name }) => [name, 'x']))
        for (const args of [all, {}, { ...all, unknown: 'x' }])
          await pair.compare('prompts/get', { name: own, arguments: args }, { name: hosted, arguments: args })
      }
    })

    test('its tools answer the same', async () => {
      for (const [tool, args] of foreign.calls) {
        const name = pair.lists.get('tools/list')?.find(({ own }) => own === tool)?.hosted ?? `no tool ${tool}`
        await pair.compare('tools/call', { name: tool, arguments: args }, { name, arguments: args })
      }
    })
  })
})
