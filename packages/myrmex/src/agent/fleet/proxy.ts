/**
 * A tool of a remote agent as a tool of the fleet. A call of it passes the gates here, then goes on with all that belongs to it:
 * key, context, progress, cancellation. What the remote answers comes back as it said it.
 */
import type { CallToolResult } from '@modelcontextprotocol/client'
import type { Progress, RemoteTool } from '../../client/connect.ts'
import { toToolResult } from '../../client/result.ts'
import { failure, type Outcome } from '../../pipeline/outcome.ts'
import type { ContentBlock } from '../../protocol/content.ts'
import { RpcError, ToolError, toErrorDetail } from '../../protocol/errors.ts'
import { isObject, type JsonObject } from '../../protocol/json.ts'
import { META } from '../../protocol/versions.ts'
import { Answer } from '../../tool/answer.ts'
import type { Context } from '../../tool/context.ts'
import { sha256 } from '../../tool/hash.ts'
import { type Tool, tool } from '../../tool/tool.ts'
import type { Body } from '../../tool/verify.ts'
import type { Remote } from './remote.ts'
import { canonicalName } from './remote-name.ts'

/** The deadline here is what ends a call; the connection only must not be quicker. */
const NO_SOONER_MS = 24 * 3600 * 1000

/** A key may have 200 characters, and a word is put before it. */
const LONGEST_KEY = 190

export interface ProxyOptions {
  readonly remote: Remote
  readonly listed: RemoteTool
  /** what the listing says, under the name that the tool has in the fleet */
  readonly body: Body
  readonly timeoutMs: number | undefined
}

export function proxy({ remote, listed, body, timeoutMs }: ProxyOptions): Tool {
  const isOurs = canonicalName(listed) !== undefined
  const saysNoData = !isOurs && listed.outputSchema === undefined
  const send = (input: unknown, ctx: Context, undo?: unknown): Promise<CallToolResult | RpcError> =>
    remote.use((connection) =>
      connection.answer(listed.name, input as Record<string, unknown>, {
        signal: ctx.signal,
        timeoutMs: NO_SOONER_MS,
        onProgress: (progress) => report(ctx, progress),
        idempotencyKey: keyThere(ctx),
        ...(Object.keys(ctx.context).length > 0 && { context: ctx.context }),
        // What was looked at here is what must run there, and no other version of it.
        ...(isOurs && { version: body.version }),
        ...(undo !== undefined && { undo }),
      }),
    )
  const { name, version, title, description, inputSchema, outputSchema, deprecatedIn, replacedBy } = body
  return tool(
    {
      name,
      version,
      ...(title !== undefined && { title }),
      description,
      input: inputSchema,
      output: outputSchema,
      errors: body.errors as Record<string, string>,
      idempotent: body.idempotent,
      destructive: body.destructive,
      security: body.security,
      examples: [],
      // Its own once gate keeps to the key.
      ...(isOurs && { keyed: true }),
      ...(timeoutMs !== undefined && { timeout: timeoutMs }),
      ...(deprecatedIn !== undefined && { deprecatedIn }),
      ...(replacedBy !== undefined && { replacedBy }),
      ...(listed._meta?.[META.undo] === true && {
        undo: async (input: Record<string, unknown>, data: Record<string, unknown>, ctx: Context) => {
          const ended = endOf(await send(input, ctx, data), ctx.id)
          if (ended instanceof Answer) return
          const { error_type, error_message, error_details } = ended.error ?? nothingSaid
          throw new ToolError(error_type, error_message, error_details)
        },
      }),
      // A failure passes the gates as the Outcome it is, so that its error_type stays the remote's.
      run: async (input, ctx) => {
        const ended = endOf(await send(input, ctx), ctx.id)
        // Somebody else's tool without an output schema gives blocks, and here it gave none.
        if (saysNoData && ended instanceof Answer && ended.data === null) return { content: [] }
        return ended as Answer<Record<string, unknown>>
      },
    },
    'upstream',
  )
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

const nothingSaid = {
  error_type: 'ToolExecutionError',
  error_message: 'It failed and said nothing.',
  error_details: null,
}

/** A part of a result travels on a report of progress. */
function report(ctx: Context, { progress, total, message, _meta }: Progress): void {
  const part = _meta?.[META.partial]
  if (isObject(part)) ctx.emit(part as JsonObject)
  else ctx.progress(progress, total, message)
}

function endOf(answer: CallToolResult | RpcError, call: string): Answer<Record<string, unknown> | null> | Outcome {
  if (answer instanceof RpcError) return failure(toErrorDetail(answer, call))
  const { status, data, error, explanation } = toToolResult(answer)
  if (status === 'failure') return failure(error ?? nothingSaid, explanation)
  const content = blocksOf(answer)
  return new Answer(status, data, { ...(explanation !== null && { explanation }), ...(content && { content }) })
}

/** Blocks of the tool's own; undefined where they are only the data once more. */
function blocksOf({ content, structuredContent }: CallToolResult): ContentBlock[] | undefined {
  if (content.length === 0) return undefined
  const [first] = content
  const isRendering = content.length === 1 && first?.type === 'text' && first.text === JSON.stringify(structuredContent)
  return isRendering ? undefined : (content as ContentBlock[])
}
