/**
 * A tool of an upstream, registered on the host's server. A call passes the host's gates and is then forwarded. The upstream's result
 * comes back unchanged.
 */
import type { RemoteTool } from '../../client/connect.ts'
import { foreignDefinition } from '../../client/foreign-definition.ts'
import { Call } from '../../pipeline/call.ts'
import { Outcome } from '../../pipeline/outcome.ts'
import { ToolError } from '../../protocol/errors.ts'
import { isObject, type JsonObject } from '../../protocol/json.ts'
import { META } from '../../protocol/versions.ts'
import type { Answer } from '../../tool/answer.ts'
import type { Context } from '../../tool/context.ts'
import { sha256 } from '../../tool/hash.ts'
import { passedHosts, withPassedHosts } from '../../tool/passed-hosts.ts'
import { NO_VERSION, withServerVersion } from '../../tool/server-version.ts'
import { listedTaskSupport } from '../../tool/task-support.ts'
import { type Tool, tool } from '../../tool/tool.ts'
import { type MismatchListener, withUncheckedArguments } from '../../tool/unchecked-arguments.ts'
import { withUpstreamListing } from '../../tool/upstream-listing.ts'
import type { ToolBody } from '../../tool/verify/verify-tool.ts'
import type { Forwarder } from '../forward/forwarder.ts'
import { paramHeaders } from '../forward/param-headers.ts'
import { toOutcome } from '../forward/upstream-result.ts'
import type { ToolSettings } from '../settings.ts'
import { definitionChanged } from '../upstream/upstream-errors.ts'
import { canonicalName } from './tool-names.ts'

/** A key may have 200 characters, including the prefix. */
const MAX_KEY_LENGTH = 190

export interface ProxiedToolOptions {
  readonly forwarder: Forwarder
  readonly listed: JsonObject
  /** its name on the host */
  readonly name: string
  readonly settings: ToolSettings
  readonly timeoutMs: number
  /** the upstream supports tasks */
  readonly mayReturnTask: boolean
  readonly definition: DefinitionState
  /** of the server as a whole, for tools without a version */
  readonly serverVersion?: string | undefined
  /** the server judges arguments that do not fit the schema; undefined: they are rejected */
  readonly onMismatch?: MismatchListener | undefined
}

/** Whether the upstream still lists the same definition: a call may wait a long time after it was approved. */
export interface DefinitionState {
  isOutdated: boolean
}

/** Throws RegistrationError if the definition is unusable. */
export function proxiedTool(options: ProxiedToolOptions): Tool {
  const { forwarder, listed, name, settings, timeoutMs, mayReturnTask, definition } = options
  assertReadable(listed)
  const isMyrmex = canonicalName(listed) !== undefined
  const said = withoutServerVersion(listed)
  const body = bodyOf(said, isMyrmex)
  const originalName = listed.name as string
  const send = (args: unknown, ctx: Context, instead?: JsonObject): Promise<JsonObject> => {
    if (definition.isOutdated) return Promise.reject(definitionChanged(forwarder.upstream.name, originalName))
    const params: JsonObject = { name: originalName, arguments: args as JsonObject }
    if (isMyrmex || instead !== undefined) params._meta = { ...(isMyrmex && myrmexMeta(ctx, body.version)), ...instead }
    const headers = made.headers.length === 0 ? undefined : paramHeaders(made.headers, args)
    const decided = made.destructive || instead?.[META.undo] !== undefined ? listed : undefined
    return forwarder.send({ method: 'tools/call', params, headers, decided, task }, ctx)
  }
  const task = listedTaskSupport(listed)
  const { version, title, description, inputSchema, outputSchema, deprecatedIn, replacedBy } = body
  const made: Tool = tool(
    {
      name,
      version,
      ...(title !== undefined && { title }),
      description,
      input: inputSchema,
      output: body.text === true ? 'text' : outputSchema,
      errors: ERRORS,
      idempotent: body.idempotent,
      destructive: settings.destructive ?? body.destructive,
      security: body.security,
      examples: [],
      // A Myrmex server checks the key in its own idempotency gate.
      ...(isMyrmex && { keyed: true }),
      timeout: settings.timeoutMs ?? timeoutMs,
      ...(deprecatedIn !== undefined && { deprecatedIn }),
      ...(replacedBy !== undefined && { replacedBy }),
      ...(mayReturnTask && { task: 'later' as const }),
      ...(body.undo === true && {
        undo: async (_input: unknown, _data: unknown, ctx: Context) => {
          const ended = toOutcome(await send({}, ctx, { [META.undo]: forwardedCall(ctx, name) }), made.hasData)
          if (ended instanceof Outcome && ended.error !== null) {
            const { error_type, error_message, error_details } = ended.error
            throw new ToolError(error_type, error_message, error_details)
          }
        },
      }),
      ...(hasDryRun(body, settings) && {
        dryRun: async (input: unknown, ctx: Context) => {
          const result = await send(argumentsOf(ctx, input), ctx, DRY_RUN_META)
          assertDryRun(result, name)
          return toOutcome(result, made.hasData) as Answer<Record<string, unknown>>
        },
      }),
      // A failure stays an Outcome, so that it keeps the upstream's error_type.
      run: (input: unknown, ctx: Context) =>
        send(argumentsOf(ctx, input), ctx).then(
          (result) => toOutcome(result, made.hasData) as Answer<Record<string, unknown>>,
        ),
    },
    'upstream',
  )
  withServerVersion(made, serverVersion(options))
  if (options.onMismatch !== undefined) withUncheckedArguments(made, options.onMismatch)
  return withUpstreamListing(made, said)
}

