/**
 * `tool({…})`: the one definition from which the wire format, documents and types follow. It is checked completely here, so that
 * every registered tool can be served: a bad definition never becomes a tool.
 */
import type { InputRequests } from '../protocol/content.ts'
import { isObject, type JsonObject } from '../protocol/json.ts'
import {
  compileSchema,
  type Input,
  isSchemaSource,
  type Output,
  type Schema,
  type SchemaSource,
} from '../protocol/schema.ts'
import { schemaFaults } from '../protocol/schema-faults.ts'
import type { Answer } from './answer.ts'
import { checkTool } from './check-tool.ts'
import type { Context } from './context.ts'
import { type DeclaredErrors, type DescribedError, declaredErrors } from './declared-errors.ts'
import { DefinitionFaults, shown } from './definition-faults.ts'
import { definitionHash } from './hash.ts'
import { type HeaderParameter, headerParameters } from './headers.ts'
import type { Icon, ListingExtras } from './listing-extras.ts'
import { objectOutput, TEXT_OUTPUT, textExample } from './output.ts'
import { noteDefinition } from './source-location.ts'

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

/** What `tool()` takes for `output`. 'text': the tool returns a text, and its result has no structured content. */
export type OutputSource = SchemaSource | 'text'

/** The data as the code of the tool returns it. */
type Given<O extends OutputSource> = O extends 'text' ? string : Input<O>
/** The data as `undo` gets it. */
type Done<O extends OutputSource> = O extends 'text' ? string : Output<O>
/** The same with lists that cannot be changed, because TypeScript infers such lists from the literals that `run` returns. */
type Unchanging<T> = unknown extends T
  ? T
  : T extends Plain
    ? T
    : T extends readonly (infer Item)[]
      ? UnchangingList<T, Item>
      : { readonly [Key in keyof T]: Unchanging<T[Key]> }
type UnchangingList<T extends readonly unknown[], Item> = number extends T['length']
  ? readonly Unchanging<Item>[]
  : { readonly [Index in keyof T]: Unchanging<T[Index]> }
/** Has no lists in it, or none that a literal makes. */
type Plain =
  | string
  | number
  | boolean
  | bigint
  | symbol
  | null
  | undefined
  | void
  | { toJSON(): unknown }
  | ((...args: never) => unknown)

/**
 * What `run` and `dryRun` may return. `tool()` infers what each returns as a type of its own: TypeScript does not know O yet when it
 * reads their bodies, and would take the literals in them for any text or number.
 */
type Returnable<O extends OutputSource> =
  | Unchanging<Given<O>>
  | Answer<Unchanging<Given<O>>>
  | (null extends Given<O> ? undefined | void : never)

/** A value as it arrives at a caller: what JSON makes of it. */
export type Sent<T> = unknown extends T
  ? T
  : T extends { toJSON(): infer Json }
    ? Json
    : T extends object
      ? { [Key in keyof T]: Sent<T[Key]> }
      : T

/** The data of a result, as a caller gets it. */
type Data<O extends OutputSource> = O extends 'text' ? { text: string } : Sent<Output<O>>

export interface ToolDefinition<
  I extends SchemaSource = SchemaSource,
  O extends OutputSource = OutputSource,
  Run = Returnable<O>,
  DryRun = Returnable<O>,
