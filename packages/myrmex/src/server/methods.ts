/** Which method answers what, in each era. What stands in one table and not in the other does not exist there. */
import type { Exchange } from './exchange.ts'
import { batch } from './methods/batch.ts'
import { complete } from './methods/completion.ts'
import { setLevel } from './methods/logging.ts'
import { discover, initialize, ping } from './methods/opening.ts'
import { getPrompt, listPrompts } from './methods/prompts.ts'
import { listResources, listTemplates, readResource, subscribe, unsubscribe } from './methods/resources.ts'
import { listen } from './methods/subscriptions.ts'
import { cancelTask, getTask, updateTask } from './methods/tasks.ts'
import { callTool, listTools } from './methods/tools.ts'
import type { Server } from './server.ts'

/** Gives the `result` of a response, complete for the request's era. */
export type Method = (exchange: Exchange, server: Server) => object | Promise<object>

const BOTH: [string, Method][] = [
  ['tools/call', callTool],
  ['tools/list', listTools],
  ['resources/list', listResources],
  ['resources/templates/list', listTemplates],
  ['resources/read', readResource],
  ['prompts/list', listPrompts],
  ['prompts/get', getPrompt],
  ['completion/complete', complete],
  ['myrmex/batch', batch],
]

export const MODERN_METHODS: ReadonlyMap<string, Method> = new Map([
  ...BOTH,
  ['server/discover', discover],
  ['subscriptions/listen', listen],
  ['tasks/get', getTask],
  ['tasks/update', updateTask],
  ['tasks/cancel', cancelTask],
])

export const LEGACY_METHODS: ReadonlyMap<string, Method> = new Map([
  ...BOTH,
  ['initialize', initialize],
  ['ping', ping],
  ['logging/setLevel', setLevel],
  ['resources/subscribe', subscribe],
  ['resources/unsubscribe', unsubscribe],
])
