/** What is left of an answer when the time of day, the folder of the test and what the host or the era adds are taken away. */
import { isDeepStrictEqual } from 'node:util'

/** of ours, and of the modern era alone */
const OURS = /^(?:myrmex\/|io\.modelcontextprotocol\/(?:serverInfo|subscriptionId)$)/
/** the same, on every result */
const ERA = new Set(['resultType', 'ttlMs', 'cacheScope'])

const MOMENTS: readonly (readonly [RegExp, string])[] = [
  [/\b\d{1,2}:\d\d:\d\d [AP]M\b/g, 'TIME'],
  [/\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) [A-Z][a-z]{2} \d\d \d{4} \d\d:\d\d:\d\d GMT\S* \([^)]*\)/g, 'DATE'],
  [/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, 'DATE'],
  [/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, 'UUID'],
]

type Fields = Record<string, unknown>

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null

/** `folder`: where this side of the comparison keeps its files. */
export function normaliseText(text: string, folder: string): string {
  // The host says which server asks, in the message and in the labels of the form.
  const placed = text.replaceAll(folder, 'FOLDER').replace(/^(The server \w+ asks|everything): /, '')
  return MOMENTS.reduce((said, [moment, word]) => said.replace(moment, word), placed)
}

/** Base64 of a text with a time in it. */
function plainBlob(blob: string, folder: string): string {
  const text = Buffer.from(blob, 'base64').toString()
  return text.includes(' created at ') ? normaliseText(text, folder) : blob
}

/** The variables of a process have no order: a sandbox passes them on in another one. */
function plainVariables(text: string): string {
  if (!/^\{\s*"/.test(text) || !text.includes('"PATH"')) return text
  const variables = JSON.parse(text) as Fields
  return JSON.stringify(variables, Object.keys(variables).sort(), 2)
}

function plainValue(value: unknown, folder: string, key?: string): unknown {
  // Every server makes its own.
  if (typeof value === 'string' && key === 'taskId') return 'TASK'
  if (typeof value === 'string')
    return key === 'blob' ? plainBlob(value, folder) : normaliseText(plainVariables(value), folder)
  if (Array.isArray(value)) return value.map((one) => plainValue(one, folder))
  if (!isFields(value)) return value
  const entries = Object.entries(value).map(([name, one]) => [name, plainValue(one, folder, name)] as const)
  return Object.fromEntries(entries.filter(([, one]) => one !== undefined))
}

/** Without what is ours in `_meta`, and without `_meta` where nothing else is in it. */
export function withoutHostFields(item: Fields): Fields {
  const { _meta, ...rest } = item
  if (!isFields(_meta)) return item
  const theirs = Object.entries(_meta).filter(([key]) => !OURS.test(key))
  return theirs.length === 0 ? rest : { ...rest, _meta: Object.fromEntries(theirs) }
}

export function normaliseResult(result: Fields, folder: string): Fields {
  const own = Object.entries(withoutHostFields(result)).filter(([key]) => !ERA.has(key))
  return plainValue(Object.fromEntries(own), folder) as Fields
}

/** The form of a failure of ours, which the host has to allow beside what the server promises: clients hold failures against it too. */
const FAILURE = { required: ['error_type', 'error_message'] }

/** The output schema as the server gave it. */
export function withoutFailureSchema<T extends Fields>(tool: T): T {
  const { outputSchema } = tool
  if (!isFields(outputSchema) || !Array.isArray(outputSchema.anyOf)) return tool
  const [theirs, failure, ...more] = outputSchema.anyOf
  if (more.length > 0 || !isDeepStrictEqual(failure, FAILURE)) return tool
  return { ...tool, outputSchema: theirs }
}

/** An error of the protocol as a client sees it. A client that refuses a tool by itself names it as it is listed: `listed` is `own`. */
export function normaliseError(error: unknown, folder: string, listed?: unknown, own?: string): Fields {
  const { code, message, data } = error as { code?: unknown; message: string; data?: unknown }
  // SDK 1.x writes the code before the message, once for every client that it passed.
  const said = message.replace(/^(?:MCP error -?\d+: )+/, '')
  const named = own === undefined ? said : said.replaceAll(`"${listed}"`, `"${own}"`)
  return { code, message: normaliseText(named, folder), ...(data !== undefined && { data: plainValue(data, folder) }) }
}
