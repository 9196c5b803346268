/** Resolves the servers of the file into settings: absolute paths, expanded variables, resolved secrets. */
import { existsSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { crypto } from '../../protocol/builtin.ts'
import { canonical } from '../../protocol/canonical.ts'
import type { AuthSettings, ServerSettings } from '../settings.ts'
import { authSettings } from './auth-schema.ts'
import { type ConfiguredValue, endpointKind, endpointUrl, TRANSPORT_TYPES } from './endpoint-schema.ts'
import type { HostConfig, ServerEntry } from './host-schema.ts'
import { type EnvironmentHeir, inheritedEnvironment } from './inherited-environment.ts'
import { moduleFile } from './module-file.ts'
import { SandboxResolver } from './resolve-sandbox.ts'
import { secretsInArgs, secretsInUrl } from './secrets/embedded-secrets.ts'
import { isGuessedSecret, isSecretValue, looksSecret } from './secrets/secret-names.ts'
import { resolveValue } from './secrets/secret-value.ts'
import { serverName } from './server-name.ts'
import { DEFAULTS } from './server-schema.ts'
import { type ConfigContext, type ConfigProblem, resolvePath, resolveProgram, VariableExpander } from './variables.ts'

export const isDisabled = ({ disabled, enabled }: ServerEntry): boolean => disabled === true || enabled === false

/**
 * Disabled servers are not resolved: they may need variables that are not set. A server with a value that cannot be resolved is not
 * started: its settings have a `problem`, which `describe` makes of what is wrong.
 */
export async function resolveSettings(
  config: HostConfig,
  context: ConfigContext,
  file: string,
  describe: (problems: readonly ConfigProblem[]) => string,
) {
  const sandboxes = new SandboxResolver(config, context, file)
  const inherited = inheritedEnvironment(config, context)
  const settings: ServerSettings[] = []
  const disabled: string[] = []
  for (const [configured, entry] of Object.entries(config.mcpServers)) {
    const name = serverName(configured)
    if (typeof name !== 'string') throw new Error(`${configured}: ${name.problem}`)
    if (isDisabled(entry)) disabled.push(name)
    else {
      const { results, strict } = config.host ?? {}
      const withDefaults = { ...entry, results: entry.results ?? results, strict: entry.strict ?? strict }
      const expander = new VariableExpander(context)
      const resolver = new ServerResolver(['mcpServers', configured], expander, sandboxes, inherited(entry))
      const resolved = await resolver.server(name, withDefaults)
      const problem = expander.problems.length === 0 ? {} : { problem: describe(expander.problems) }
      settings.push({ ...resolved, ...problem, digest: digestOf({ ...resolved, ...problem }) })
    }
  }
  return { settings, disabled }
}

/** Resolves one server. */
class ServerResolver {
  readonly #path: readonly string[]
  readonly #expander: VariableExpander
  readonly #sandboxes: SandboxResolver
  readonly #inherited: Readonly<Record<string, string>>
  readonly #secrets = new Set<string>()
  readonly #publicValues = new Set<string>()

  constructor(
    path: readonly string[],
    expander: VariableExpander,
    sandboxes: SandboxResolver,
    inherited: ReturnType<EnvironmentHeir>,
  ) {
    this.#inherited = inherited
    this.#path = path
    this.#expander = expander
    this.#sandboxes = sandboxes
  }

  async server(name: string, entry: ServerEntry): Promise<Omit<ServerSettings, 'digest'>> {
    const options = { ...DEFAULTS, ...entry }
    const endpoint = await this.#endpoint(entry)
    // What is a secret anywhere else stays one.
    const publicValues = this.#publicValues.difference(this.#secrets)
    return {
      name,
      endpoint,
      start: options.start,
      idleMs: options.idle_ms,
      openMs: options.open_ms,
      timeoutMs: options.timeout_ms,
      healthMs: options.health_ms,
      hungMs: options.hung_ms,
      trust: options.trust,
      changes: options.changes,
      tools: toolsOf(entry),
      roots: (entry.roots ?? []).map((root, index) => this.#root(root, index)),
      instructions: options.instructions,
      ...(endpoint.where === 'child' && { sandbox: this.#sandboxes.of(entry) }),
      ...(entry.results === 'mark' && { results: 'mark' as const }),
      ...(entry.sessions === 'caller' && { sessions: 'caller' as const }),
      ...(entry.max_sessions !== undefined && { maxSessions: entry.max_sessions }),
      ...(entry.strict === true && { strict: true }),
      secrets: longestFirst(this.#secrets),
      ...(publicValues.size > 0 && { publicValues: longestFirst(publicValues) }),
    }
  }

  async #endpoint(entry: ServerEntry): Promise<ServerSettings['endpoint']> {
    const kind = endpointKind(entry)
    if (kind === 'module') return { where: 'in-process', file: this.#module(entry.module ?? '') }
    if (kind === 'url') return this.#url(entry)
    const args = (entry.args ?? []).map((arg, index) => this.#text(arg, 'args', index))
    this.#guess(secretsInArgs(args))
    return {
      where: 'child',
      command: resolveProgram(this.#text(entry.command ?? '', 'command'), this.#expander.context),
      args,
      env: { ...this.#inherit(), ...(await this.#values(entry.env ?? {}, 'env')) },
      cwd: resolvePath(this.#text(entry.cwd ?? '.', 'cwd'), this.#expander.context),
    }
  }

  async #url(entry: ServerEntry): Promise<ServerSettings['endpoint']> {
    const key = entry.url !== undefined ? 'url' : entry.serverUrl !== undefined ? 'serverUrl' : 'httpUrl'
    const before = this.#expander.problems.length
    const url = this.#text(endpointUrl(entry) ?? '', key)
    // With a missing variable that is already reported.
    const whole = this.#expander.problems.length === before
    if (whole && !/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
      this.#expander.addProblem([...this.#path, key], 'is not an http or https URL')
    this.#guess(secretsInUrl(url))
    const said = TRANSPORT_TYPES[entry.type ?? entry.transport ?? 'remote']
    const transport = said === 'http' || said === 'sse' ? said : key === 'httpUrl' ? 'http' : 'auto'
    const headers = await this.#values(entry.headers ?? {}, 'headers')
    return {
      where: 'url',
      url,
      headers,
      transport,
      ...(entry.auth !== undefined && { auth: await this.#auth(entry.auth) }),
    }
  }

  async #auth(configured: NonNullable<ServerEntry['auth']>): Promise<AuthSettings | 'none'> {
    if (configured === 'none') return 'none'
    const { client_secret, ...rest } = configured
    const secret = client_secret === undefined ? {} : await this.#values({ client_secret }, 'auth')
    return authSettings(rest, (text, name) => this.#text(text, 'auth', name), secret.client_secret)
  }

  async #values(configured: Readonly<Record<string, ConfiguredValue>>, key: string): Promise<Record<string, string>> {
    const values: [string, string][] = []
    for (const [name, value] of Object.entries(configured)) {
      const path = [...this.#path, key, name]
      const { text, secrets, publicValues = [], guessed } = await resolveValue(value, path, this.#expander)
      for (const known of publicValues.filter(isSecretValue)) this.#publicValues.add(known)
      for (const secret of secrets.filter(isSecretValue)) this.#secrets.add(secret)
      this.#guess([...guessed, ...secretsInUrl(text)])
      values.push([name, text])
    }
    return Object.fromEntries(values)
  }

  /** Values that look like secrets are removed from what the server says, as those in its own `env`. */
  #inherit(): Readonly<Record<string, string>> {
    for (const [name, value] of Object.entries(this.#inherited)) {
      if (looksSecret(name)) this.#guess([value])
      this.#guess(secretsInUrl(value))
    }
    return this.#inherited
  }

  /** A path in a variable such as GOOGLE_APPLICATION_CREDENTIALS is not a secret. */
  #guess(values: readonly string[]): void {
    for (const value of values) if (isGuessedSecret(value) && !existsSync(value)) this.#secrets.add(value)
  }

  #module(configured: string): string {
    const module = this.#text(configured, 'module')
    return module.startsWith('~')
      ? resolvePath(module, this.#expander.context)
      : moduleFile(module, this.#expander.context.folder)
  }

  #root(configured: string, index: number): string {
    const root = this.#text(configured, 'roots', index)
    return root.startsWith('file://') ? root : pathToFileURL(resolvePath(root, this.#expander.context)).href
  }

  #text(configured: string, ...path: readonly PropertyKey[]): string {
    const { text, secrets } = this.#expander.expand(configured, [...this.#path, ...path])
    this.#guess(secrets)
    return text
  }
}

export const toolsOf = ({ tools = {} }: Pick<ServerEntry, 'tools'>): ServerSettings['tools'] =>
  Object.entries(tools).map(([pattern, { enabled, destructive, timeout_ms }]) => [
    pattern,
    { enabled, destructive, timeoutMs: timeout_ms },
  ])

/** A secret that contains another one must be removed first. */
const longestFirst = (secrets: ReadonlySet<string>): string[] => [...secrets].sort((a, b) => b.length - a.length)

/** Random per process: with a reproducible hash a short secret could be guessed. */
const SALT = crypto.randomBytes(32)
const digestOf = (settings: object): string =>
  crypto.createHmac('sha256', SALT).update(canonical(settings)).digest('base64url')
