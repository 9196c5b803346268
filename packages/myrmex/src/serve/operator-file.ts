/** Loads a file of the operator, such as the policy, completely, or reports every problem with its line and column. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Constitution, EMPTY_CONSTITUTION, parseConstitution } from '../pipeline/rules/constitution.ts'
import { EMPTY_POLICY, type Policy, parsePolicy } from '../pipeline/rules/policy.ts'
import { ToolError } from '../protocol/errors.ts'
import { isObject } from '../protocol/json.ts'
import { RULES_FILES } from './file-names.ts'

export interface OperatorFile<T> {
  /** its name in messages, such as policy */
  readonly name: string
  /** read if no file was named and this one exists */
  readonly defaultName: string
  /** used if there is no file */
  readonly empty: T
  /** Throws ToolError with `issues` in its details. */
  readonly parse: (value: unknown) => T
}

const POLICY = { name: 'policy', defaultName: RULES_FILES.policy, empty: EMPTY_POLICY, parse: parsePolicy }
const CONSTITUTION = {
  name: 'constitution',
  defaultName: RULES_FILES.constitution,
  empty: EMPTY_CONSTITUTION,
  parse: parseConstitution,
}

export const loadPolicy = (path = process.env.MYRMEX_POLICY, folder?: string): Promise<Policy> =>
  loadOperatorFile(path, POLICY, folder)

export const loadConstitution = (path = process.env.MYRMEX_CONSTITUTION, folder?: string): Promise<Constitution> =>
  loadOperatorFile(path, CONSTITUTION, folder)

/** Options of commands that run tools in this process. */
export interface RulesFlags {
  policy?: string
  constitution?: string
  /** has the files that are not named; default: the working directory */
  rulesFolder?: string
}

export const loadRules = async ({
  policy,
  constitution,
  rulesFolder: folder,
}: RulesFlags): Promise<{ policy: Policy; constitution: Constitution }> => ({
  policy: await loadPolicy(policy, folder),
  constitution: await loadConstitution(constitution, folder),
})

/**
 * A named file must exist. The default file in the folder (by default the working directory) is read if it exists, and only if the folder
 * is believed: the operator did not name it.
 */
export async function loadOperatorFile<T>(
  path: string | undefined,
  kind: OperatorFile<T>,
  folder: string = '',
): Promise<T> {
  const { name, defaultName, empty } = kind
  const file = path ?? join(folder, defaultName)
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code !== 'ENOENT') throw ToolError.of('ValidationError', `The ${name} cannot be read: ${message}`)
    if (path === undefined) return empty
    throw ToolError.of('FileNotFoundError', `The ${name} file ${path} does not exist`)
  }
  await requireBelieved(path, folder)
  return parseFile(text.replace(/^\ufeff/, ''), file, kind)
}

/** Loaded only if there is such a file. */
async function requireBelieved(path: string | undefined, folder: string): Promise<void> {
  const { requireFolder, requireProjectOf } = await import('./folder-trust.ts')
  await (path === undefined ? requireFolder(folder) : requireProjectOf(path))
}

async function parseFile<T>(text: string, file: string, { name, parse }: OperatorFile<T>): Promise<T> {
  const { deeperThan, JsonLocations, locationAt } = await import('../protocol/json-location.ts')
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    // What is no JSON may be deeper than its quotes say.
    const isDeep = deeperThan(MAX_DEPTH, text, { strings: false }) !== undefined
    const { line, column } = (isDeep ? undefined : new JsonLocations(text).syntaxError) ?? { line: 1, column: 1 }
    const why = (error as Error).message.replace(/ in JSON at position .*$/s, '')
    throw ToolError.of('ValidationError', `${file}:${line}:${column}: invalid JSON: ${why}`, null, { cause: error })
  }
  const deep = deeperThan(MAX_DEPTH, text)
  if (deep !== undefined) {
    const { line, column } = locationAt(text, deep)
    throw ToolError.of(
      'ValidationError',
      `${file}:${line}:${column}: the ${name} is nested more than ${MAX_DEPTH} levels deep`,
    )
  }
  const locations = new JsonLocations(text)
  const [duplicate] = locations.duplicates
  if (duplicate !== undefined) throw problemAt(duplicate, 'occurs twice, and only one of them would be used')
  try {
    return parse(value)
  } catch (error) {
    if (!(error instanceof ToolError) || !isObject(error.error_details)) throw error
    const issues = error.error_details.issues as { path: string; message: string }[]
    const problems = issues.slice(0, MAX_ISSUES).map(({ path, message }) => problemAt(path, message).message)
    if (issues.length > MAX_ISSUES) problems.push(`and ${issues.length - MAX_ISSUES} more`)
    throw ToolError.of('ValidationError', problems.join('\n'), error.error_details)
  }

  function problemAt(path: string, message: string): ToolError {
    const { line, column } = locations.locationOf(path)
    return ToolError.of('ValidationError', `${file}:${line}:${column}: ${path || `the ${name}`} ${message}`)
  }
}

const MAX_ISSUES = 10
/** Deeper values are rejected, because they are processed recursively. No valid file is half as deep. */
const MAX_DEPTH = 200