> extends ListingExtras {
  /** canonical: module.tool */
  name: string
  /** semantic version of this tool */
  version: string
  title?: string
  description: string
  input: I
  output: O
  /** error types the tool throws as its own, each with the condition that brings it about, or also with the form of its details */
  errors: Record<string, string | DescribedError>
  /** calling it again with the same arguments changes nothing further */
  idempotent: boolean
  /** it changes state */
  destructive: boolean
  /** false: it reaches nothing outside of its own domain, as a memory does. Clients take true if it is not given. */
  openWorld?: boolean
  /**
   * It writes its effect and `ctx.idempotencyKey` in one transaction, so that calling it again with the same key changes
   * nothing further. A call whose outcome is unknown is then run again.
   */
  keyed?: boolean
  /** risks and how they are met, for the document */
  security: string
  examples: readonly Example<Input<I>, Given<O>>[]
  /** milliseconds; default 30,000 */
  timeout?: number
  limit?: Limit
  /** seconds for which callers, and `discover`, may cache the definition; default 300 */
  cacheTtl?: number
  deprecatedIn?: string
  replacedBy?: string
  /** what callers of the last major version have to do, for the document; required for a version that breaks them */
  migration?: string
  /** true: runs as a task for clients that speak tasks. 'required': refuses the others. 'later': once `ctx.later()` says so. */
  task?: boolean | 'required' | 'later'
  /** Questions that the client must answer before the tool starts; the answers are in `ctx.answers`. */
  ask?: (input: Output<I>, ctx: Context) => InputRequests | undefined
  /**
   * Returns what `run` would return, without its effect. It runs for callers that ask for a dry run, and before a person is asked to
   * approve a call: what it throws then ends the call, and nobody is asked.
   */
  dryRun?: (input: Output<I>, ctx: Context) => DryRun | Promise<DryRun> | Returnable<O> | Promise<Returnable<O>>
  /** Reverses a call with this input; `data` is what it returned. */
  undo?: (input: Output<I>, data: Done<O>, ctx: Context) => void | Promise<void>
  run: (input: Output<I>, ctx: Context) => Run | Promise<Run> | Returnable<O> | Promise<Returnable<O>>
}

/**
 * A definition that passed. Frozen; shared by every connection. The types are those of the arguments that a caller sends and of the data
 * that it gets; a `Tool` without them is any tool.
 */
export interface Tool<In = unknown, Out = unknown> {
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
  /** it returns a text: its data is `{ text }`, its result has one block and no structured content */
  readonly returnsText: boolean
  readonly errors: Readonly<Record<string, string>>
  /** the schemas of `error_details` of those errors that declare one */
  readonly errorDetails: Readonly<Record<string, Schema>>
  readonly errorTypes: ReadonlySet<string>
  readonly idempotent: boolean
  readonly destructive: boolean
  readonly openWorld: boolean | undefined
  readonly keyed: boolean
  readonly security: string
  readonly examples: readonly Example[]
  readonly timeout: number
  readonly limit: Limit | undefined
  readonly cacheTtl: number
  readonly deprecatedIn: string | undefined
  readonly replacedBy: string | undefined
  readonly migration: string | undefined
  readonly icons: readonly Icon[] | undefined
  /** the author's part of `_meta` in lists */
  readonly meta: JsonObject | undefined
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
  /** For TypeScript only: no tool has it. As a method, so that a tool of unknown types fits where one of known types is wanted. */
  '~types'?(args: In, data: Out): void
}

/** The arguments and the data of a tool with these types; those of any tool, if they are not known. */
export type ToolArguments<In> = unknown extends In ? Record<string, unknown> : In
export type ToolData<Out> = unknown extends Out ? Record<string, unknown> : Out

/** The version range that a caller means by naming a tool: compatible with the one whose types it has. */
export const compatibleRange = ({ version }: Pick<Tool, 'version'>): string => `^${version}`

const DEFAULT_TIMEOUT_MS = 30_000
/** of the specification */
export const DEFAULT_CACHE_TTL_S = 300

/** Throws a RegistrationError that names everything that is wrong. */
export function tool<
  const I extends SchemaSource,
  const O extends OutputSource,
  const Run extends Returnable<O> = Returnable<O>,
  const DryRun extends Returnable<O> = Returnable<O>,
>(definition: ToolDefinition<I, O, Run, DryRun>, origin: Tool['origin'] = 'own'): Tool<Input<I>, Data<O>> {
  const faults = new DefinitionFaults('tool', definition)
  checkTool(definition as unknown as ToolDefinition, faults)
  const input = inputOf(definition.input, origin, faults)
  const output = outputOf(definition.output, origin, faults)
  const headers = input && faults.attempt(() => headerParameters(input.json, refuseHeader))
  const errors = declaredErrors(definition.errors, origin === 'own' ? 'own' : 'foreign', faults)
  faults.throwAny()
  const parts = { input, output, headers, errors } as CheckedParts
  const complete = made(definition as unknown as ToolDefinition, origin, parts)
  // Definitions of upstreams come from no file, and there may be many of them.
  if (origin === 'own') noteDefinition(complete, tool)
  return complete as Tool<Input<I>, Data<O>>
}

