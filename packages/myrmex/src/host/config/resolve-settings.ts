/** From what the file says of its servers to what the host works with: paths in full, variables filled in, secrets had and known. */
import { existsSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { crypto } from '../../protocol/builtin.ts'
import { canonical } from '../../protocol/canonical.ts'
import type { ServerSettings } from '../settings.ts'
import { endpointKind, endpointUrl, TRANSPORT_TYPES } from './endpoint-schema.ts'
import type { HostConfig, ServerEntry } from './host-schema.ts'
import { moduleFile } from './module-file.ts'
import { resolvePath, resolveProgram } from './relative-path.ts'
import { secretsInArgs, secretsInUrl } from './secrets/embedded-secrets.ts'
import { isGuessedSecret, isSecretValue } from './secrets/secret-names.ts'
import { type ConfiguredValue, resolveValue } from './secrets/secret-value.ts'
import { serverName } from './server-name.ts'
import { DEFAULTS } from './server-schema.ts'
import { type ConfigContext, type ConfigProblem, VariableExpander } from './variables.ts'

export interface ResolvedServers {
  readonly settings: readonly ServerSettings[]
  /** names of those that are switched off */
  readonly disabled: readonly string[]
  /** what could not be filled in; with any, nothing of the file is to be used */
  readonly problems: readonly ConfigProblem[]
}

export const isDisabled = ({ disabled, enabled }: ServerEntry): boolean => disabled === true || enabled === false

/** What is switched off may need variables that nobody has set. */
export async function resolveSettings(config: HostConfig, around: ConfigContext): Promise<ResolvedServers> {
  const filling = new VariableExpander(around)
  const settings: ServerSettings[] = []
  const disabled: string[] = []
  for (const [written, entry] of Object.entries(config.mcpServers)) {
    const name = serverName(written)
    if (typeof name !== 'string') throw new Error(`${written}: ${name.problem}`)
    if (isDisabled(entry)) disabled.push(name)
    else settings.push(await new Reading(['mcpServers', written], filling, around).server(name, entry))
  }
  return { settings, disabled, problems: filling.problems }
}

/** One server, while it is being read. */
class Reading {
  readonly #path: readonly string[]
  readonly #filling: VariableExpander
  readonly #around: ConfigContext
  readonly #secrets = new Set<string>()

  constructor(path: readonly string[], filling: VariableExpander, around: ConfigContext) {
    this.#path = path
    this.#filling = filling
    this.#around = around
  }

  async server(name: string, entry: ServerEntry): Promise<ServerSettings> {
    const kept = { ...DEFAULTS, ...defined(entry) }
    const endpoint = await this.#endpoint(entry)
    const settings = {
      name,
      endpoint,
      start: kept.start,
      idleMs: kept.idle_ms,
      openMs: kept.open_ms,
      timeoutMs: kept.timeout_ms,
      healthMs: kept.health_ms,
      hungMs: kept.hung_ms,
      trust: kept.trust,
      tools: toolsOf(entry),
      roots: (entry.roots ?? []).map((root, index) => this.#root(root, index)),
      instructions: kept.instructions,
      secrets: longestFirst(this.#secrets),
    }
    return { ...settings, digest: digestOf(settings) }
  }

  async #endpoint(entry: ServerEntry): Promise<ServerSettings['endpoint']> {
    const kind = endpointKind(entry)
    if (kind === 'module') return { where: 'in-process', file: this.#module(entry.module ?? '') }
    if (kind === 'url') return this.#url(entry)
    const args = (entry.args ?? []).map((arg, index) => this.#text(arg, 'args', index))
    this.#guess(secretsInArgs(args))
    return {
      where: 'child',
      command: resolveProgram(this.#text(entry.command ?? '', 'command'), this.#around),
      args,
      env: await this.#values(entry.env ?? {}, 'env'),
      cwd: resolvePath(this.#text(entry.cwd ?? '.', 'cwd'), this.#around),
    }
  }

  async #url(entry: ServerEntry): Promise<ServerSettings['endpoint']> {
    const key = entry.url !== undefined ? 'url' : entry.serverUrl !== undefined ? 'serverUrl' : 'httpUrl'
    const before = this.#filling.problems.length
    const url = this.#text(endpointUrl(entry) ?? '', key)
    // With a variable missing it is no URL for that reason alone.
    const whole = this.#filling.problems.length === before
    if (whole && !/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
      this.#filling.addProblem([...this.#path, key], 'is no http or https URL')
    this.#guess(secretsInUrl(url))
    const said = TRANSPORT_TYPES[entry.type ?? entry.transport ?? 'remote']
    const transport = said === 'http' || said === 'sse' ? said : key === 'httpUrl' ? 'http' : 'auto'
    return { where: 'url', url, headers: await this.#values(entry.headers ?? {}, 'headers'), transport }
  }

  async #values(written: Readonly<Record<string, ConfiguredValue>>, key: string): Promise<Record<string, string>> {
    const values: [string, string][] = []
    for (const [name, value] of Object.entries(written)) {
      const { text, secrets, guessed } = await resolveValue(
        value,
        [...this.#path, key, name],
        this.#filling,
        this.#around,
      )
      for (const secret of secrets.filter(isSecretValue)) this.#secrets.add(secret)
      this.#guess([...guessed, ...secretsInUrl(text)])
      values.push([name, text])
    }
    return Object.fromEntries(values)
  }

  /** A file's path in a variable such as GOOGLE_APPLICATION_CREDENTIALS is none. */
  #guess(values: readonly string[]): void {
    for (const value of values) if (isGuessedSecret(value) && !existsSync(value)) this.#secrets.add(value)
  }

  #module(written: string): string {
    const module = this.#text(written, 'module')
    return module.startsWith('~') ? resolvePath(module, this.#around) : moduleFile(module, this.#around.folder)
  }

  #root(written: string, index: number): string {
    const root = this.#text(written, 'roots', index)
    return root.startsWith('file://') ? root : pathToFileURL(resolvePath(root, this.#around)).href
  }

  #text(written: string, ...path: readonly PropertyKey[]): string {
    const { text, secrets } = this.#filling.expand(written, [...this.#path, ...path])
    this.#guess(secrets)
    return text
  }
}

/** Without what is not said: it must not stand over a default. */
const defined = (entry: ServerEntry): ServerEntry =>
  Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== undefined))

const toolsOf = ({ tools = {} }: ServerEntry): ServerSettings['tools'] =>
  Object.entries(tools).map(([pattern, { enabled, destructive, timeout_ms }]) => [
    pattern,
    {
      ...(enabled !== undefined && { enabled }),
      ...(destructive !== undefined && { destructive }),
      ...(timeout_ms !== undefined && { timeoutMs: timeout_ms }),
    },
  ])

/** One that holds another must go first, or a part of it would stay. */
const longestFirst = (secrets: ReadonlySet<string>): string[] => [...secrets].sort((a, b) => b.length - a.length)

/** Of this process alone: a hash that anybody could make again would let a short secret be guessed from it. */
const SALT = crypto.randomBytes(32)
const digestOf = (settings: object): string =>
  crypto.createHmac('sha256', SALT).update(canonical(settings)).digest('base64url')
