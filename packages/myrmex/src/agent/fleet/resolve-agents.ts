/** Where each agent of a fleet is, in full: paths from the folder of the fleet's file, variables filled in. */
import { join, resolve } from 'node:path'
import { moduleFile } from '../../host/config/module-file.ts'
import { isGuessedSecret, isSecretValue, looksSecret } from '../../host/config/secrets/secret-names.ts'
import { DEFAULTS } from '../../host/config/server-schema.ts'
import type { ChildEndpoint, ServerSettings, UrlEndpoint } from '../../host/settings.ts'
import { ToolError } from '../../protocol/errors.ts'
import { pointer } from '../../protocol/json.ts'
import type { AgentEntry, FleetConfig } from './config.ts'

export type ResolvedAgent =
  | { readonly where: 'in-process'; readonly file: string }
  | { readonly where: 'child' | 'url'; readonly settings: ServerSettings }

/** What the file does not say itself. */
export interface ResolveOptions {
  readonly folder: string
  readonly env: NodeJS.ProcessEnv
  /** milliseconds that opening a connection may take */
  readonly openMs?: number | undefined
}

/** Throws ToolError ValidationError naming every variable that is not set: nothing is started with half of what it needs. */
export function resolveAgents(config: FleetConfig, around: ResolveOptions): Map<string, ResolvedAgent> {
  const filling = new Filling(around.env)
  const places = new Map<string, ResolvedAgent>()
  for (const [name, place] of Object.entries(config.agents)) places.set(name, placeOf(place, around, filling, name))
  if (filling.missing.length > 0) {
    throw ToolError.of('ValidationError', `The fleet cannot be opened. ${filling.missing.join('; ')}`, {
      missing: filling.missing,
    })
  }
  return places
}

function placeOf(place: AgentEntry, around: ResolveOptions, filling: Filling, name: string): ResolvedAgent {
  const { module, command, url } = place
  const { folder } = around
  const path = (...more: string[]): string => pointer(['agents', name, ...more])
  if (module !== undefined) return { where: 'in-process', file: moduleFile(module, folder) }
  if (command !== undefined) {
    const { args, env = {}, cwd = '.' } = place
    const child: ChildEndpoint = {
      where: 'child',
      command: command.includes('/') ? resolve(folder, command) : command,
      args: args ?? [],
      env: { MYRMEX_LEDGER: ledgerOf(name), ...filling.all(env, (key) => path('env', key)) },
      cwd: resolve(folder, cwd),
    }
    return { where: 'child', settings: settingsOf(name, child, place, around, filling) }
  }
  const target = urlPlace(place, filling, path, url ?? '')
  return { where: 'url', settings: settingsOf(name, target, place, around, filling) }
}

/** An agent elsewhere is a server of the host like any other. Nobody vouches for its tools beforehand. */
function settingsOf(
  name: string,
  place: ChildEndpoint | UrlEndpoint,
  { timeout_ms }: AgentEntry,
  { openMs }: ResolveOptions,
  filling: Filling,
): ServerSettings {
  return {
    name,
    endpoint: place,
    start: 'eager',
    idleMs: 0,
    openMs: openMs ?? OPEN_MS,
    timeoutMs: timeout_ms ?? TIMEOUT_MS,
    healthMs: DEFAULTS.health_ms,
    hungMs: DEFAULTS.hung_ms,
    trust: 'none',
    tools: [],
    roots: [],
    instructions: false,
    secrets: filling.taken(),
    // What a fleet is made of does not change while it is open.
    digest: `agent ${name}`,
  }
}

const OPEN_MS = 15_000
const TIMEOUT_MS = 30_000

/**
 * A child gates its calls itself. What it decides about its tools and what is decided here about their proxies are two things, so
 * it has a ledger of its own, unless it is told another.
 */
const ledgerOf = (name: string): string => join('.myrmex', 'agents', name, 'ledger.db')

function urlPlace(
  { headers = {}, token_env }: AgentEntry,
  filling: Filling,
  path: (...more: string[]) => string,
  written: string,
): UrlEndpoint {
  const missing = filling.missing.length
  const url = filling.in(written, path('url'))
  // With a variable missing it is no URL for that reason alone.
  if (filling.missing.length === missing && !/^https?:$/.test(URL.parse(url)?.protocol ?? '')) {
    filling.missing.push(`${path('url')} is no http or https URL`)
  }
  const sent = filling.all(headers, (key) => path('headers', key))
  const token = token_env === undefined ? undefined : filling.secret(token_env, path('token_env'))
  return {
    where: 'url',
    url,
    headers: { ...sent, ...(token !== undefined && { authorization: `Bearer ${token}` }) },
    transport: 'auto',
  }
}

/** Puts environment variables where a text names them, and remembers those that are not there. */
class Filling {
  readonly missing: string[] = []
  readonly #env: NodeJS.ProcessEnv
  readonly #secrets = new Set<string>()

  constructor(env: NodeJS.ProcessEnv) {
    this.#env = env
  }

  variable(name: string, place: string): string {
    const value = this.#env[name]
    if (value !== undefined && looksSecret(name) && isGuessedSecret(value)) this.#secrets.add(value)
    if (value === undefined) this.missing.push(`${place} needs the environment variable ${name}, which is not set`)
    return value ?? ''
  }

  /** One that is a secret whatever it is called. */
  secret(name: string, place: string): string {
    const value = this.variable(name, place)
    this.#secrets.add(value)
    return value
  }

  /** Values of variables that must not be seen, since this was last asked. */
  taken(): string[] {
    const secrets = [...this.#secrets].filter(isSecretValue)
    this.#secrets.clear()
    return secrets
  }

  in(text: string, place: string): string {
    return text.replace(/\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g, (_, name: string) => this.variable(name, place))
  }

  all(texts: Readonly<Record<string, string>>, placeOf: (key: string) => string): Record<string, string> {
    return Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, this.in(text, placeOf(key))]))
  }
}
