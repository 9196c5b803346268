/** `@modelcontextprotocol/inspector --cli`: each request is a process of its own, which connects, asks, prints and exits. */
import { availableParallelism } from 'node:os'
import { type Inspected, inspect } from '../../interop/clients/inspector.ts'
import type { Target } from '../../interop/tapped-server.ts'
import type { Client, Connection, Result } from './connection.ts'

type Params = { name?: string; uri?: string; arguments?: Record<string, unknown> }

/** More at once than the machine can work at would only be slower, each. */
const MOST_AT_ONCE = availableParallelism() + 1
let atOnce = 0
const waiting: (() => void)[] = []

/** Does it when there is room for one more process. */
async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (atOnce >= MOST_AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve))
  else atOnce++
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next === undefined) atOnce--
    else next()
  }
}

function optionsFor(method: string, { name = '', uri = '', arguments: args = {} }: Params): string[] {
  if (method === 'tools/call') return ['--tool-name', name, '--tool-args-json', JSON.stringify(args)]
  if (method === 'resources/read') return ['--uri', uri]
  if (method !== 'prompts/get') return []
  const pairs = Object.entries(args).map(([key, value]) => `${key}=${value}`)
  return ['--prompt-name', name, ...(pairs.length > 0 ? ['--prompt-args', ...pairs] : [])]
}

function environment(target: Target): string[] {
  const env = target.kind === 'stdio' ? (target.env ?? {}) : {}
  return Object.entries(env).flatMap(([key, value]) => ['-e', `${key}=${value}`])
}

/** A tool that failed is an answer; all else that ends badly is an error. */
function answer({ result, error }: Inspected): Result {
  if (result !== undefined) return result
  throw Object.assign(new Error(error?.message), { code: error?.code })
}

const nothing = (what: string) => (): never => {
  throw new Error(`The Inspector's command line cannot ${what}`)
}

function open(target: Target, era: 'legacy' | 'auto'): Connection {
  return {
    server: { capabilities: { resources: {}, prompts: {} }, instructions: undefined },
    heard: [],
    ask: async (method, params) =>
      answer(await inTurn(() => inspect(target, era, method, ...optionsFor(method, params), ...environment(target)))),
    logLevel: nothing('hear logs'),
    subscribe: nothing('subscribe'),
    close: async () => {},
  }
}

export const inspector: readonly Client[] = (['legacy', 'auto'] as const).map((era) => ({
  name: `Inspector, ${era}`,
  open: async (target) => open(target, era),
}))
