/**
 * `tool({…})`: the one definition from which the wire format, documents and types follow. It is checked completely here, so that
 * every registered tool can be served: a bad definition never becomes a tool.
 */
import type { InputRequests } from '../protocol/content.ts'
import { TOOL_NAME_PATTERN } from '../protocol/envelope.ts'
import { ToolError } from '../protocol/errors.ts'
import type { JsonObject } from '../protocol/json.ts'
import { compileSchema, type Input, type Output, type Schema, type SchemaSource } from '../protocol/schema.ts'
import type { Answer } from './answer.ts'
import type { Context } from './context.ts'
import { definitionHash } from './hash.ts'
import { type HeaderParameter, headerParameters } from './headers.ts'
import { PLAN_NAME } from './name.ts'
import { isVersion } from './version.ts'

export interface Example<In = Record<string, unknown>, Out = unknown> {
  title?: string
  arguments: In
  /** what comes back, where it is the same every time */
  data?: Out
  /** the error_type that comes back instead */
  error?: string
}

export interface Limit {
  calls: number
  per_ms: number
}

/** The data type of a tool: an object, or null for a tool that has nothing to tell but that it is done. */
type Returned<O extends SchemaSource> = Input<O> | Answer<Input<O>> | (null extends Input<O> ? undefined | void : never)

export interface ToolDefinition<I extends SchemaSource = SchemaSource, O extends SchemaSource = SchemaSource> {
  /** canonical: module.tool */
  name: string
  /** semantic version of this tool */
  version: string
  title?: string
  description: string
  input: I
  output: O
  /** error types the tool throws as its own, each with the condition that brings it about */
  errors: Record<string, string>
  /** calling it again with the same arguments changes nothing further */
  idempotent: boolean
  /** it changes state */
  destructive: boolean
  /**
   * It writes its effect and `ctx.idempotencyKey` in one transaction, so that calling it again with the same key changes
   * nothing further. A call whose outcome is unknown is then run again.
   */
  keyed?: boolean
  /** risks and how they are met, for the document */
  security: string
  examples: readonly Example<Input<I>, Input<O>>[]
  /** milliseconds; default 30,000 */
  timeout?: number
  limit?: Limit
  /** seconds a caller may keep the definition */
  cacheTtl?: number
  deprecatedIn?: string
  replacedBy?: string
  /** true: runs as a task for clients that speak tasks. 'required': refuses the others. 'later': once `ctx.later()` says so. */
  task?: boolean | 'required' | 'later'
  /** Questions that the client must answer before the tool starts; the answers are in `ctx.answers`. */
  ask?: (input: Output<I>, ctx: Context) => InputRequests | undefined
  dryRun?: (input: Output<I>, ctx: Context) => Returned<O> | Promise<Returned<O>>
  /** Reverses a call with this input; `data` is what it returned. */
  undo?: (input: Output<I>, data: Output<O>, ctx: Context) => void | Promise<void>
  run: (input: Output<I>, ctx: Context) => Returned<O> | Promise<Returned<O>>
}

/** A definition that passed. Frozen; shared by every connection. */
export interface Tool {
  readonly kind: 'tool'
  readonly name: string
  readonly module: string
  readonly version: string
  readonly title: string | undefined
  readonly description: string
  readonly input: Schema
  readonly output: Schema
  /** false: the tool has no data, and no output schema is listed */
  readonly hasData: boolean
  readonly errors: Readonly<Record<string, string>>
  readonly errorTypes: ReadonlySet<string>
  readonly idempotent: boolean
  readonly destructive: boolean
  readonly keyed: boolean
  readonly security: string
  readonly examples: readonly Example[]
  readonly timeout: number
  readonly limit: Limit | undefined
  readonly cacheTtl: number
  readonly deprecatedIn: string | undefined
  readonly replacedBy: string | undefined
  readonly task: false | 'allowed' | 'required' | 'later'
  readonly headers: readonly HeaderParameter[]
  readonly ask: ((input: unknown, ctx: Context) => InputRequests | undefined) | undefined
  readonly dryRun: ((input: unknown, ctx: Context) => unknown) | undefined
  readonly undo: ((input: unknown, data: unknown, ctx: Context) => unknown) | undefined
  readonly run: (input: unknown, ctx: Context) => unknown
  /** own: defined in this program's code. upstream: from a server that somebody else wrote. */
  readonly origin: 'own' | 'upstream'
  /** SHA-256 over everything a caller can see */
  readonly hash: string
}

