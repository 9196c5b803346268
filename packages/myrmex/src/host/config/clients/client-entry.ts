/** One server as some client wrote it, in the words of myrmex.json. What has no such words is left out, and told. */
import { isObject, type Json, type JsonObject } from '../../../protocol/json.ts'
import { HEADER_NAME, TRANSPORT_TYPES, VARIABLE_NAME } from '../endpoint-schema.ts'
import { skippedFieldNote } from '../unsupported-fields.ts'

export interface ImportedEntry {
  /** undefined: it cannot be taken over, and `notes` say why */
  readonly entry: JsonObject | undefined
  readonly notes: readonly string[]
}

/** What is understood; `source`, `tools` of Copilot and the like only say what holds anyway. */
const UNDERSTOOD = [
  'command',
  'args',
  'env',
  'environment',
  'cwd',
  'url',
  'serverUrl',
  'httpUrl',
  'headers',
  'type',
  'transport',
  'disabled',
  'enabled',
]
const WITHOUT_MEANING = ['source', 'description', 'gallery', 'version', 'icon', 'name', 'id', 'title', 'iconPath']

export function importEntry(name: string, written: unknown): ImportedEntry {
  if (!isObject(written)) return { entry: undefined, notes: ['is no object'] }
  const notes: string[] = []
  const given = unpacked(written)
  const place = placeOf(given, notes)
  if (place === undefined) return { entry: undefined, notes: ['has neither a command nor a URL'] }
  if (isThisHost(name, place)) return { entry: undefined, notes: ['is this host itself'] }
  for (const key of Object.keys(given)) {
    if (UNDERSTOOD.includes(key) || WITHOUT_MEANING.includes(key)) continue
    // What is allowed in full says nothing.
    if (isEmpty(given[key]) || (key === 'tools' && JSON.stringify(given[key]) === '["*"]')) continue
    notes.push(skippedFieldNote(key))
  }
  const off = given.disabled === true || given.enabled === false
  return { entry: { ...place, ...(off && { disabled: true }) }, notes }
}

/** Older Zed had the program in a member of its own, opencode has it in a list. */
function unpacked(written: Record<string, unknown>): Record<string, unknown> {
  const { command } = written
  if (isObject(command)) {
    const { path, args, env } = command
    return { ...written, command: path, args, env: env ?? written.env }
  }
  if (Array.isArray(command)) return { ...written, command: command[0], args: command.slice(1) }
  return written
}

function placeOf(given: Record<string, unknown>, notes: string[]): JsonObject | undefined {
  const { command, args, cwd, env, environment, headers } = given
  if (typeof command === 'string' && command !== '') {
    return {
      command: filled(command, notes),
      ...(Array.isArray(args) && args.length > 0 && { args: args.map((arg) => filled(String(arg), notes)) }),
      ...valuesOf('env', env ?? environment, notes),
      ...(typeof cwd === 'string' && cwd !== '' && { cwd: filled(cwd, notes) }),
    }
  }
  const url = given.url ?? given.serverUrl ?? given.httpUrl
  if (typeof url !== 'string' || url === '') return undefined
  const said = transportOf(given)
  return {
    url: filled(url, notes),
    ...(said !== undefined && { type: said }),
    ...valuesOf('headers', headers, notes),
  }
}

function transportOf({ type, transport, httpUrl }: Record<string, unknown>): 'http' | 'sse' | undefined {
  const word = type ?? transport
  const meant =
    typeof word === 'string' && Object.hasOwn(TRANSPORT_TYPES, word)
      ? TRANSPORT_TYPES[word as keyof typeof TRANSPORT_TYPES]
      : undefined
  return meant === 'http' || meant === 'sse' ? meant : httpUrl === undefined ? undefined : 'http'
}

const NAMES = { env: VARIABLE_NAME, headers: HEADER_NAME }

function valuesOf(key: 'env' | 'headers', written: unknown, notes: string[]): JsonObject {
  if (!isObject(written)) return {}
  const values: [string, Json][] = []
  for (const [name, value] of Object.entries(written)) {
    if (!NAMES[key].test(name)) notes.push(`${key} has a name that is none, and it was left out`)
    else if (typeof value === 'string') values.push([name, fromFile(value) ?? filled(value, notes)])
    else if (typeof value === 'number' || typeof value === 'boolean') values.push([name, String(value)])
    else notes.push(`${key}.${name} is no text and was left out`)
  }
  return values.length === 0 ? {} : { [key]: Object.fromEntries(values) }
}

/** `{file:…}` of opencode. */
function fromFile(value: string): JsonObject | undefined {
  const [, path] = /^\{file:([^}]+)\}$/.exec(value) ?? []
  return path === undefined ? undefined : { from_file: path }
}

/** `{env:NAME}` and `$NAME` are written as we do; what VS Code asks a person for is looked for in the environment. */
function filled(text: string, notes: string[]): string {
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

/** One that `host install` has written: behind the host it would be a circle. */
function isThisHost(name: string, { command, args, url }: JsonObject): boolean {
  if (url !== undefined) return name === 'myrmex'
  const words = [command, ...(Array.isArray(args) ? args : [])].map(String)
  return words.some((word) => /(^|[/\\])myrmex(\.js)?$/.test(word)) && words.includes('host')
}

const isEmpty = (value: unknown): boolean =>
  value === null || value === false || value === '' || (typeof value === 'object' && Object.keys(value).length === 0)
