/**
 * Reads myrmex.json. The file is accepted as a whole, or rejected with every error and its location. A variable that is not set, or a
 * secret that cannot be read, only keeps its own server from starting.
 */
import { homedir } from 'node:os'
import { dirname, resolve } from 'node:path'
import type { ApprovalConfig } from '../../pipeline/rules/approval-settings.ts'
import { parseStrictly } from '../../pipeline/rules/operator-file.ts'
import type { Profile } from '../../pipeline/rules/profiles.ts'
import { ToolError } from '../../protocol/errors.ts'
import { isObject } from '../../protocol/json.ts'
import type { Announcements } from '../channels/channel.ts'
import { DEFAULT_LOG_LIMITS, type LogLimits } from '../logs/log-file.ts'
import type { ConfiguredTrust, ServerSettings } from '../settings.ts'
import { resolveAnnouncements } from './approvals-schema.ts'
import { type HostConfig, hostJsonSchema, hostSchema } from './host-schema.ts'
import { type JsoncDocument, readJsonc } from './jsonc/read-jsonc.ts'
import { resolveProfiles } from './profiles-schema.ts'
import { readTextFile } from './read-text.ts'
import { isDisabled, resolveSettings, toolsOf } from './resolve-settings.ts'
import { serverName } from './server-name.ts'
import { DEFAULTS } from './server-schema.ts'
import type { SignInConfig } from './sign-in-schema.ts'
import { configNotes, unsupportedFieldHint } from './unsupported-fields.ts'
import type { ConfigContext, ConfigProblem } from './variables.ts'

/** Settings of the host itself. Command line options override them. */
export interface HostSettings {
  readonly name: string
  readonly port: number | undefined
  readonly address: string | undefined
  readonly list: 'all' | 'search'
  readonly alwaysList: readonly string[]
  /** in open mode, tools that change state are trusted as the file says */
  readonly open: boolean
  /** how long the first lists wait for servers that are still starting */
  readonly startWaitMs: number
  /** undefined: no log files */
  readonly logs: LogLimits | undefined
  /** every caller over HTTP needs a token */
  readonly requireToken: boolean
  /** the embedded issuer; undefined: nobody signs in here */
  readonly signIn: SignInConfig | undefined
}

export interface HostFile {
  /** as it was read */
  readonly text: string
  readonly settings: readonly ServerSettings[]
  /** names of disabled servers */
  readonly disabled: readonly string[]
  readonly host: HostSettings
  readonly profiles: readonly Profile[]
  /** what happens to calls that wait for approval */
  readonly approvals?: ApprovalConfig
  /** where these calls are announced */
  readonly announcements: Announcements
  /** hints that are not errors */
  readonly notes: readonly string[]
}

export const HOST_FILE = 'myrmex.json'

/** Fields that may contain a token or password: their values are not repeated in messages. */
const SECRETS: ReadonlySet<string> = new Set([
  ...['env', 'headers', 'client_secret', 'url', 'serverUrl', 'httpUrl', 'args'],
  ...['webhook', 'secret', 'slack', 'smtp'],
])
const MAX_BYTES = 4 * 1024 * 1024
const MAX_REPORTED = 10
const START_WAIT_MS = 8000

/** Throws ValidationError with `file:line:column` for each error, and FileNotFoundError if the file does not exist. */
export async function readHostFile(
  path: string,
  env: ConfigContext['env'] = process.env,
  home: string = homedir(),
): Promise<HostFile> {
  const { text, jsonc, config } = await readConfig(path)
  const context = { folder: dirname(resolve(path)), home, env }
  const describe = (problems: readonly ConfigProblem[]): string => rejection(path, jsonc, problems).message
  const { settings, disabled } = await resolveSettings(config, context, resolve(path), describe)
  const { profiles, problems } = resolveProfiles(config)
  if (problems.length > 0) throw rejection(path, jsonc, problems)
  const { name = 'myrmex', port, address, list = 'all', always_list: alwaysList = [], open = false } = config.host ?? {}
  const {
    start_wait_ms: startWaitMs = START_WAIT_MS,
    logs = {},
    require_token: requireToken = false,
    sign_in: signIn,
  } = config.host ?? {}
  return {
    text,
    settings,
    disabled,
    host: {
      name,
      port,
      address,
      list,
      alwaysList,
      open,
      requireToken,
      signIn,
      startWaitMs,
      logs: logs === false ? undefined : logLimits(logs),
    },
    profiles,
    ...(config.approvals !== undefined && { approvals: config.approvals }),
    announcements: await resolveAnnouncements(config.approvals ?? {}, context, describe),
    notes: configNotes(config, settings),
  }
}

