/** `subscriptions/listen`: a request that stays open and delivers the changes it asked for. */
import { invalidParams } from '../../protocol/errors.ts'
import { isObject } from '../../protocol/json.ts'
import type { Params } from '../../protocol/jsonrpc.ts'
import { META } from '../../protocol/versions.ts'
import type { Exchange } from '../exchange.ts'
import type { Change } from '../notification-hub.ts'
import type { Server } from '../server.ts'
import type { Method } from './method-table.ts'
import { supportsTasks, tasksCapabilityMissing } from './tools.ts'

interface Filter {
  toolsListChanged?: true
  promptsListChanged?: true
  resourcesListChanged?: true
  resourceSubscriptions?: string[]
  taskIds?: string[]
}

export const listen: Method = (exchange, server) => {
  const filter = readFilter(exchange, server)
  const open = (): Promise<object> => openStream(exchange, server, filter)
  return server.watch.start(filter.resourceSubscriptions ?? [])?.then(open) ?? open()
}

function openStream(exchange: Exchange, server: Server, filter: Filter): Promise<object> {
  const tagged = { [META.subscriptionId]: exchange.id }
  // The acknowledgement goes first, so that no notification can overtake it.
  exchange.notify('notifications/subscriptions/acknowledged', { _meta: tagged, notifications: filter })
  return new Promise((resolve) => {
    const stop = server.hub.add({
      wants: (change) => wants(filter, change),
      uris: () => filter.resourceSubscriptions ?? [],
      send: (method, params) => exchange.notify(method, { ...params, _meta: tagged }),
    })
    const end = (): void => {
      stop()
      forget()
      resolve({ resultType: 'complete', _meta: { ...server.meta, ...tagged } })
    }
    exchange.onCancel = end
    const forget = server.onClose(end)
  })
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
  if (change.kind === 'log') return false
  if (change.kind === 'resource') return filter.resourceSubscriptions?.includes(change.uri) === true
  if (change.kind === 'task') return filter.taskIds?.includes(change.taskId) === true
  return filter[`${change.kind}ListChanged`] === true
}
