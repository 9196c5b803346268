/** A host of two servers with tools, resources, templates, prompts, completion and instructions of their own, on a port, with profiles. */
import { tmpdir } from 'node:os'
import type { Ledger, Principal } from 'myrmex'
import { listenHttp } from 'myrmex'
import { onTestFinished } from 'vitest'
import { type Host, openHost } from '../../packages/myrmex/src/host/host.ts'
import { addSearchTools } from '../../packages/myrmex/src/host/search/search-tools.ts'
import type { Profile } from '../../packages/myrmex/src/pipeline/rules/profiles.ts'
import type { HttpOptions } from '../../packages/myrmex/src/transport/http/listen.ts'
import { type LedgerFile, ledgerFile } from '../gated-server.ts'
import { serverSettings } from '../host/server-settings.ts'

/** `read_NAME` changes nothing, `write_NAME` changes state, `wait_NAME` changes nothing and answers when it is cancelled. */
const SERVER = `
const [, who, more] = process.argv
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n')
const tool = (name, readOnlyHint) => ({ name, description: 'The secret plan of ' + who + ': ' + name + '.', annotations: { readOnlyHint }, inputSchema: { type: 'object' } })
const waiting = new Map()
const METHODS = {
  initialize: () => ({ protocolVersion: '2025-06-18', capabilities: { tools: {}, prompts: {}, resources: {}, completions: {} }, serverInfo: { name: who, version: '1' }, instructions: 'How to use ' + who + '.' }),
  'tools/list': () => ({ tools: [tool('read_' + who, true), tool('write_' + who, false), tool('wait_' + who, true), ...(more === 'app' ? [{ ...tool('panel_' + who, true), _meta: { ui: { visibility: ['app'] } } }] : [])] }),
  'resources/list': () => ({ resources: [{ uri: who + '://note', name: 'note of ' + who }] }),
  'resources/templates/list': () => ({ resourceTemplates: [{ uriTemplate: who + '://item/{id}', name: 'item of ' + who }] }),
  'resources/read': ({ uri }) => ({ contents: [{ uri, text: 'words of ' + who }] }),
  'prompts/list': () => ({ prompts: [{ name: 'greet_' + who, arguments: [{ name: 'whom' }] }] }),
  'prompts/get': () => ({ messages: [{ role: 'user', content: { type: 'text', text: 'words of ' + who } }] }),
  'completion/complete': () => ({ completion: { values: ['value of ' + who] } }),
  'tools/call': ({ name }) => ({ content: [{ type: 'text', text: 'words of ' + who }], structuredContent: { name } }),
  ping: () => ({}),
}
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params = {} } = JSON.parse(line)
  if (method === 'notifications/cancelled') { process.stderr.write('cancelled ' + who + '\\n'); return waiting.delete(params.requestId) }
  if (id === undefined) return
  if (method === 'tools/call' && params.name.startsWith('wait_')) { process.stderr.write('waiting ' + who + '\\n'); return waiting.set(id, true) }
  const answer = METHODS[method]
  if (answer === undefined) send({ id, error: { code: -32601, message: 'no ' + method } })
  else send({ id, result: answer(params) })
})`

export const PROFILES: readonly Profile[] = [
  { name: 'ants', servers: ['ants'], readOnly: false },
  { name: 'bees', servers: ['bees'], readOnly: true },
]

export interface TwoServers {
  readonly host: Host
  readonly ledger: Ledger
  readonly file: LedgerFile
  readonly url: string
  readonly origin: string
  /** what the servers wrote to stderr, a line each */
  readonly log: string[]
  setPolicy: Awaited<ReturnType<typeof listenHttp>>['setPolicy']
}

export interface TwoServersOptions {
  readonly list?: 'all' | 'search'
  readonly profiles?: readonly Profile[]
  /** `panel_NAME` is a tool for the app of its server only */
  readonly app?: boolean
}

/** The servers are `ants` and `bees`. Everything ends with the test. */
export async function twoServers(
  options: Omit<HttpOptions, 'tokens'> = {},
  { list = 'all', profiles = PROFILES, app = false }: TwoServersOptions = {},
): Promise<TwoServers> {
  const file = ledgerFile()
  const ledger = await file.open()
  const log: string[] = []
  const settings = ['ants', 'bees'].map((name) =>
    serverSettings(name, {
      where: 'child',
      command: process.execPath,
      args: ['-e', SERVER, name, ...(app ? ['app'] : [])],
      env: {},
      cwd: tmpdir(),
    }),
  )
  const host = await openHost({ settings, ledger, log: (_level, line) => void log.push(line) })
  onTestFinished(() => host.close())
  addSearchTools(host.server, host.view, { list })
  host.server.pipeline.profiles.replace(profiles)
  const listening = await listenHttp(host.server, { ...options, tokens: ledger.tokens, drainMs: 500 })
  onTestFinished(() => listening.close())
  const origin = `http://127.0.0.1:${listening.port}`
  return { host, ledger, file, url: listening.url, origin, log, setPolicy: listening.setPolicy }
}

export const callerIn = (profile: string): Principal => ({ id: 'local', kind: 'local', profile })
