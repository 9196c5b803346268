/**
 * The audit record of one call: its fields, and how it is written as one line of canonical JSON and read again. A field is
 * added here: in `CallRecord`, in `renderRecord` and in `AUDIT_FIELDS`. The search, the export and the CLI follow from the
 * table, and pipeline/audit/call-record.ts supplies the value. A field to search by also needs a column (see schema.ts).
 */
import { canonical } from '../../protocol/canonical.ts'
import type { ErrorDetail } from '../../protocol/envelope.ts'
import type { JsonObject } from '../../protocol/json.ts'
import type { Cut } from './cut-value.ts'
import { cutFields, wholeText } from './field-text.ts'
import type { RecordedClient } from './recorded-client.ts'

export const OUTCOMES = [
  'success',
  'failure',
  'no_change_needed',
  'partial_success',
  'input_required',
  'waiting',
  'fault',
] as const

export interface CallRecord {
  readonly call_id: string
  /** milliseconds since the epoch */
  readonly time: number
  readonly principal: string
  /** the tool set that the caller is limited to */
  readonly profile?: string | null
  readonly transport: string
  /** what the client says that it is; stored as `client`, `client_version` and `session` */
  readonly client_record?: RecordedClient | null
  readonly tool: string
  /** null if no tool was found */
  readonly version: string | null
  readonly outcome: (typeof OUTCOMES)[number]
  readonly error_type: string | null
  /** whole milliseconds: a finer clock would cost a tenth of a small call */
  readonly duration_ms: number
  readonly run: string | null
  readonly step: string | null
  /** the approval, the standing grant or the plan that allowed it */
  readonly approval: string | null
  /** the call whose result this one repeats, because it has the same idempotency key */
  readonly repeat_of: string | null
  /** true: the tool's dry run ran in its place, or was refused */
  readonly dry_run?: true | null
  /** without secrets; undefined if nothing may be kept */
  readonly args: unknown
  /** of everything that was sent; only if it does not follow from `args` */
  readonly args_hash: string | null
  /** what the caller had sent, if a person changed the arguments before approving: `args` (null if long) and `args_hash` */
  readonly sent?: JsonObject | null
  readonly data: unknown
  /** `data` as JSON, if it was written already */
  readonly data_text?: string | undefined
  /** as the caller got it */
  readonly error: ErrorDetail | null
  /** what was thrown, in one line, if the caller got only a reference to it */
  readonly cause?: string | null
  /** name the members to keep first if the record must be cut; not stored */
  readonly input_schema?: JsonObject
  readonly output_schema?: JsonObject
  /** `args` has the arguments as a member, beside answers of the client or the data of an undo; not stored */
  readonly nested_args?: boolean
  /** the call was refused without reading its large arguments: the record says that they were left out; not stored */
  readonly are_args_unread?: boolean
}

type Fields = Required<
  Omit<CallRecord, 'client_record' | 'data_text' | 'input_schema' | 'output_schema' | 'nested_args' | 'are_args_unread'>
> & {
  /** the name that the client gives itself */
  readonly client: string | null
  readonly client_version: string | null
  /** id of the client's session */
  readonly session: string | null
  /** what was too long or too deep to be kept whole */
  readonly cut: readonly Cut[] | null
}
type NullableField = { [Name in keyof Fields]: null extends Fields[Name] ? Name : never }[keyof Fields]

/** A record as people and exports see it: its id, what is stored, and what follows from that. */
export type AuditRecord = { readonly record: string } & CallFields

/** What is stored. */
export type CallFields = Omit<Fields, NullableField> & {
  readonly [Name in NullableField]?: Name extends 'version' ? Fields[Name] : Exclude<Fields[Name], null>
}

interface AuditField {
  /** the search index has a column of this name */
  readonly indexed?: true
  /** people can search by it: with this flag of the CLI and parameter of the API */
  readonly filter?: { readonly flag: string; readonly value: string; readonly help: string }
  /** its name where the CLI shows one call in full */
  readonly label?: string
}

const define = <const T extends { readonly [Name in keyof Fields]: AuditField }>(fields: T): T => fields

