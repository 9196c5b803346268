/** Converts one server entry of another client to myrmex.json. Unsupported fields are skipped and reported. */
import { isObject, type Json, type JsonObject } from '../../../protocol/json.ts'
import { HEADER_NAME, TRANSPORT_TYPES, VARIABLE_NAME } from '../endpoint-schema.ts'
import { skippedFieldNote } from '../unsupported-fields.ts'

export interface ImportedEntry {
  /** the name in the client's file */
  readonly name: string
  /** undefined: it cannot be imported, and `notes` says why */
  readonly entry: JsonObject | undefined
  readonly notes: readonly string[]
}

/** Fields that are converted, and fields that say nothing about how the server is run. */
const KNOWN_FIELDS = new Set(
  (
    'command args env environment cwd url serverUrl httpUrl headers type transport disabled enabled ' +
    'source description gallery version icon name id title iconPath'
  ).split(' '),
)

export function importEntry(name: string, original: unknown): ImportedEntry {
  const skipped = (why: string): ImportedEntry => ({ name, entry: undefined, notes: [why] })
  if (!isObject(original)) return skipped('is not an object')
  const notes: string[] = []
  const entry = normalised(original)
  const endpoint = endpointOf(entry, notes)
  if (endpoint === undefined) return skipped('has neither a command nor a URL')
  if (isThisHost(name, endpoint)) return skipped('is this host itself')
  for (const key of Object.keys(entry)) {
    if (KNOWN_FIELDS.has(key)) continue
    // Empty values and "all tools" restrict nothing.
    if (isEmpty(entry[key]) || (key === 'tools' && JSON.stringify(entry[key]) === '["*"]')) continue
    notes.push(skippedFieldNote(key))
  }
  const off = entry.disabled === true || entry.enabled === false
  return { name, entry: { ...endpoint, ...(off && { disabled: true }) }, notes }
}

/** Older Zed versions nest the program in an object; opencode uses an array. */
function normalised(original: Record<string, unknown>): Record<string, unknown> {
  const { command } = original
  if (isObject(command)) {
    const { path, args, env } = command
    return { ...original, command: path, args, env: env ?? original.env }
  }
  if (Array.isArray(command)) return { ...original, command: command[0], args: command.slice(1) }
  return original
}

/** `String` would call the `toString` of an object, which a file may have as a member that is no function. */
const argumentText = (arg: unknown): string => (typeof arg === 'object' ? JSON.stringify(arg) : String(arg))

function endpointOf(entry: Record<string, unknown>, notes: string[]): JsonObject | undefined {
  const { command, args, cwd, env, environment, headers } = entry
  if (typeof command === 'string' && command !== '') {
    return {
      command: convertVariables(command, notes),
      ...(Array.isArray(args) &&
        args.length > 0 && { args: args.map((arg) => convertVariables(argumentText(arg), notes)) }),
      ...valuesOf('env', env ?? environment, notes),
      ...(typeof cwd === 'string' && cwd !== '' && { cwd: convertVariables(cwd, notes) }),
    }
  }
  const url = entry.url ?? entry.serverUrl ?? entry.httpUrl
  if (typeof url !== 'string' || url === '') return undefined
  const said = transportOf(entry)
  return {
    url: convertVariables(url, notes),
    ...(said !== undefined && { type: said }),
    ...valuesOf('headers', headers, notes),
  }
}

function transportOf({ type, transport, httpUrl }: Record<string, unknown>): 'http' | 'sse' | undefined {
  const types: Record<string, string> = TRANSPORT_TYPES
  const word = String(type ?? transport)
  const meant = Object.hasOwn(types, word) ? types[word] : undefined
  return meant === 'http' || meant === 'sse' ? meant : httpUrl === undefined ? undefined : 'http'
}

const NAMES = { env: VARIABLE_NAME, headers: HEADER_NAME }

function valuesOf(key: 'env' | 'headers', original: unknown, notes: string[]): JsonObject {
  if (!isObject(original)) return {}
  const values: [string, Json][] = []
  for (const [name, value] of Object.entries(original)) {
    if (!NAMES[key].test(name)) notes.push(`${key} has an invalid name, which was skipped`)
    else if (typeof value === 'string') values.push([name, fromFile(value) ?? convertVariables(value, notes)])
    else if (typeof value === 'number' || typeof value === 'boolean') values.push([name, String(value)])
    else notes.push(`${key}.${name} is not a string and was skipped`)
  }
  return values.length === 0 ? {} : { [key]: Object.fromEntries(values) }
}

function fromFile(value: string): JsonObject | undefined {
  const [, path] = /^\{file:([^}]+)\}$/.exec(value) ?? []
  return path === undefined ? undefined : { from_file: path }
}

/** Converts `{env:NAME}` and `$NAME` to our syntax. Values that VS Code asks the user for are read from the environment. */
function convertVariables(text: string, notes: string[]): string {
  return text
    .replace(/(?<!\$)\{env:([A-Za-z_][A-Za-z0-9_]*)\}/g, (_, name: string) => `$\{${name}}`)
    .replace(/^\$([A-Za-z_][A-Za-z0-9_]*)$/, (_, name: string) => `$\{${name}}`)
    .replace(/\$\{input:([^}]+)\}/g, (_, id: string) => {
      const name = variableFor(id)
      const note = `VS Code asks for ${id}; here, set ${name} in the environment`
      if (!notes.includes(note)) notes.push(note)
      return `$\{${name}}`
    })
}

const variableFor = (id: string): string =>
  id
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .replace(/^(\d)/, '_$1')
    .toUpperCase()

/** An entry that `host install` wrote: behind the host it would be a loop. */
const isThisHost = (name: string, entry: JsonObject): boolean =>
  entry.url === undefined ? startsHost(entry) : name === 'myrmex'

export function startsHost({ command, args }: Record<string, unknown>): boolean {
  const words = [command, args].flat().map(String)
  return words.includes('host') && words.some((word) => /(^|[/\\])myrmex(\.js)?$/.test(word))
}

const isEmpty = (value: unknown): boolean =>
  value === null || value === false || value === '' || (typeof value === 'object' && Object.keys(value).length === 0)
