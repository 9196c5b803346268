/** `subscriptions/listen`: a request that stays open and delivers the changes it asked for. */
import { invalidParams, RpcError } from '../../protocol/errors.ts'
import { isObject } from '../../protocol/json.ts'
import type { Params } from '../../protocol/jsonrpc.ts'
import { MAX_SUBSCRIPTIONS } from '../../protocol/message-limits.ts'
import { TimeSlices } from '../../protocol/time-slices.ts'
import { META } from '../../protocol/versions.ts'
import type { Exchange } from '../exchange.ts'
import type { Change } from '../notification-hub.ts'
import { SeenLists } from '../seen-lists.ts'
import type { Server } from '../server.ts'
import type { Method } from './method-table.ts'
import { watchResource } from './resources.ts'
import { supportsTasks, tasksCapabilityMissing } from './tools.ts'

interface Filter {
  toolsListChanged?: true
  promptsListChanged?: true
  resourcesListChanged?: true
  resourceSubscriptions?: string[]
  taskIds?: string[]
}

export const listen: Method = (exchange, server) => {
  const { resourceSubscriptions: uris, ...filter } = readFilter(exchange, server)
  const watched = new Set<string>()
  const stream = openStream(exchange, server, filter, uris && watched)
  if (uris === undefined) return stream.acknowledge()
  return watchAll(exchange, server, new Set(uris), watched).then(stream.acknowledge, (thrown) => {
    stream.end()
    throw thrown
  })
}

/** Resources that this caller may not watch are left out, and so missing in the acknowledgement. */
async function watchAll(
  exchange: Exchange,
  server: Server,
  uris: ReadonlySet<string>,
  watched: Set<string>,
): Promise<void> {
  // Each one is a request of its own.
  if (uris.size > MAX_SUBSCRIPTIONS)
    throw invalidParams(`resourceSubscriptions has ${uris.size} entries; ${MAX_SUBSCRIPTIONS} are the most`)
  const slices = new TimeSlices()
  for (const uri of uris) {
    await slices.pause()
    try {
      await watchResource(exchange, server, uri, watched)
    } catch (thrown) {
      // It is recorded, with the reason.
      if (!(thrown instanceof RpcError)) throw thrown
    }
  }
}

/**
 * Nothing is sent before the acknowledgement, and no change after the start of watching is lost. Until then, only the latest
 * change of each list, resource and task waits, however long an upstream takes to answer and however often others change.
 */
function openStream(exchange: Exchange, server: Server, filter: Filter, watched: Set<string> | undefined) {
  const tagged = { [META.subscriptionId]: exchange.id }
  const { promise: ended, resolve } = Promise.withResolvers<object>()
  let waiting: Map<string, [method: string, params: Params]> | undefined = new Map()
  const send = (method: string, params: Params): void => exchange.notify(method, { ...params, _meta: tagged })
  const lists = new SeenLists(server, () => exchange.principal)
  const stop = server.hub.add({
    wants: (change) =>
      (change.kind === 'resource' ? watched?.has(change.uri) === true : wants(filter, change)) &&
      lists.concerns(change),
    uris: () => watched ?? [],
    send: (method, params) => {
      if (waiting === undefined) send(method, params)
      else waiting.set(JSON.stringify([method, params.uri ?? params.taskId]), [method, params])
    },
  })
  const end = (): void => {
    stop()
    forget()
    resolve({ resultType: 'complete', _meta: { ...server.meta, ...tagged } })
  }
  exchange.onCancel = end
  const forget = server.onClose(end)
  const acknowledge = (): Promise<object> => {
    const notifications = watched === undefined ? filter : { ...filter, resourceSubscriptions: [...watched] }
    exchange.notify('notifications/subscriptions/acknowledged', { _meta: tagged, notifications })
    for (const [method, params] of waiting?.values() ?? []) send(method, params)
    waiting = undefined
    return ended
  }
  return { acknowledge, end }
}

function readFilter(exchange: Exchange, server: Server): Filter {
  const asked = exchange.params?.notifications
  if (!isObject(asked)) throw invalidParams('notifications must be an object')
  const filter: Filter = {}
  for (const name of ['toolsListChanged', 'promptsListChanged', 'resourcesListChanged'] as const) {
    if (asked[name] === true) filter[name] = true
  }
  if (asked.resourceSubscriptions !== undefined) filter.resourceSubscriptions = strings(asked, 'resourceSubscriptions')
  if (asked.taskIds !== undefined) {
    if (!supportsTasks(exchange)) throw tasksCapabilityMissing()
    filter.taskIds = strings(asked, 'taskIds').filter((id) => server.tasks.has(id, exchange.principal))
  }
  return filter
}

function strings(asked: Params, name: string): string[] {
  const list = asked[name]
  if (!Array.isArray(list) || !list.every((item) => typeof item === 'string')) {
    throw invalidParams(`notifications.${name} must be an array of strings`)
  }
  return list
}

/** The modern era has no log messages outside a request. */
function wants(filter: Filter, change: Change): boolean {
  if (change.kind === 'resource') return false
  if (change.kind === 'task') return filter.taskIds?.includes(change.taskId) === true
  return filter[`${change.kind}ListChanged`] === true
}
