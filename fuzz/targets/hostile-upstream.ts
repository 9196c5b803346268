/**
 * An MCP server on stdio that answers a call with hostile messages. Arguments: era, seed. A call has the number of its case. Every listing is
 * another one, and some calls make the host ask for it again.
 */
import { createInterface } from 'node:readline'
import { SeededRandom } from '../../crash/seeded-random.ts'
import { hostileLines, hostileListing, LISTINGS } from '../generate/hostile-upstream-messages.ts'
import { toText } from '../generate/odd-values.ts'

interface Incoming {
  readonly id?: unknown
  readonly method?: string
  readonly params?: { readonly arguments?: { readonly case?: unknown } }
}

const [era = 'legacy', seed = '0'] = process.argv.slice(2)
const isModern = era === 'modern'
const CASES_PER_LISTING = 100
const INFO = { name: 'hostile', version: '1.0.0' }
const capabilities = {
  tools: { listChanged: true },
  resources: { listChanged: true, subscribe: true },
  prompts: {},
  logging: {},
}

let listings = 0
const write = (text: string): void => void process.stdout.write(`${text}\n`)
const answer = (id: unknown, result: object): void =>
  write(
    toText({
      jsonrpc: '2.0',
      id,
      result: isModern ? { resultType: 'complete', ttlMs: 0, cacheScope: 'private', ...result } : result,
    }),
  )

function onCall(id: unknown, number: number): void {
  const lines = hostileLines(new SeededRandom(seed, `upstream ${era}`, number), id)
  process.stdout.write(Buffer.concat(lines.flatMap((line) => [line, Buffer.from('\n')])))
  if (number % CASES_PER_LISTING === 0) write('{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}')
}

function onRequest(id: unknown, { method = '', params }: Incoming): void {
  if (method === 'tools/call') return onCall(id, Number(params?.arguments?.case))
  if (method in LISTINGS)
    return answer(id, hostileListing(new SeededRandom(seed, method, ++listings), method) as object)
  if (method === 'initialize')
    return answer(id, { protocolVersion: '2025-06-18', capabilities, serverInfo: INFO, instructions: 'Hello.' })
  if (method === 'server/discover' && isModern)
    return answer(id, {
      supportedVersions: ['2026-07-28'],
      capabilities,
      _meta: { 'io.modelcontextprotocol/serverInfo': INFO },
    })
  if (method === 'subscriptions/listen' && isModern) return
  if (method === 'ping' || method === 'logging/setLevel') return answer(id, {})
  write(toText({ jsonrpc: '2.0', id, error: { code: -32_601, message: `Method not found: ${method}` } }))
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const message = JSON.parse(line) as Incoming
  if (message.id !== undefined && message.method !== undefined) onRequest(message.id, message)
})
