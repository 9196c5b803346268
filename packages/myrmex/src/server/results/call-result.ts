/**
 * A tool's outcome as MCP's CallToolResult, in either era. Every way of writing it commits the call first, so no transport can send a
 * result whose audit record is not durable.
 */

import type { EditedCall } from '../../pipeline/gates/approve/edited-call.ts'
import { unrecordedFailure } from '../../pipeline/gates/record.ts'
import { type CallEnd, Outcome } from '../../pipeline/outcome.ts'
import type { ErrorDetail } from '../../protocol/envelope.ts'
import { isObject, type JsonObject } from '../../protocol/json.ts'
import { META } from '../../protocol/versions.ts'
import type { Tool } from '../../tool/tool.ts'
import { WireResult } from './encode.ts'
import { contentOf, textBlock } from './result-text.ts'

/** What the modern era adds to every result: `resultType` and the server in `_meta`. Rendered once per server. */
export interface ModernEnvelope {
  readonly info: object
  readonly text: string
}

export const modernEnvelope = (info: object): ModernEnvelope => ({
  info,
  text: `,${JSON.stringify(META.serverInfo)}:${JSON.stringify(info)}`,
})

/** The call behind a result: its id, and its pending audit record. */
export interface RecordedCall {
  readonly id: string
  readonly isPending: boolean
  readonly tool?: ResultTool
  /** the call whose recorded result this one repeats: only that one can be undone */
  readonly notes?: { readonly repeatOf: string | null; readonly edited: EditedCall | null }
  readonly isDryRun?: boolean
  commit(ended: CallEnd): CallEnd
}

export type DeprecationNotice = Pick<Tool, 'deprecatedIn' | 'replacedBy'>

/** What the results of a tool depend on. */
export type ResultTool = DeprecationNotice & Partial<Pick<Tool, 'returnsText'>>

/** `_meta` of a deprecated tool, in the list and in every result. */
export const deprecationMeta = ({ deprecatedIn, replacedBy }: DeprecationNotice): JsonObject => ({
  ...(deprecatedIn !== undefined && { [META.deprecatedIn]: deprecatedIn }),
  ...(replacedBy !== undefined && { [META.replacedBy]: replacedBy }),
})

export class CallResult extends WireResult {
  readonly #ended: Outcome
  readonly #call: RecordedCall
  readonly #modern: ModernEnvelope | undefined

  /** `modern` is undefined in the legacy era. */
  constructor(outcome: Outcome, call: RecordedCall, modern: ModernEnvelope | undefined) {
    super()
    this.#ended = outcome
    this.#call = call
    this.#modern = modern
  }

  override get isPending(): boolean {
    return this.#call.isPending
  }

  /** The audit record has the text of the data too. */
  override get knownLength(): number {
    const { data, forwarded } = this.#ended
    return data === null || forwarded !== null ? 0 : 2 * this.#ended.text.length
  }

