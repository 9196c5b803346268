/** One line a call: what is written of it, in canonical JSON. What has no value is left out. */

import { crypto } from '../../protocol/builtin.ts'
import { canonical, isOrdered } from '../../protocol/canonical.ts'
import type { ErrorDetail, Status } from '../../protocol/envelope.ts'

export interface CallLine {
  readonly call_id: string
  /** milliseconds since the epoch */
  readonly time: number
  readonly principal: string
  readonly transport: string
  readonly tool: string
  /** null where no tool was found */
  readonly version: string | null
  readonly outcome: Status | 'input_required' | 'fault'
  readonly error_type: string | null
  /** whole milliseconds: a finer clock would cost a tenth of a small call */
  readonly duration_ms: number
  readonly run: string | null
  readonly step: string | null
  /** the approval or the standing grant that let it through */
  readonly approval: string | null
  /** without its secrets; undefined where nothing may be kept */
  readonly args: unknown
  /** only where `args` is not all that was sent: otherwise it follows from them */
  readonly args_hash: string | null
  readonly data: unknown
  /** `data` as JSON, where somebody has written it already */
  readonly data_text?: string | undefined
  readonly error: ErrorDetail | null
}

/** A larger value is kept as its hash and its length: one call must not fill the disk. */
const KEPT_CHARACTERS = 65_536

/** Members in the order of their names, as canonical JSON has them. */
export function render(line: CallLine): string {
  let text = '{'
  if (line.approval !== null) text += `"approval":${JSON.stringify(line.approval)},`
  if (line.args !== undefined) text += member('args', write(line.args))
  if (line.args_hash !== null) text += `"args_hash":"${line.args_hash}",`
  text += `"call_id":"${line.call_id}",`
  if (line.data !== null && line.data !== undefined) {
    text += member('data', line.data_text !== undefined && isOrdered(line.data) ? line.data_text : write(line.data))
  }
  text += `"duration_ms":${line.duration_ms},`
  if (line.error !== null) text += member('error', write(line.error))
  if (line.error_type !== null) text += `"error_type":${quoted(line.error_type)},`
  text += `"outcome":"${line.outcome}","principal":${quoted(line.principal)},`
  if (line.run !== null) text += `"run":${JSON.stringify(line.run)},`
  if (line.step !== null) text += `"step":${JSON.stringify(line.step)},`
  text += `"time":${line.time},"tool":${quoted(line.tool)},"transport":"${line.transport}"`
  return line.version === null ? `${text}}` : `${text},"version":${quoted(line.version)}}`
}

function member(name: string, text: string): string {
  if (text.length <= KEPT_CHARACTERS) return `"${name}":${text},`
  return `"${name}":{"characters":${text.length},"sha256":"${crypto.hash('sha256', text, 'hex')}"},`
}

function write(value: unknown): string {
  try {
    return canonical(value)
  } catch {
    return '"[not kept: nested too deeply]"'
  }
}

/** Names come again and again; a quoted one is remembered. Callers can make names up, so only so many are. */
const QUOTED = new Map<string, string>()
const MOST_QUOTED = 2000

function quoted(text: string): string {
  let quote = QUOTED.get(text)
  if (quote === undefined) {
    quote = JSON.stringify(text)
    if (QUOTED.size < MOST_QUOTED) QUOTED.set(text, quote)
  }
  return quote
}
