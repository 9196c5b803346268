// What the drivers send: requests of both eras as ready-made text, with every argument derived from the id, so that
// the right answer to any id is known without remembering what was asked.

export type Era = 'legacy' | 'modern'
export type Work = 'add' | 'echo10k'

export const legacyVersion = '2025-11-25'
export const modernVersion = '2026-07-28'
export const clientInfo = { name: 'myrmex-bench', version: '1.0.0' }

/** Plain ASCII without anything JSON escapes. */
export const filler = 'The ants carry what the ants carry, and write it down. '.repeat(182).slice(0, 10_000)

const modernMeta = JSON.stringify({
  'io.modelcontextprotocol/protocolVersion': modernVersion,
  'io.modelcontextprotocol/clientInfo': clientInfo,
  'io.modelcontextprotocol/clientCapabilities': {},
})

const tails: Record<Era, string> = { legacy: '}}', modern: `,"_meta":${modernMeta}}}` }

/** The data a tool must answer for this id. */
export function expectedData(work: Work, id: number): { sum: number } | { text: string } {
  return work === 'add' ? { sum: 3 * id + 1 } : { text: `${id} ${filler}` }
}

/** One `tools/call` as JSON text. Concatenation shares the long parts, so a round of 10 kB calls stays small. */
export function callText(era: Era, work: Work, id: number): string {
  const head = `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":`
  if (work === 'add') return `${head}{"name":"add","arguments":{"a":${id},"b":${2 * id + 1}}${tails[era]}`
  return `${head}{"name":"echo","arguments":{"text":"${id} ${filler}"}${tails[era]}`
}

/** The same call as an object, for servers that take messages in process. */
export function callMessage(id: number): { jsonrpc: '2.0'; id: number; method: string; params: object } {
  return { jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'add', arguments: { a: id, b: 2 * id + 1 } } }
}

export function listText(id: number, cursor?: string): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/list', params: cursor === undefined ? {} : { cursor } })
}

export const initializeMessage = {
  jsonrpc: '2.0' as const,
  id: 0,
  method: 'initialize',
  params: { protocolVersion: legacyVersion, capabilities: {}, clientInfo },
}

export const initializedMessage = { jsonrpc: '2.0' as const, method: 'notifications/initialized' }
