/** One line a call: what is written of it, in canonical JSON. What has no value, or took no time, is left out. */

import { crypto } from '../../protocol/builtin.ts'
import { canonical, isOrdered } from '../../protocol/canonical.ts'
import type { ErrorDetail, Status } from '../../protocol/envelope.ts'

export interface CallRecord {
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
  /** the call whose result this one got, where it repeated an idempotency key */
  readonly repeat_of: string | null
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

/**
 * One line with its newline, members in the order of their names. Calls that come together are much alike: what a line
 * shares with the one before it in its group, of the members in CARRIED, is left out. It halves what is hashed and written.
 */
export function renderRecord(line: CallRecord, before?: CallRecord): string {
  let text = `{${line.approval === null ? '' : `"approval":${JSON.stringify(line.approval)},`}${given(line)}`
  text += `"call_id":"${line.call_id}"`
  if (line.data !== null && line.data !== undefined) text += `,"data":${result(line)}`
  if (line.duration_ms !== 0) text += `,"duration_ms":${line.duration_ms}`
  if (line.error !== null) text += `,"error":${kept(write(line.error))}`
  if (line.error_type !== null) text += `,"error_type":${quoted(line.error_type)}`
  if (line.outcome !== before?.outcome) text += `,"outcome":"${line.outcome}"`
  if (line.principal !== before?.principal) text += `,"principal":${quoted(line.principal)}`
  if (line.repeat_of !== null) text += `,"repeat_of":"${line.repeat_of}"`
  if (line.run !== null) text += `,"run":${JSON.stringify(line.run)}`
  if (line.step !== null) text += `,"step":${JSON.stringify(line.step)}`
  if (line.time !== before?.time) text += `,"time":${line.time}`
  if (line.tool !== before?.tool) text += `,"tool":${quoted(line.tool)}`
  if (line.transport !== before?.transport) text += `,"transport":"${line.transport}"`
  if (line.version !== before?.version) text += `,"version":${line.version === null ? 'null' : quoted(line.version)}`
  return `${text}}\n`
}

/** The arguments, and their hash where it does not follow from what is kept of them. */
function given({ args, args_hash }: CallRecord): string {
  if (args === undefined) return args_hash === null ? '' : `"args_hash":"${args_hash}",`
  const text = write(args)
  const hash = args_hash ?? (text.length > KEPT_CHARACTERS ? crypto.hash('sha256', text, 'hex') : null)
  return `"args":${kept(text)},${hash === null ? '' : `"args_hash":"${hash}",`}`
}

/** Most results have been written for the wire already, in the very same form. */
const result = ({ data, data_text }: CallRecord): string =>
  kept(data_text !== undefined && isOrdered(data) ? data_text : write(data))

/** What a line leaves out where it is as in the line before it in the same group. */
const CARRIED = ['outcome', 'principal', 'time', 'tool', 'transport', 'version'] as const

/** A line as it stands in the store, whole again. */
export function expandRecord<Line extends object>(stored: object, before: Line | undefined): Line {
  const carried: Record<string, unknown> = {}
  for (const name of CARRIED) carried[name] = (before as Record<string, unknown> | undefined)?.[name]
  return { duration_ms: 0, ...carried, ...stored } as unknown as Line
}

/** A whole line as it stands in the store: `expand` the other way round. */
export function compactRecord(line: object, before: object | undefined): object {
  const short: Record<string, unknown> = { ...line }
  if (short.duration_ms === 0) delete short.duration_ms
  if (before === undefined) return short
  for (const name of CARRIED) if (short[name] === (before as Record<string, unknown>)[name]) delete short[name]
  return short
}

function kept(text: string): string {
  if (text.length <= KEPT_CHARACTERS) return text
  return `{"characters":${text.length},"sha256":"${crypto.hash('sha256', text, 'hex')}"}`
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
