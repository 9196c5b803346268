/** Where each agent of a fleet is, in full: paths from the folder of the fleet's file, variables filled in. */
import { join, resolve } from 'node:path'
import type { CommandTarget, UrlTarget } from '../../client/target.ts'
import { moduleFile } from '../../host/config/module-file.ts'
import { ToolError } from '../../protocol/errors.ts'
import { pointer } from '../../protocol/json.ts'
import type { AgentPlace, FleetConfig } from './config.ts'

export type Place =
  | { readonly where: 'in-process'; readonly file: string }
  | { readonly where: 'child'; readonly target: CommandTarget; readonly timeoutMs: number | undefined }
  | { readonly where: 'url'; readonly target: UrlTarget; readonly timeoutMs: number | undefined }

/** What the file does not say itself. */
export interface Around {
  readonly folder: string
  readonly env: NodeJS.ProcessEnv
  /** where children write what is no message */
  readonly stderr?: CommandTarget['stderr']
}

/** Throws ToolError ValidationError naming every variable that is not set: nothing is started with half of what it needs. */
export function placesOf(config: FleetConfig, around: Around): Map<string, Place> {
  const filling = new Filling(around.env)
  const places = new Map<string, Place>()
  for (const [name, place] of Object.entries(config.agents)) places.set(name, placeOf(place, around, filling, name))
  if (filling.missing.length > 0) {
    throw new ToolError('ValidationError', `The fleet cannot be opened. ${filling.missing.join('; ')}`, {
      missing: filling.missing,
    })
  }
  return places
}

function placeOf(place: AgentPlace, { folder, stderr }: Around, filling: Filling, name: string): Place {
  const { module, command, url, timeout_ms: timeoutMs } = place
  const path = (...more: string[]): string => pointer(['agents', name, ...more])
  if (module !== undefined) return { where: 'in-process', file: moduleFile(module, folder) }
  if (command !== undefined) {
    const { args, env = {}, cwd = '.' } = place
    const target: CommandTarget = {
      command: command.includes('/') ? resolve(folder, command) : command,
      ...(args !== undefined && { args }),
      env: { MYRMEX_LEDGER: ledgerOf(name), ...filling.all(env, (key) => path('env', key)) },
      cwd: resolve(folder, cwd),
      ...(stderr !== undefined && { stderr }),
    }
    return { where: 'child', target, timeoutMs }
  }
  const target = urlTarget(place, filling, path, url ?? '')
  return { where: 'url', target, timeoutMs }
}

/**
 * A child gates its calls itself. What it decides about its tools and what is decided here about their proxies are two things, so
 * it has a ledger of its own, unless it is told another.
 */
const ledgerOf = (name: string): string => join('.myrmex', 'agents', name, 'ledger.db')

function urlTarget(
  { headers = {}, token_env }: AgentPlace,
  filling: Filling,
  path: (...more: string[]) => string,
  written: string,
): UrlTarget {
  const missing = filling.missing.length
  const url = filling.in(written, path('url'))
  // With a variable missing it is no URL for that reason alone.
  if (filling.missing.length === missing && !/^https?:$/.test(URL.parse(url)?.protocol ?? '')) {
    filling.missing.push(`${path('url')} is no http or https URL`)
  }
  return {
    url,
    headers: filling.all(headers, (key) => path('headers', key)),
    ...(token_env !== undefined && { token: filling.variable(token_env, path('token_env')) }),
  }
}

/** Puts environment variables where a text names them, and remembers those that are not there. */
class Filling {
  readonly missing: string[] = []
  readonly #env: NodeJS.ProcessEnv

  constructor(env: NodeJS.ProcessEnv) {
    this.#env = env
  }

  variable(name: string, place: string): string {
    const value = this.#env[name]
    if (value === undefined) this.missing.push(`${place} needs the environment variable ${name}, which is not set`)
    return value ?? ''
  }

  in(text: string, place: string): string {
    return text.replace(/\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g, (_, name: string) => this.variable(name, place))
  }

  all(texts: Readonly<Record<string, string>>, placeOf: (key: string) => string): Record<string, string> {
    return Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, this.in(text, placeOf(key))]))
  }
}