/** What the file gives the tools of each server that is not disabled, by the name of the server. No variable or secret is resolved. */
export async function readConfiguredTrust(path: string): Promise<ReadonlyMap<string, ConfiguredTrust>> {
  const { config } = await readConfig(path)
  return new Map(
    Object.entries(config.mcpServers).flatMap(([configured, entry]) => {
      const name = serverName(configured)
      return typeof name !== 'string' || isDisabled(entry) ? [] : [[name, entry.trust ?? DEFAULTS.trust] as const]
    }),
  )
}

/** The settings for tools of each server, by the name of the server. No variable or secret is resolved. */
export async function readToolRules(path: string): Promise<ReadonlyMap<string, ServerSettings['tools']>> {
  const { config } = await readConfig(path)
  return new Map(
    Object.entries(config.mcpServers).flatMap(([configured, entry]) => {
      const name = serverName(configured)
      return typeof name === 'string' && entry.module === undefined ? [[name, toolsOf(entry)] as const] : []
    }),
  )
}

const logLimits = ({
  max_bytes: maxBytes = DEFAULT_LOG_LIMITS.maxBytes,
  files = DEFAULT_LOG_LIMITS.files,
}: {
  max_bytes?: number | undefined
  files?: number | undefined
}): LogLimits => ({ maxBytes, files })

/** Checks the text of the file without resolving variables and secrets. Throws ValidationError as `readHostFile`. */
export async function checkHostText(text: string, path: string): Promise<void> {
  await parseText(text, path)
}

/** The names of the profiles. No variable or secret is resolved. */
export async function readProfileNames(path: string): Promise<readonly string[]> {
  const { config } = await readConfig(path)
  return Object.keys(config.profiles ?? {})
}

/** How people sign in, where, and to which profiles. No variable or secret is resolved. */
export async function readSignIn(path: string): Promise<{
  readonly signIn: SignInConfig | undefined
  readonly port: number | undefined
  readonly address: string | undefined
  readonly profiles: readonly string[]
}> {
  const { host = {}, profiles = {} } = (await readConfig(path)).config
  return { signIn: host.sign_in, port: host.port, address: host.address, profiles: Object.keys(profiles) }
}

async function readConfig(path: string): Promise<ParsedFile & { readonly text: string }> {
  const text = await readTextFile(path, MAX_BYTES)
  if (text === undefined) throw ToolError.of('FileNotFoundError', `${path} does not exist`)
  return { text, ...(await parseText(text, path)) }
}

interface ParsedFile {
  readonly jsonc: JsoncDocument
  readonly config: HostConfig
}

async function parseText(text: string, path: string): Promise<ParsedFile> {
  const jsonc = await readJsonc(text, path)
  const [duplicate] = jsonc.duplicateKeys
  if (duplicate !== undefined) throw rejection(path, jsonc, [{ path: duplicate, message: 'appears twice' }])
  return { jsonc, config: parse(jsonc, path) }
}

function parse(jsonc: JsoncDocument, path: string): HostConfig {
  try {
    return parseStrictly(jsonc.value, {
      name: 'configuration of the host',
      schema: hostSchema(),
      jsonSchema: hostJsonSchema,
      secrets: SECRETS,
    })
  } catch (error) {
    if (!(error instanceof ToolError) || !isObject(error.error_details)) throw error
    throw rejection(
      path,
      jsonc,
      withoutValues(error.error_details.issues as unknown as (ConfigProblem & { value: unknown })[]),
    )
  }
}

/** A whole entry is never repeated, because a mistyped field may hold a token. A mistyped field is not also reported as missing. */
function withoutValues(issues: readonly (ConfigProblem & { value: unknown })[]): ConfigProblem[] {
  const unknown = issues.filter(({ message }) => message.startsWith('is not known here')).map(({ path }) => path)
  return issues.flatMap(({ path, message, value }) => {
    if (!isObject(value)) return [{ path, message: unsupportedFieldHint(path) ?? message }]
    const said = message.replace(`is ${JSON.stringify(value)}: `, '')
    const mistyped = said.endsWith('there is none') && unknown.some((other) => other.startsWith(`${path}/`))
    return mistyped ? [] : [{ path, message: said }]
  })
}

function rejection(file: string, jsonc: JsoncDocument, problems: readonly ConfigProblem[]): ToolError {
  const located = problems
    .map((problem) => ({ ...problem, ...jsonc.locationOf(problem.path) }))
    .sort((a, b) => a.line - b.line || a.column - b.column)
  const lines = located
    .slice(0, MAX_REPORTED)
    .map(({ path, message, line, column }) => `${file}:${line}:${column}: ${path || 'the file'} ${message}`)
  if (problems.length > MAX_REPORTED) lines.push(`and ${problems.length - MAX_REPORTED} more`)
  return ToolError.of('ValidationError', lines.join('\n'), { issues: located })
}