/** Another host says of a tool which version the server behind it has. Like the server's own, it is no part of the definition. */
function withoutServerVersion(listed: JsonObject): JsonObject {
  const { _meta } = listed
  if (!isObject(_meta) || _meta[META.isServerVersion] !== true) return listed
  const { [META.isServerVersion]: _, [META.version]: __, ...rest } = _meta
  return withPassedHosts({ ...listed, _meta: rest as JsonObject }, passedHosts(listed))
}

function serverVersion({ listed, serverVersion: ofServer }: ProxiedToolOptions): string | undefined {
  const meta = isObject(listed._meta) ? listed._meta : {}
  const own = typeof meta[META.version] === 'string' ? meta[META.version] : undefined
  if (own === undefined) return ofServer
  return meta[META.isServerVersion] === true ? String(own) : undefined
}

/** A failure that the tool reports is an ordinary result and does not count against the tool's health. */
const ERRORS = { ToolExecutionError: 'The tool says that it failed; what it says is in the message.' }

const DRY_RUN_META: JsonObject = Object.freeze({ [META.dryRun]: true })

/**
 * Only a server that says so knows what a dry run is; another would ignore the request for one and run the tool. An operator who says that
 * the tool changes state, against what its server says, does not take the server's word for its dry run either.
 */
const hasDryRun = (body: ToolBody, { destructive }: ToolSettings): boolean =>
  body.dryRun === true && !(destructive === true && !body.destructive)

/** The server says in its result that it was a dry run. */
function assertDryRun({ _meta }: JsonObject, name: string): void {
  const said = isObject(_meta) ? _meta[META.result] : undefined
  if (isObject(said) && said.dry_run === true) return
  const why = `The server of ${name} did not confirm that this was a dry run. It may have run the tool.`
  throw ToolError.of('ToolExecutionError', why, { tool: name })
}

/** Fields beside the schemas must be strings and objects. */
function assertReadable(listed: JsonObject): void {
  for (const field of ['title', 'description'] as const) {
    if (listed[field] !== undefined && typeof listed[field] !== 'string') throw unreadable(field, 'a string')
  }
  for (const field of ['annotations', '_meta'] as const) {
    if (listed[field] !== undefined && !isObject(listed[field])) throw unreadable(field, 'an object')
  }
}

const unreadable = (field: string, wanted: string): ToolError =>
  ToolError.of('RegistrationError', `${field} must be ${wanted}. The tool is skipped.`)

/** The arguments as the caller sent them: the upstream applies its own defaults. */
const argumentsOf = (ctx: Context, input: unknown): unknown => (ctx instanceof Call ? (ctx.args ?? {}) : input)

function bodyOf(listed: JsonObject, isMyrmex: boolean): ToolBody {
  const body = foreignDefinition(listed as unknown as RemoteTool, NO_VERSION)
  const { annotations } = listed
  // Myrmex servers always declare idempotency. Other servers' read-only tools count as idempotent.
  const idempotent = isMyrmex ? isObject(annotations) && annotations.idempotentHint === true : body.idempotent
  return { ...body, idempotent, outputSchema: objectOf(body.outputSchema) }
}

/** Since 2026-07-28 structured content may be any JSON value. Other values are checked as the `value` field of an object. */
function objectOf(schema: JsonObject): JsonObject {
  if (schema.type === 'object' || schema.type === 'null') return schema
  return { type: 'object' }
}

/** The upstream has recorded the call under an id of its own, and takes the arguments and the data from its own ledger. */
function forwardedCall(ctx: Context, name: string): string {
  const id = ctx instanceof Call ? ctx.undone?.forwarded_call : undefined
  if (id !== undefined) return id
  const why = `${name} cannot be undone: the server behind it did not say under which id it recorded the call.`
  throw ToolError.of('ValidationError', why)
}

function myrmexMeta(ctx: Context, version: string): JsonObject {
  const key = forwardedKey(ctx)
  const { context } = ctx
  return {
    // The upstream must run the version that was reviewed here.
    [META.version]: version,
    ...(key !== undefined && { [META.idempotencyKey]: key }),
    ...(Object.keys(context).length > 0 && { [META.context]: context as JsonObject }),
  }
}

/**
 * The idempotency key to send. The prefix separates keys of runs from keys of callers, so no caller can fetch the result of a run's
 * step. A nested call in a run gets a key of its own, so it is not mistaken for the step.
 */
function forwardedKey({ idempotencyKey: key, context, id }: Context): string | undefined {
  if (key !== undefined)
    return `${key.startsWith('run:') ? 'step' : 'call'} ${key.length > MAX_KEY_LENGTH ? sha256(key) : key}`
  return context.run === undefined && context.step === undefined ? undefined : `once ${id}`
}