type CheckedParts = Pick<Tool, 'input' | 'output' | 'headers'> & { readonly errors: DeclaredErrors }

function made(
  definition: ToolDefinition,
  origin: Tool['origin'],
  { input, output, headers, errors }: CheckedParts,
): Tool {
  const { name, examples } = definition
  const returnsText = definition.output === 'text'
  let hash: string | undefined
  const complete: Tool = {
    kind: 'tool',
    name,
    module: name.slice(0, name.lastIndexOf('.')),
    version: definition.version,
    title: definition.title,
    description: definition.description,
    input,
    output,
    hasData: output.json.type === 'object',
    returnsText,
    errors: errors.conditions,
    errorDetails: errors.details,
    errorTypes: new Set(Object.keys(errors.conditions)),
    idempotent: definition.idempotent,
    destructive: definition.destructive,
    openWorld: definition.openWorld,
    keyed: definition.keyed === true,
    security: definition.security,
    examples: Object.freeze(returnsText ? examples.map(textExample) : [...examples]) as readonly Example[],
    timeout: definition.timeout ?? DEFAULT_TIMEOUT_MS,
    limit: definition.limit,
    cacheTtl: definition.cacheTtl ?? DEFAULT_CACHE_TTL_S,
    deprecatedIn: definition.deprecatedIn,
    replacedBy: definition.replacedBy,
    migration: definition.migration,
    icons: definition.icons,
    meta: definition.meta,
    task: definition.task === true ? 'allowed' : (definition.task ?? false),
    headers,
    ask: definition.ask as Tool['ask'],
    dryRun: definition.dryRun as Tool['dryRun'],
    undo: definition.undo as Tool['undo'],
    run: definition.run as Tool['run'],
    origin,
    get hash() {
      hash ??= definitionHash(complete)
      return hash
    },
  }
  return Object.freeze(complete)
}

const refuseHeader = (why: string): never => {
  throw new Error(why)
}

function inputOf(source: SchemaSource, origin: Tool['origin'], faults: DefinitionFaults): Schema | undefined {
  const schema = compiled(source, 'input', origin, faults)
  if (schema === undefined || schema.json.type === 'object') return schema
  const choice = ['anyOf', 'oneOf', 'allOf'].find((keyword) => Object.hasOwn(schema.json, keyword))
  faults.add(
    choice === undefined
      ? 'the input schema must be of type object'
      : `the input schema must be of type object. It has ${choice} at its root, which the APIs of several models reject: describe one object`,
    'input',
  )
  return undefined
}

function outputOf(source: OutputSource, origin: Tool['origin'], faults: DefinitionFaults): Schema | undefined {
  if (source === 'text') return TEXT_OUTPUT
  if (source !== undefined && !isSchemaSource(source)) {
    faults.add(
      `the output must be a schema, 'text' for a text, or z.null() for a tool without data, not ${shown(source)}`,
    )
    return undefined
  }
  const schema = compiled(source, 'output', origin, faults)
  return schema && faults.attempt(() => objectOutput(schema), 'output')
}

function compiled(
  source: SchemaSource,
  side: 'input' | 'output',
  origin: Tool['origin'],
  faults: DefinitionFaults,
): Schema | undefined {
  if (origin === 'own' && isPlainSchema(source) && !faults.json(side, source)) return undefined
  const schema = faults.attempt(() => compileSchema(source, side, origin === 'own' ? 'own' : 'foreign'), side)
  // Zod's are valid by construction. Those of others are checked with bounded work when they are first used.
  if (schema === undefined || origin === 'upstream' || '_zod' in source) return schema
  const wrong = schemaFaults(schema.json)
  for (const fault of wrong) faults.add(`the ${side} schema is not valid: ${fault}`, side)
  return wrong.length === 0 ? schema : undefined
}

/** JSON Schema as it is, not an object of some library. */
const isPlainSchema = (source: unknown): boolean => isObject(source) && !('_zod' in source) && !('~standard' in source)

/** The schema of the data; undefined for a tool without data. */
export const outputSchemaOf = (made: Tool): JsonObject | undefined => (made.hasData ? made.output.json : undefined)
