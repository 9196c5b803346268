/**
 * Resolves `sandbox` of a server: its own, that of the host, or the default. No child can read the state folder or a file that a secret
 * of any server or channel comes from, and none can change the configuration file.
 */
import { statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { MYRMEX_FOLDER } from '../../ledger/private-folder.ts'
import type { SandboxSettings } from '../settings.ts'
import type { HostConfig, ServerEntry } from './host-schema.ts'
import { type ConfigContext, resolvePath } from './variables.ts'

export class SandboxResolver {
  readonly #config: HostConfig
  readonly #context: ConfigContext
  readonly #protected: Pick<SandboxSettings, 'state' | 'hide' | 'hidden' | 'readOnly'>

  /** `file` is the configuration file. */
  constructor(config: HostConfig, context: ConfigContext, file: string) {
    this.#config = config
    this.#context = context
    const hide = this.#secretFiles()
    // A part of the settings, so that children restart when a secret's file was replaced.
    const hidden = hide.map((path) => statSync(path, { throwIfNoEntry: false })?.ino ?? null)
    this.#protected = { state: join(dirname(file), MYRMEX_FOLDER), hide, hidden, readOnly: [file] }
  }

  of(entry: ServerEntry): SandboxSettings {
    const configured = entry.sandbox ?? this.#config.host?.sandbox ?? 'auto'
    if (typeof configured === 'string') return { kind: configured, network: true, ...this.#protected }
    const { kind = 'auto', user, write, network = true } = configured
    return {
      kind,
      network,
      ...(user !== undefined && { user }),
      ...(write !== undefined && { write: write.map((path) => resolvePath(path, this.#context)) }),
      ...this.#protected,
    }
  }

  /** Of every server: a child gets the value of its own secret in a variable, and needs no file. */
  #secretFiles(): string[] {
    const ofServers = Object.values(this.#config.mcpServers).flatMap(({ env = {}, headers = {}, auth }) => [
      ...Object.values(env),
      ...Object.values(headers),
      typeof auth === 'object' ? auth.client_secret : undefined,
    ])
    const { channels = {} } = this.#config.approvals ?? {}
    const ofChannels = Object.values(channels).flatMap(({ webhook, secret, slack, smtp }) => [
      ...[webhook, secret, slack, smtp],
    ])
    const values = [...ofServers, ...ofChannels]
    const files = values.flatMap((value) =>
      typeof value === 'object' && 'from_file' in value ? [resolvePath(value.from_file, this.#context)] : [],
    )
    return [...new Set(files)]
  }
}
