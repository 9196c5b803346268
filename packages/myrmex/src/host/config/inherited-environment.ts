/**
 * `inherit_env`: which variables of the host a child gets besides PATH, HOME and the like. Never those of Myrmex, which hold tokens and
 * name files of the operator, nor those through which a service manager speaks with the host. A variable that another server takes a
 * secret from is passed only if its full name is listed.
 */
import type { HostConfig, ServerEntry } from './host-schema.ts'
import type { ConfigContext } from './variables.ts'

const NEVER =
  /^(?:MYRMEX|CREDENTIALS_DIRECTORY$|LISTEN_(?:FDS|FDNAMES|PID)$|NODE_CHANNEL_|NODE_COMPILE_CACHE$|NOTIFY_SOCKET$|WATCHDOG_)/i

export type EnvironmentHeir = (entry: ServerEntry) => Record<string, string>

export function inheritedEnvironment(config: HostConfig, { env }: ConfigContext): EnvironmentHeir {
  const names = Object.keys(env)
  return (entry) => {
    const wanted = entry.inherit_env ?? false
    if (wanted === false) return {}
    const patterns = wanted === true ? [/^/] : wanted.filter(isPattern).map(toRegExp)
    const exact = new Set(wanted === true ? [] : wanted.filter((name) => !isPattern(name)))
    const others = secretSources(config, entry)
    const passed = names.filter(
      (name) =>
        !NEVER.test(name) && (exact.has(name) || (!others.has(name) && patterns.some((pattern) => pattern.test(name)))),
    )
    // Some shells would execute such a value as a function.
    return Object.fromEntries(passed.flatMap((name) => (env[name]?.startsWith('()') ? [] : [[name, env[name] ?? '']])))
  }
}

const isPattern = (name: string): boolean => name.includes('*')

const toRegExp = (pattern: string): RegExp => new RegExp(`^${pattern.replaceAll(/\*+/g, '.*')}$`, 's')

/** Variables that other servers name as the source of a secret. */
function secretSources({ mcpServers }: HostConfig, own: ServerEntry): ReadonlySet<string> {
  const sources = Object.values(mcpServers)
    .filter((entry) => entry !== own)
    .flatMap(({ env = {}, headers = {} }) => [...Object.values(env), ...Object.values(headers)])
    .flatMap((value) => (typeof value === 'object' && 'from_env' in value ? [value.from_env] : []))
  return new Set(sources)
}
