/** How a conversation opens: `server/discover` in the modern era, `initialize` and `ping` in the legacy one. */
import { isPromise } from '../../pipeline/outcome.ts'
import { CODE, invalidParams, RpcError } from '../../protocol/errors.ts'
import { hasMoreValuesThan } from '../../protocol/issue.ts'
import { isObject, type JsonObject } from '../../protocol/json.ts'
import type { Params } from '../../protocol/jsonrpc.ts'
import {
  AGENT_EXTENSION,
  BATCH_EXTENSION,
  DRY_RUN_EXTENSION,
  isLegacyVersion,
  LEGACY_VERSIONS,
  SUPPORTED_VERSIONS,
  TASKS_EXTENSION,
} from '../../protocol/versions.ts'
import type { ClientDescription, Principal } from '../../tool/context.ts'
import type { Exchange } from '../exchange.ts'
import type { Change } from '../notification-hub.ts'
import { listEnvelope } from '../results/result-envelope.ts'
import { SeenLists } from '../seen-lists.ts'
import type { Server } from '../server.ts'
import type { Session } from '../session.ts'
import { refreshTrust, visibleItems } from '../visible-items.ts'
import type { Method } from './method-table.ts'
import { visibleTools } from './tools.ts'

/** Only what has a handler is declared. */
function capabilities(server: Server, { modern, principal, hasLegacyTasks }: Exchange): JsonObject {
  const owner = server.agent?.name
  const isSeen =
    owner === undefined ? principal.profile === undefined : server.pipeline.profiles.reaches(principal, owner)
  const agent = isSeen ? [...server.methods.keys()].filter((method) => method.startsWith('agent/')) : []
  return {
    tools: { listChanged: true },
    resources: { subscribe: true, listChanged: true },
    prompts: { listChanged: true },
    completions: {},
    logging: {},
    ...(hasLegacyTasks && { tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } }),
    extensions: {
      [BATCH_EXTENSION]: {},
      [DRY_RUN_EXTENSION]: {},
      ...(modern && { [TASKS_EXTENSION]: {} }),
      ...server.view.extensions,
      ...(agent.length > 0 && { [AGENT_EXTENSION]: { methods: agent, ...agentOf(server) } }),
    },
  }
}

/** The agent's name, and the methods that its author wrote. */
const agentOf = ({ agent }: Server): JsonObject =>
  agent === undefined ? {} : { name: agent.name, own: [...agent.own] }

/** Item counts, which the specification wants in `_meta`: of what this caller can see. */
const counts = (server: Server, principal: Principal): JsonObject => ({
  tools_count: visibleTools(server, principal).length,
  resources_count: visibleItems(server, principal, server.resources.all()).length,
  prompts_count: visibleItems(server, principal, server.prompts.all()).length,
})

function instructions(server: Server, principal: Principal): JsonObject {
  const text = server.instructionsFor(principal)
  return text === undefined ? {} : { instructions: text }
}

/**
 * Makes the answer when the trust levels are read again, because instructions depend on them. If the ledger cannot be read, those
 * from before count: a client can connect, and its calls are rejected.
 */
function withLevels(server: Server, answer: () => object): object | Promise<object> {
  const { instructionsReady } = server.view
  if (instructionsReady !== undefined) return instructionsReady.then(() => withLevels(server, answer))
  let read: void | Promise<void>
  try {
    read = refreshTrust(server)
  } catch {
    return answer()
  }
  return isPromise(read) ? read.then(answer, answer) : answer()
}

export const discover: Method = (exchange, server) =>
  withLevels(server, () => {
    const result = listEnvelope(exchange, {
      supportedVersions: [...SUPPORTED_VERSIONS],
      capabilities: capabilities(server, exchange),
      ...instructions(server, exchange.principal),
    })
    return { ...result, _meta: { ...server.meta, ...counts(server, exchange.principal) } }
  })

export const initialize: Method = (exchange, server) => {
  const { session, params } = exchange
  if (session.version !== undefined)
    throw new RpcError(CODE.invalidRequest, 'Invalid Request: the session is already open')
  if (typeof params?.protocolVersion !== 'string') throw invalidParams('protocolVersion must be a string')
  if (!isObject(params.capabilities)) throw invalidParams('capabilities must be an object')
  if (!isObject(params.clientInfo)) throw invalidParams('clientInfo must be an object')
  const client = describeClient(params.clientInfo, params.capabilities)
  session.version = isLegacyVersion(params.protocolVersion) ? params.protocolVersion : LEGACY_VERSIONS[0]
  session.client = client
  const lists = new SeenLists(server, () => session.principal)
  const stop = server.hub.add({
    uris: () => session.subscribed,
    wants: (change) => wants(session, change) && lists.concerns(change),
    send: (method, sent) => session.channel.send({ jsonrpc: '2.0', method, params: sent }),
  })
  session.onClose(stop)
  return withLevels(server, () => ({
    protocolVersion: session.version,
    capabilities: capabilities(server, exchange),
    serverInfo: server.info,
    ...instructions(server, exchange.principal),
    _meta: counts(server, exchange.principal),
  }))
}

/** A session keeps what its client says about itself for as long as it lasts. */
const MAX_INFO = 4000
const MAX_CAPABILITIES = 16_000
const MAX_VALUES = 1000
const MAX_TEXT = 200

const isLong = (value: object, most: number): boolean =>
  hasMoreValuesThan(value, MAX_VALUES) || JSON.stringify(value).length > most

/** Of a long description, such as one with pictures, only the names are kept. */
function describeClient(info: Params, capabilities: Params): ClientDescription {
  if (isLong(capabilities, MAX_CAPABILITIES))
    throw invalidParams(`capabilities has more than ${MAX_CAPABILITIES} characters or ${MAX_VALUES} values`)
  const kept = isLong(info, MAX_INFO) ? namesOf(info) : info
  return { info: kept as unknown as ClientDescription['info'], capabilities: capabilities as JsonObject }
}

function namesOf(info: Params): Params {
  const texts = ['name', 'title', 'version'].flatMap((field) => {
    const text = info[field]
    return typeof text === 'string' ? [[field, text.slice(0, MAX_TEXT)]] : []
  })
  return Object.fromEntries(texts)
}

function wants({ subscribed }: Session, change: Change): boolean {
  if (change.kind === 'resource') return subscribed.has(change.uri)
  return change.kind !== 'task'
}

export const ping: Method = () => ({})
