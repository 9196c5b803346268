/** Reads myrmex.json: found, understood and filled in as a whole, or refused with every line that is wrong. Never half of it. */
import { homedir } from 'node:os'
import { dirname, resolve } from 'node:path'
import { parseStrictly } from '../../pipeline/rules/operator-file.ts'
import { ToolError } from '../../protocol/errors.ts'
import { isObject } from '../../protocol/json.ts'
import type { ServerSettings } from '../settings.ts'
import { type HostConfig, hostJsonSchema, hostSchema } from './host-schema.ts'
import { type JsoncDocument, readJsonc } from './jsonc/read-jsonc.ts'
import { readTextFile } from './read-text.ts'
import { resolveSettings } from './resolve-settings.ts'
import { configNotes, unsupportedFieldHint } from './unsupported-fields.ts'
import type { ConfigContext, ConfigProblem } from './variables.ts'

/** What the file says of the host itself. The command line stands above it. */
export interface HostSettings {
  readonly name: string
  readonly port: number | undefined
  readonly address: string | undefined
  readonly list: 'all' | 'search'
  readonly alwaysList: readonly string[]
}

export interface HostFile {
  readonly settings: readonly ServerSettings[]
  /** names of the servers that are switched off */
  readonly disabled: readonly string[]
  readonly host: HostSettings
  /** what its writer should know, and is no error */
  readonly notes: readonly string[]
}

export const HOST_FILE = 'myrmex.json'

/** Where a token or a password may stand, on purpose or by mistake: what is there is not shown again. */
const SECRETS: ReadonlySet<string> = new Set(['env', 'headers', 'url', 'serverUrl', 'httpUrl', 'args'])
const LARGEST = 4 * 1024 * 1024
const MOST_SHOWN = 10

/** Throws ToolError ValidationError with `file:line:column` for each place that is wrong, FileNotFoundError where there is none. */
export async function readHostFile(
  path: string,
  env: ConfigContext['env'] = process.env,
  home: string = homedir(),
): Promise<HostFile> {
  const text = await readTextFile(path, LARGEST)
  if (text === undefined) throw ToolError.of('FileNotFoundError', `${path} does not exist`)
  const jsonc = await readJsonc(text, path)
  const [twice] = jsonc.duplicateKeys
  if (twice !== undefined)
    throw refused(path, jsonc, [{ path: twice, message: 'stands twice, and only one of them would count' }])
  const config = parse(jsonc, path)
  const around = { folder: dirname(resolve(path)), home, env }
  const { settings, disabled, problems } = await resolveSettings(config, around)
  if (problems.length > 0) throw refused(path, jsonc, problems)
  const { name = 'myrmex', port, address, list = 'all', always_list: alwaysList = [] } = config.host ?? {}
  return { settings, disabled, host: { name, port, address, list, alwaysList }, notes: configNotes(config, settings) }
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
    throw refused(path, jsonc, told(error.error_details.issues as unknown as (ConfigProblem & { value: unknown })[]))
  }
}

/** A whole entry is not shown again: whatever was mistyped in it may be a token. Nor is it said to lack what was mistyped. */
function told(issues: readonly (ConfigProblem & { value: unknown })[]): ConfigProblem[] {
  const unknown = issues.filter(({ message }) => message.startsWith('is not known here')).map(({ path }) => path)
  return issues.flatMap(({ path, message, value }) => {
    if (!isObject(value)) return [{ path, message: unsupportedFieldHint(path) ?? message }]
    const said = message.replace(`is ${JSON.stringify(value)}: `, '')
    const mistyped = said.endsWith('there is none') && unknown.some((other) => other.startsWith(`${path}/`))
    return mistyped ? [] : [{ path, message: said }]
  })
}

function refused(file: string, jsonc: JsoncDocument, problems: readonly ConfigProblem[]): ToolError {
  const placed = problems
    .map((problem) => ({ ...problem, ...jsonc.locationOf(problem.path) }))
    .sort((a, b) => a.line - b.line || a.column - b.column)
  const lines = placed
    .slice(0, MOST_SHOWN)
    .map(({ path, message, line, column }) => `${file}:${line}:${column}: ${path || 'the file'} ${message}`)
  if (problems.length > MOST_SHOWN) lines.push(`and ${problems.length - MOST_SHOWN} more`)
  return ToolError.of('ValidationError', lines.join('\n'), { issues: placed })
}