const DEFAULT_TIMEOUT_MS = 30_000
const DEFAULT_CACHE_TTL_S = 300
const MAX_NAME = 128

export function tool<const I extends SchemaSource, const O extends SchemaSource>(
  definition: ToolDefinition<I, O>,
  origin: Tool['origin'] = 'own',
): Tool {
  const { name } = definition
  const refuse = (why: string): never => {
    throw ToolError.of('RegistrationError', `tool ${JSON.stringify(name)}: ${why}`)
  }
  checkWords(definition as unknown as ToolDefinition, refuse)
  const timeout = definition.timeout ?? DEFAULT_TIMEOUT_MS
  if (!(timeout > 0)) refuse(`timeout ${timeout} is not a positive number of milliseconds`)

  const from = origin === 'own' ? 'own' : 'foreign'
  const input = compiled(definition.input, 'input', from, refuse)
  const output = compiled(definition.output, 'output', from, refuse)
  if (input.json.type !== 'object') refuse('the input schema must be of type object')
  if (output.json.type !== 'object' && output.json.type !== 'null')
    refuse('the output schema must be of type object or null')

  let hash: string | undefined
  const made: Tool = {
    kind: 'tool',
    name,
    module: name.slice(0, name.lastIndexOf('.')),
    version: definition.version,
    title: definition.title,
    description: definition.description,
    input,
    output,
    hasData: output.json.type === 'object',
    errors: Object.freeze({ ...definition.errors }),
    errorTypes: new Set(Object.keys(definition.errors ?? {})),
    idempotent: definition.idempotent,
    destructive: definition.destructive,
    keyed: definition.keyed === true,
    security: definition.security,
    examples: Object.freeze([...(definition.examples ?? [])]) as readonly Example[],
    timeout,
    limit: definition.limit,
    cacheTtl: definition.cacheTtl ?? DEFAULT_CACHE_TTL_S,
    deprecatedIn: definition.deprecatedIn,
    replacedBy: definition.replacedBy,
    task: definition.task === true ? 'allowed' : (definition.task ?? false),
    headers: headerParameters(input.json, refuse),
    ask: definition.ask as Tool['ask'],
    dryRun: definition.dryRun as Tool['dryRun'],
    undo: definition.undo as Tool['undo'],
    run: definition.run as Tool['run'],
    origin,
    get hash() {
      hash ??= definitionHash(made)
      return hash
    },
  }
  return Object.freeze(made)
}

/** Everything about a definition that is no schema. */
function checkWords(definition: ToolDefinition, refuse: (why: string) => never): void {
  const { name, version, run } = definition
  if (typeof name !== 'string' || !TOOL_NAME_PATTERN.test(name) || name.length > MAX_NAME) {
    refuse(`a name is module.tool in lower case, digits and _, at most ${MAX_NAME} long (${TOOL_NAME_PATTERN.source})`)
  }
  if (name === PLAN_NAME) refuse('the name is reserved for plans, which are approved under it')
  if (!isVersion(version)) refuse(`version ${JSON.stringify(version)} is not a semantic version`)
  for (const field of ['description', 'security'] as const) {
    if (typeof definition[field] !== 'string' || definition[field].trim() === '') refuse(`${field} is missing`)
  }
  for (const field of ['idempotent', 'destructive'] as const) {
    if (typeof definition[field] !== 'boolean') refuse(`${field} is required: true or false`)
  }
  if (typeof run !== 'function') refuse('run is missing')
  const { deprecatedIn, replacedBy, keyed, undo } = definition
  if (keyed !== undefined && typeof keyed !== 'boolean') refuse('keyed must be true or false')
  if (undo !== undefined && typeof undo !== 'function') refuse('undo must be a function')
  if (deprecatedIn !== undefined && !isVersion(deprecatedIn))
    refuse(`deprecatedIn ${JSON.stringify(deprecatedIn)} is not a semantic version`)
  if (replacedBy !== undefined && deprecatedIn === undefined)
    refuse(`it is replaced by ${JSON.stringify(replacedBy)}, so deprecatedIn must say since which version`)
}

function compiled(
  source: SchemaSource,
  side: 'input' | 'output',
  from: 'own' | 'foreign',
  refuse: (why: string) => never,
): Schema {
  try {
    return compileSchema(source, side, from)
  } catch (error) {
    return refuse((error as Error).message)
  }
}

/** The schema as a caller of a null tool sees it. */
export const outputSchemaOf = (made: Tool): JsonObject | undefined => (made.hasData ? made.output.json : undefined)
