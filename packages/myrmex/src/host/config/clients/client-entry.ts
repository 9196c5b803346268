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
    'source description gallery version icon name id title iconPath display_name bundled ' +
    // Codex and Goose, converted by `normalised`
    'config cmd envs env_keys env_vars uri http_headers env_http_headers bearer_token_env_var'
  ).split(' '),
)

export function importEntry(name: string, original: unknown): ImportedEntry {
  const skipped = (why: string): ImportedEntry => ({ name, entry: undefined, notes: [why] })
  if (!isObject(original)) return skipped('is not an object')
  const notes: string[] = []
  const entry = normalised(withoutGoose(original, notes))
  if (PARTS_OF_GOOSE.has(String(entry.type))) return skipped('is a part of Goose itself')
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

const PARTS_OF_GOOSE: ReadonlySet<string> = new Set(['builtin', 'platform', 'frontend', 'inline_python'])

/** Goose has words of its own. Secrets are in the keyring of the system, by name. */
function withoutGoose(original: Record<string, unknown>, notes: string[]): Record<string, unknown> {
  const entry = isObject(original.config) ? { ...original, ...original.config } : original
  const { cmd, envs, env_keys: keys, uri } = entry
  if (cmd === undefined && uri === undefined) return entry
  const stored = Array.isArray(keys) ? keys.filter((key) => typeof key === 'string') : []
  for (const key of stored) notes.push(`Goose keeps ${key} in its keyring; here, set ${key} in the environment`)
  const env = { ...(isObject(envs) && envs), ...Object.fromEntries(stored.map((key) => [key, `$\{${key}}`])) }
  const { timeout, ...rest } = entry
  // Its default says nothing about this server.
  return { ...rest, ...(timeout !== undefined && timeout !== 300 && { timeout }), command: cmd, url: uri, env }
}

/** Codex names variables: for headers, and for what its servers inherit. */
function codexHeaders(entry: Record<string, unknown>): JsonObject {
  const { http_headers: headers, env_http_headers: sources, bearer_token_env_var: bearer } = entry
  const named = isObject(sources) ? Object.entries(sources) : []
  const isVariable = (name: unknown): name is string => typeof name === 'string' && VARIABLE_NAME.test(name)
  return {
    ...(isObject(headers) && (headers as JsonObject)),
    ...Object.fromEntries(
      named.flatMap(([name, source]) => (isVariable(source) ? [[name, { from_env: source }]] : [])),
    ),
    ...(isVariable(bearer) && { Authorization: { from_env: bearer, prefix: 'Bearer ' } }),
  }
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
      ...inheritedNames(entry),
    }
  }
  const url = entry.url ?? entry.serverUrl ?? entry.httpUrl
  if (typeof url !== 'string' || url === '') return undefined
  const said = transportOf(entry)
  return {
    url: convertVariables(url, notes),
    ...(said !== undefined && { type: said }),
    ...valuesOf('headers', isObject(headers) ? { ...headers, ...codexHeaders(entry) } : codexHeaders(entry), notes),
  }
}

function transportOf({ type, transport, httpUrl }: Record<string, unknown>): 'http' | 'sse' | undefined {
  const types: Record<string, string> = TRANSPORT_TYPES
  const word = String(type ?? transport)
  const meant = Object.hasOwn(types, word) ? types[word] : undefined
  return meant === 'http' || meant === 'sse' ? meant : httpUrl === undefined ? undefined : 'http'
}

function inheritedNames({ env_vars: names }: Record<string, unknown>): JsonObject {
  const valid = Array.isArray(names) ? names.filter((name) => typeof name === 'string' && VARIABLE_NAME.test(name)) : []
  return valid.length === 0 ? {} : { inherit_env: valid }
}

const NAMES = { env: VARIABLE_NAME, headers: HEADER_NAME }

function valuesOf(key: 'env' | 'headers', original: unknown, notes: string[]): JsonObject {
  if (!isObject(original)) return {}
  const values: [string, Json][] = []
  for (const [name, value] of Object.entries(original)) {
    if (!NAMES[key].test(name)) notes.push(`${key} has an invalid name, which was skipped`)
    else if (typeof value === 'string') values.push([name, fromFile(value) ?? convertVariables(value, notes)])
    else if (isObject(value) && typeof value.from_env === 'string') values.push([name, value as JsonObject])
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

export function startsHost({ command, cmd, args }: Record<string, unknown>): boolean {
  const words = [command, cmd, args].flat().map(String)
  return words.includes('host') && words.some((word) => /(^|[/\\])myrmex(\.js)?$/.test(word))
}

const isEmpty = (value: unknown): boolean =>
  value === null || value === false || value === '' || (typeof value === 'object' && Object.keys(value).length === 0)
