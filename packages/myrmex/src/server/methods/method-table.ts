/** The methods of each era. A method that is missing in a table does not exist in that era. */
import type { Exchange } from '../exchange.ts'
import type { Server } from '../server.ts'
import { batch } from './batch.ts'
import { complete } from './completion.ts'
import { discover, initialize, ping } from './handshake.ts'
import { cancelLegacyTask, getLegacyTask, legacyTaskResult, listLegacyTasks } from './legacy-tasks.ts'
import { setLevel } from './logging.ts'
import { onceListed } from './once-listed.ts'
import { getPrompt, listPrompts } from './prompts.ts'
import { listResources, listTemplates, readResource, subscribe, unsubscribe } from './resources.ts'
import { listen } from './subscriptions.ts'
import { cancelTask, getTask, updateTask } from './tasks.ts'
import { callTool, listTools } from './tools.ts'

/** Returns the `result` of a response, complete for the request's era. */
export type Method = (exchange: Exchange, server: Server) => object | Promise<object>

const BOTH: [string, Method][] = [
  ['tools/call', callTool],
  ['tools/list', onceListed(listTools)],
  ['resources/list', onceListed(listResources)],
  ['resources/templates/list', onceListed(listTemplates)],
  ['resources/read', onceListed(readResource)],
  ['prompts/list', onceListed(listPrompts)],
  ['prompts/get', onceListed(getPrompt)],
  ['completion/complete', onceListed(complete)],
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
  ['tasks/get', getLegacyTask],
  ['tasks/result', legacyTaskResult],
  ['tasks/list', listLegacyTasks],
  ['tasks/cancel', cancelLegacyTask],
])