/** In the order of an export's columns. */
export const AUDIT_FIELDS = define({
  time: { indexed: true },
  call_id: { indexed: true, filter: { flag: 'call', value: 'id', help: 'the id of the call' } },
  tool: {
    indexed: true,
    filter: { flag: 'tool', value: 'name', help: 'name of the tool; shop.* matches a whole module' },
  },
  version: {},
  principal: { indexed: true, filter: { flag: 'principal', value: 'id', help: 'the caller' } },
  profile: { label: 'profile' },
  transport: {},
  client: {
    indexed: true,
    filter: { flag: 'client', value: 'name', help: 'the name that the client gives itself' },
    label: 'client',
  },
  client_version: { label: 'client version' },
  session: { label: 'session' },
  outcome: { indexed: true, filter: { flag: 'outcome', value: 'outcome', help: 'how it ended' } },
  error_type: {
    indexed: true,
    filter: { flag: 'error', value: 'type', help: 'error_type, such as SchemaError' },
  },
  duration_ms: {},
  run: { indexed: true, filter: { flag: 'run', value: 'id', help: 'the run it belongs to' }, label: 'run' },
  step: { label: 'step' },
  approval: {
    indexed: true,
    filter: { flag: 'approval', value: 'id', help: 'the approval or grant that allowed it' },
    label: 'approval',
  },
  repeat_of: { label: 'repeats' },
  dry_run: { label: 'dry run' },
  args_hash: {},
  args: {},
  sent: {},
  data: {},
  error: {},
  cause: { label: 'cause' },
  cut: {},
})

type FieldName = keyof typeof AUDIT_FIELDS
type FilterField = {
  [Name in FieldName]: (typeof AUDIT_FIELDS)[Name] extends { filter: object } ? Name : never
}[FieldName]
export type FilterFlag = (typeof AUDIT_FIELDS)[FilterField]['filter']['flag']

const ENTRIES = Object.entries(AUDIT_FIELDS) as [FieldName, AuditField][]
export const FIELD_NAMES = ENTRIES.map(([name]) => name)
export const INDEXED_FIELDS = ENTRIES.filter(([, field]) => field.indexed).map(([name]) => name)
export const LABELLED_FIELDS = ENTRIES.flatMap(([name, { label }]) => (label === undefined ? [] : [{ name, label }]))
export const FILTERS = ENTRIES.flatMap(([name, { filter }]) =>
  filter === undefined ? [] : [{ name: name as FilterField, ...filter, flag: filter.flag as FilterFlag }],
)

/** What to search by: all that is given must hold. */
export type FieldFilter = { readonly [Name in FilterField]?: string | undefined }

/**
 * One line with its newline, members in the order of their names. Calls that come together are much alike: the members in
 * CARRIED are left out if they equal those of the record before it in its group. This halves what is hashed and written.
 */
export function renderRecord(line: CallRecord, before?: CallRecord): string {
  const args = line.args === undefined ? '' : wholeText(line.args)
  const data = line.data === null || line.data === undefined ? '' : wholeText(line.data, line.data_text)
  const error = line.error === null ? '' : wholeText(line.error)
  if (typeof args === 'string' && typeof data === 'string' && typeof error === 'string') {
    // Most calls of a busy server. One template string, because each concatenation costs as much as a small object.
    if (args !== '' && data !== '' && before !== undefined && isLike(line, before))
      return `{"args":${args},"call_id":"${line.call_id}","data":${data}}\n`
    if (line.are_args_unread === true) return lineText(line, before, 'null', null, UNREAD, data, error)
    return lineText(line, before, args, line.args_hash, '', data, error)
  }
  const short = cutFields(line, args, data, error)
  return lineText(line, before, short.args, short.args_hash, canonical(short.cut), short.data, short.error)
}

/** In the place of arguments that nobody read. */
const UNREAD = canonical([{ at: '/args', left_out: 'object' }] satisfies Cut[])

/** It adds nothing to the record before it but its arguments, its id and its data. */
const isLike = (line: CallRecord, before: CallRecord): boolean =>
  line.time === before.time &&
  line.tool === before.tool &&
  line.version === before.version &&
  line.principal === before.principal &&
  line.transport === before.transport &&
  line.client_record === before.client_record &&
  line.outcome === before.outcome &&
  line.duration_ms === 0 &&
  line.error === null &&
  line.error_type === null &&
  line.approval === null &&
  line.args_hash === null &&
  line.run === null &&
  line.step === null &&
  line.repeat_of === null &&
  line.dry_run !== true &&
  typeof line.profile !== 'string' &&
  typeof line.cause !== 'string'

