/** Resolves where each agent of a fleet runs: absolute paths, environment variables filled in. */
import { join, resolve } from 'node:path'
import { moduleFile } from '../../host/config/module-file.ts'
import { isGuessedSecret, isSecretValue, looksSecret } from '../../host/config/secrets/secret-names.ts'
import { DEFAULTS } from '../../host/config/server-schema.ts'
import type { ServerSettings } from '../../host/settings.ts'
import { ToolError } from '../../protocol/errors.ts'
import { HAND_OVER_VARIABLE, newHandOverKey } from '../../protocol/hand-over.ts'
import { pointer } from '../../protocol/json.ts'
import type { AgentEntry, FleetConfig } from './config.ts'

export type ResolvedAgent =
  | { readonly where: 'in-process'; readonly file: string }
  | { readonly where: 'child' | 'url'; readonly settings: ServerSettings }

export interface ResolveOptions {
  /** relative paths start here */
  readonly folder: string
  readonly env: NodeJS.ProcessEnv
  /** milliseconds that opening a connection may take */
  readonly openMs?: number | undefined
}

const OPEN_MS = 15_000
const TIMEOUT_MS = 30_000

/** Throws ToolError ValidationError naming every variable that is not set, so that no agent starts with half of what it needs. */
export function resolveAgents(config: FleetConfig, options: ResolveOptions): Map<string, ResolvedAgent> {
  const problems: string[] = []
  const agents = new Map<string, ResolvedAgent>()
  for (const [name, entry] of Object.entries(config.agents))
    agents.set(name, resolveAgent(name, entry, options, problems))
  if (problems.length === 0) return agents
  throw ToolError.of('ValidationError', `The fleet cannot be opened. ${problems.join('; ')}`, { missing: problems })
}

function resolveAgent(name: string, entry: AgentEntry, options: ResolveOptions, problems: string[]): ResolvedAgent {
  const { module, command, timeout_ms = TIMEOUT_MS } = entry
  const { folder, openMs = OPEN_MS } = options
  if (module !== undefined) return { where: 'in-process', file: moduleFile(module, folder) }
  const values = entryValues(name, options.env, problems)
  const handOverKey = command === undefined ? undefined : newHandOverKey()
  const endpoint =
    command === undefined
      ? urlEndpoint(entry, values)
      : childEndpoint(name, command, entry, { values, folder, handOverKey })
  const settings: ServerSettings = {
    name,
    endpoint,
    start: 'eager',
    idleMs: 0,
    openMs,
    timeoutMs: timeout_ms,
    healthMs: DEFAULTS.health_ms,
    hungMs: DEFAULTS.hung_ms,
    trust: 'none',
    tools: [],
    roots: [],
    instructions: false,
    ...(handOverKey !== undefined && { handOverKey }),
    secrets: [...values.secrets, ...(handOverKey === undefined ? [] : [handOverKey])].filter(isSecretValue),
    // The agents of a fleet do not change while it is open.
    digest: `agent ${name}`,
  }
  return { where: endpoint.where === 'child' ? 'child' : 'url', settings }
}

/** A child has its own gates, and by default its own ledger. Decisions of the fleet about its calls are handed over to it. */
function childEndpoint(
  name: string,
  command: string,
  { args = [], env = {}, cwd = '.' }: AgentEntry,
  { values, folder, handOverKey = '' }: { values: EntryValues; folder: string; handOverKey: string | undefined },
): ServerSettings['endpoint'] {
  return {
    where: 'child',
    command: command.includes('/') ? resolve(folder, command) : command,
    args,
    env: {
      MYRMEX_LEDGER: join('.myrmex', 'agents', name, 'ledger.db'),
      ...values.expandAll(env, 'env'),
      [HAND_OVER_VARIABLE]: handOverKey,
    },
    cwd: resolve(folder, cwd),
  }
}

function urlEndpoint(
  { url: given = '', headers = {}, token_env }: AgentEntry,
  values: EntryValues,
): ServerSettings['endpoint'] {
  const url = values.expand(given, 'url')
  // Without a value it is not a URL for that reason alone.
  if (url !== undefined && !/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
    values.addProblem('is no http or https URL', 'url')
  const sent = values.expandAll(headers, 'headers')
  if (token_env !== undefined) {
    const token = values.variable(token_env, 'token_env') ?? ''
    values.secrets.add(token)
    sent.authorization = `Bearer ${token}`
  }
  return { where: 'url', url: url ?? '', headers: sent, transport: 'auto' }
}

type EntryValues = ReturnType<typeof entryValues>

/** Fills environment variables into the texts of one agent's entry. Collects secrets, and variables that are not set. */
function entryValues(agent: string, env: NodeJS.ProcessEnv, problems: string[]) {
  const secrets = new Set<string>()
  const addProblem = (message: string, ...path: string[]): void => {
    problems.push(`${pointer(['agents', agent, ...path])} ${message}`)
  }
  const variable = (name: string, ...path: string[]): string | undefined => {
    const value = env[name]
    if (value === undefined) addProblem(`needs the environment variable ${name}, which is not set`, ...path)
    else if (looksSecret(name) && isGuessedSecret(value)) secrets.add(value)
    return value
  }
  /** Undefined: a variable is not set. */
  const expand = (text: string, ...path: string[]): string | undefined => {
    let isComplete = true
    const expanded = text.replace(/\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g, (_, name: string) => {
      const value = variable(name, ...path)
      isComplete &&= value !== undefined
      return value ?? ''
    })
    return isComplete ? expanded : undefined
  }
  const expandAll = (texts: Readonly<Record<string, string>>, field: string): Record<string, string> =>
    Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, expand(text, field, key) ?? '']))
  return { secrets, addProblem, variable, expand, expandAll }
}