  get #isDeprecated(): boolean {
    return this.#call.tool?.deprecatedIn !== undefined
  }

  /** Its `_meta` has more than usual, or it has no structured content. */
  get #isSpecial(): boolean {
    return (
      this.#isDeprecated ||
      this.#repeatOf !== null ||
      this.#edited !== null ||
      this.#call.isDryRun === true ||
      this.#returnsText
    )
  }

  get #returnsText(): boolean {
    return this.#call.tool?.returnsText === true
  }

  get #repeatOf(): string | null {
    return this.#call.notes?.repeatOf ?? null
  }

  get #edited(): EditedCall | null {
    return this.#call.notes?.edited ?? null
  }

  /** Our `_meta` of the result, the same for own and forwarded ones. */
  #about(status: Outcome['status'], explanation: string | null, error: ErrorDetail | null): object {
    const call_id = this.#call.id
    const repeat_of = this.#repeatOf
    const dry_run = this.#call.isDryRun === true
    // The usual one is a literal: spreading takes longer than all else here.
    const edited = this.#edited
    if (error === null && repeat_of === null && edited === null && !dry_run) return { status, explanation, call_id }
    return {
      status,
      explanation,
      call_id,
      ...(dry_run && { dry_run }),
      ...(repeat_of !== null && { repeat_of }),
      // The arguments as the operator approved them, without secrets.
      ...(edited !== null && {
        edited: { approval: edited.approval, arguments: JSON.parse(edited.args) as JsonObject },
      }),
      ...(error !== null && { error }),
    }
  }

  /** Makes the audit record durable, and returns the outcome to send. */
  #commit(): Outcome {
    const settled = this.#call.commit(this.#ended)
    return settled instanceof Outcome ? settled : unrecordedFailure()
  }

  /** The data is serialised once and used twice: as structured content, and quoted as its text rendering. */
  override toMessage(id: string): string {
    const outcome = this.#commit()
    const { status, data, explanation, content, forwarded } = outcome
    if (forwarded !== null) return `{"jsonrpc":"2.0","id":${id},"result":${this.#forwardedText(outcome, forwarded)}}`
    if (status !== 'success' || explanation !== null || content !== null || data === null || this.#isSpecial)
      return `{"jsonrpc":"2.0","id":${id},"result":${JSON.stringify(this.#build(outcome))}}`
    // Nearly every result is one of these two. One template string, because each concatenation costs as much as a small object.
    const { text } = outcome
    const modern = this.#modern
    if (modern === undefined) {
      return `{"jsonrpc":"2.0","id":${id},"result":{"content":[{"type":"text","text":${JSON.stringify(text)}}],"structuredContent":${text},"_meta":{"myrmex/result":{"status":"success","explanation":null,"call_id":"${this.#call.id}"}}}}`
    }
    return `{"jsonrpc":"2.0","id":${id},"result":{"resultType":"complete","content":[{"type":"text","text":${JSON.stringify(text)}}],"structuredContent":${text},"_meta":{"myrmex/result":{"status":"success","explanation":null,"call_id":"${this.#call.id}"}${modern.text}}}}`
  }

  /** Fast path for servers that send no `_meta`: ours is appended to the text, and no object is built. */
  #forwardedText(outcome: Outcome, foreign: JsonObject): string {
    if (
      this.#modern !== undefined ||
      foreign._meta !== undefined ||
      foreign.resultType !== undefined ||
      this.#isSpecial
    )
      return JSON.stringify(this.#withOwnMeta(outcome, foreign))
    const { status, error, explanation } = outcome
    const why = `"explanation":${explanation === null ? 'null' : JSON.stringify(explanation)}`
    const wrong = error === null ? '' : `,"error":${JSON.stringify(error)}`
    const text = JSON.stringify(foreign).slice(0, -1)
    const own = `"_meta":{"myrmex/result":{"status":"${status}",${why},"call_id":"${this.#call.id}"${wrong}}}}`
    return text === '{' ? `{${own}` : `${text},${own}`
  }

  /** Another server's result, unchanged except for our `_meta` next to its own. */
  #withOwnMeta({ status, error, explanation }: Outcome, foreign: JsonObject): JsonObject {
    const own = this.#about(status, explanation, error)
    const modern = this.#modern
    const _meta: JsonObject = {
      ...(foreign._meta as JsonObject | undefined),
      [META.result]: (this.#returnsText ? { ...own, ...textBlockOf(foreign) } : own) as JsonObject,
      ...(this.#isDeprecated && deprecationMeta(this.#call.tool as DeprecationNotice)),
    }
    if (modern === undefined) {
      const { resultType: _, ...rest } = foreign
      return { ...rest, _meta }
    }
    _meta[META.serverInfo] = modern.info as JsonObject
    // Clients of the legacy era read a result without content as one with none. Those of the modern era reject it.
    return { content: [], ...foreign, resultType: 'complete', _meta }
  }

  override toObject(): object {
    return this.#build(this.#commit())
  }

  #build(outcome: Outcome): object {
    if (outcome.forwarded !== null) return this.#withOwnMeta(outcome, outcome.forwarded)
    const { status, data, error, explanation } = outcome
    // A failure has its error in its content.
    const own = this.#about(status, explanation, status === 'failure' ? null : error)
    const modern = this.#modern
    // Literal keys instead of META's, because computed keys take five times as long. A test keeps them equal.
    const _meta =
      modern === undefined
        ? { 'myrmex/result': own }
        : { 'myrmex/result': own, 'io.modelcontextprotocol/serverInfo': modern.info }
    if (this.#isDeprecated) Object.assign(_meta, deprecationMeta(this.#call.tool as DeprecationNotice))
    const isDryRun = this.#call.isDryRun === true
    const returnsText = this.#returnsText && data !== null
    const content = contentOf(outcome, isDryRun, returnsText)
    if (status === 'failure' && error !== null) {
      const failed = { content, structuredContent: error, isError: true, _meta }
      return modern === undefined ? failed : { resultType: 'complete', ...failed }
    }
    if (returnsText) {
      // The client finds the data in this block, whatever is before it.
      Object.assign(own, { text_block: textBlock(outcome, isDryRun) })
      return modern === undefined ? { content, _meta } : { resultType: 'complete', content, _meta }
    }
    if (data === null) return modern === undefined ? { content, _meta } : { resultType: 'complete', content, _meta }
    if (modern === undefined) return { content, structuredContent: data, _meta }
    return { resultType: 'complete', content, structuredContent: data, _meta }
  }
}

/** Where the text is in a result that another Myrmex server made. */
function textBlockOf({ _meta }: JsonObject): JsonObject {
  const about = isObject(_meta) ? _meta[META.result] : undefined
  return isObject(about) && typeof about.text_block === 'number' ? { text_block: about.text_block } : {}
}