function lineText(
  line: CallRecord,
  before: CallRecord | undefined,
  args: string,
  args_hash: string | null,
  cut: string,
  data: string,
  error: string,
): string {
  let text = `{${line.approval === null ? '' : `"approval":${JSON.stringify(line.approval)},`}`
  if (args !== '') text += `"args":${args},`
  if (args_hash !== null) text += `"args_hash":"${args_hash}",`
  text += `"call_id":"${line.call_id}"`
  if (typeof line.cause === 'string') text += `,"cause":${JSON.stringify(line.cause)}`
  const client = clientText(line, before)
  text += client.names
  if (cut !== '') text += `,"cut":${cut}`
  if (data !== '') text += `,"data":${data}`
  if (line.dry_run === true) text += ',"dry_run":true'
  if (line.duration_ms !== 0) text += `,"duration_ms":${line.duration_ms}`
  if (error !== '') text += `,"error":${error}`
  if (line.error_type !== null) text += `,"error_type":${quoted(line.error_type)}`
  if (line.outcome !== before?.outcome) text += `,"outcome":"${line.outcome}"`
  if (line.principal !== before?.principal) text += `,"principal":${quoted(line.principal)}`
  if (typeof line.profile === 'string') text += `,"profile":${quoted(line.profile)}`
  if (line.repeat_of !== null) text += `,"repeat_of":"${line.repeat_of}"`
  if (line.run !== null) text += `,"run":${JSON.stringify(line.run)}`
  text += sentText(line) + client.session
  if (line.step !== null) text += `,"step":${JSON.stringify(line.step)}`
  if (line.time !== before?.time) text += `,"time":${line.time}`
  if (line.tool !== before?.tool) text += `,"tool":${quoted(line.tool)}`
  if (line.transport !== before?.transport) text += `,"transport":"${line.transport}"`
  if (line.version !== before?.version) text += `,"version":${quotedOrNull(line.version)}`
  return `${text}}\n`
}

const sentText = ({ sent }: CallRecord): string => (sent == null ? '' : `,"sent":${canonical(sent)}`)

const NO_CLIENT: RecordedClient = { name: null, version: null, session: null }

/** The members about the client, in two places of the line. */
interface ClientText {
  readonly names: string
  readonly session: string
}
const SAME_CLIENT: ClientText = { names: '', session: '' }

/** Nothing for the client of the record before it, which is the same object. Another one is written whole. */
function clientText({ client_record }: CallRecord, before: CallRecord | undefined): ClientText {
  const known = before?.client_record
  const client = client_record ?? (known ? NO_CLIENT : undefined)
  if (client_record === known || client === undefined) return SAME_CLIENT
  const { name, version, session } = client
  return {
    names: `,"client":${quotedOrNull(name)},"client_version":${quotedOrNull(version)}`,
    session: `,"session":${quotedOrNull(session)}`,
  }
}

/** Left out if equal to the record before it in the same group. */
const CARRIED = [
  'client',
  'client_version',
  'outcome',
  'principal',
  'session',
  'time',
  'tool',
  'transport',
  'version',
] as const
/** Stored as null where the record before it has one. */
const CLIENT_FIELDS = ['client', 'client_version', 'session'] as const

/** The whole record of a stored line. */
export function expandRecord<Line extends object>(stored: object, before: Line | undefined): Line {
  const carried: Record<string, unknown> = {}
  for (const name of CARRIED) carried[name] = (before as Record<string, unknown> | undefined)?.[name]
  const whole: Record<string, unknown> = { duration_ms: 0, ...carried, ...stored }
  for (const name of CLIENT_FIELDS) if (whole[name] == null) delete whole[name]
  return whole as unknown as Line
}

/** Names repeat, so quoted ones are cached. Callers can make names up, so the cache is bounded. */
const QUOTED = new Map<string, string>()
const MAX_QUOTED = 2000

const quotedOrNull = (text: string | null): string => (text === null ? 'null' : quoted(text))

function quoted(text: string): string {
  let quote = QUOTED.get(text)
  if (quote === undefined) {
    quote = JSON.stringify(text)
    if (QUOTED.size < MAX_QUOTED) QUOTED.set(text, quote)
  }
  return quote
}
