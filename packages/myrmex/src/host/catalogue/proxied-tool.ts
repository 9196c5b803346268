/**
 * A tool of an upstream as a tool of this server. A call of it passes the gates here, then goes on with all that belongs to it, and
 * what the upstream answers comes back as it said it.
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
import { type Tool, tool } from '../../tool/tool.ts'
import type { ToolBody } from '../../tool/verify/verify-tool.ts'
import type { Forwarder } from '../forward/forwarder.ts'
import { paramHeaders } from '../forward/param-headers.ts'
import { requestScopeOf } from '../forward/request-scope.ts'
import { toOutcome } from '../forward/upstream-result.ts'
import type { ToolSettings } from '../settings.ts'
import { definitionChanged } from '../upstream/upstream-errors.ts'
import { canonicalName } from './tool-names.ts'

/** The server's version is no part of a tool: what a tool is, its definition says. */
const NO_VERSION = '0.0.0'
/** A key may have 200 characters, and a word is put before it. */
const LONGEST_KEY = 190

export interface ProxiedToolOptions {
  readonly forwarder: Forwarder
  readonly listed: JsonObject
  /** what it is called here */
  readonly name: string
  readonly settings: ToolSettings
  readonly timeoutMs: number
  /** its server may answer with a task */
  readonly mayReturnTask: boolean
  readonly definition: DefinitionState
}

/** Whether its server still lists a tool as it is here: a call may have waited for long since it was let through. */
export interface DefinitionState {
  isOutdated: boolean
}

/** Throws ToolError RegistrationError for what cannot be a tool. */
export function proxiedTool(options: ProxiedToolOptions): Tool {
  const { forwarder, listed, name, settings, timeoutMs, mayReturnTask, definition } = options
  refuseOdd(listed)
  const isOurs = canonicalName(listed) !== undefined
  const body = bodyOf(listed, isOurs)
  const listedAs = listed.name as string
  const send = (args: unknown, ctx: Context, undo?: unknown): Promise<JsonObject> => {
    if (definition.isOutdated) return Promise.reject(definitionChanged(forwarder.upstream.name, listedAs))
    const params: JsonObject = { name: listedAs, arguments: args as JsonObject }
    if (isOurs) params._meta = ourMeta(ctx, body.version, undo)
    const headers = made.headers.length === 0 ? undefined : paramHeaders(made.headers, args)
    return forwarder.send({ method: 'tools/call', params, headers }, requestScopeOf(ctx))
  }
  const { version, title, description, inputSchema, outputSchema, deprecatedIn, replacedBy } = body
  const made: Tool = tool(
    {
      name,
      version,
      ...(title !== undefined && { title }),
      description,
      input: inputSchema,
      output: outputSchema,
      errors: ERRORS,
      idempotent: body.idempotent,
      destructive: settings.destructive ?? body.destructive,
      security: body.security,
      examples: [],
      // Its own once gate keeps to the key.
      ...(isOurs && { keyed: true }),
      timeout: settings.timeoutMs ?? timeoutMs,
      ...(deprecatedIn !== undefined && { deprecatedIn }),
      ...(replacedBy !== undefined && { replacedBy }),
      ...(mayReturnTask && { task: 'later' as const }),
      listing: listed,
      ...(body.undo === true && {
        undo: async (input: unknown, data: unknown, ctx: Context) => {
          const ended = toOutcome(await send(sentBy(ctx, input), ctx, data), made.hasData)
          if (ended instanceof Outcome && ended.error !== null) {
            const { error_type, error_message, error_details } = ended.error
            throw new ToolError(error_type, error_message, error_details)
          }
        },
      }),
      // A failure passes the gates as the Outcome it is, so that its error_type stays the upstream's.
      run: (input: unknown, ctx: Context) =>
        send(sentBy(ctx, input), ctx).then(
          (result) => toOutcome(result, made.hasData) as Answer<Record<string, unknown>>,
        ),
    },
    'upstream',
  )
  return made
}

/** That a tool says it failed is an answer like others, and no sign that it is unwell. */
const ERRORS = { ToolExecutionError: 'The tool says that it failed; what it says is in the message.' }

/** What a tool says of itself besides its schemas is text and objects, or nobody can read it. */
function refuseOdd(listed: JsonObject): void {
  for (const field of ['title', 'description'] as const) {
    if (listed[field] !== undefined && typeof listed[field] !== 'string') throw odd(field, 'a text')
  }
  for (const field of ['annotations', '_meta'] as const) {
    if (listed[field] !== undefined && !isObject(listed[field])) throw odd(field, 'an object')
  }
}

const odd = (field: string, wanted: string): ToolError =>
  ToolError.of('RegistrationError', `Its ${field} is not ${wanted}; it is left out.`)

/** As the caller sent them: what is left out is for the upstream to fill in. */
const sentBy = (ctx: Context, input: unknown): unknown => (ctx instanceof Call ? (ctx.args ?? {}) : input)

function bodyOf(listed: JsonObject, isOurs: boolean): ToolBody {
  const body = foreignDefinition(listed as unknown as RemoteTool, NO_VERSION)
  const { annotations } = listed
  // Ours always says whether a tool is idempotent; of another's tool that only reads it is taken to be so.
  const idempotent = isOurs ? isObject(annotations) && annotations.idempotentHint === true : body.idempotent
  return { ...body, idempotent, outputSchema: objectOf(body.outputSchema) }
}

/** Structured content may be any JSON since 2026-07-28. What is no object is looked at as the value of one. */
function objectOf(schema: JsonObject): JsonObject {
  if (schema.type === 'object' || schema.type === 'null') return schema
  return { type: 'object' }
}

function ourMeta(ctx: Context, version: string, undo: unknown): JsonObject {
  const key = keyThere(ctx)
  const { context } = ctx
  return {
    // What was looked at here is what must run there, and no other version of it.
    [META.version]: version,
    ...(key !== undefined && { [META.idempotencyKey]: key }),
    ...(Object.keys(context).length > 0 && { [META.context]: context as JsonObject }),
    ...(undo !== undefined && { [META.undo]: undo as JsonObject }),
  }
}

/**
 * The key of the call there. Those of runs and those of callers are told apart by their beginning, so that nobody can be given
 * what a run's step did; a call without one, in the midst of a run, must not be taken for the step itself.
 */
function keyThere({ idempotencyKey: key, context, id }: Context): string | undefined {
  if (key !== undefined)
    return `${key.startsWith('run:') ? 'step' : 'call'} ${key.length > LONGEST_KEY ? sha256(key) : key}`
  return context.run === undefined && context.step === undefined ? undefined : `once ${id}`
}
