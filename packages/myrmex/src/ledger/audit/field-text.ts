/** The texts of a record's long fields, arguments, result and error: whole if they are short enough, otherwise cut. */

import { isOrdered, MAX_RECURSION, sorted } from '../../protocol/canonical.ts'
import type { JsonObject } from '../../protocol/json.ts'
import { sha256 } from '../../tool/hash.ts'
import type { CallRecord } from './call-record.ts'
import { type Cut, cutValue } from './cut-value.ts'
import { type KnownMembers, knownMembers } from './known-members.ts'

/** A longer value is cut: one call must not fill the disk. */
const KEPT_CHARACTERS = 65_536

/** A value that must be cut, with its canonical JSON, if it has one. */
export class LongText {
  readonly text: string | undefined

  constructor(text: string | undefined) {
    this.text = text
  }
}

/** The canonical JSON of a value. `ready` is its JSON, if it was written for the wire already. */
export function wholeText(value: unknown, ready?: string): string | LongText {
  try {
    const ordered = isOrdered(value)
    const text = ordered ? (ready ?? JSON.stringify(value)) : sorted(value)
    // A shorter text cannot have that many levels, and what is in order was measured already.
    const mayBeDeep = !ordered && text.length > 2 * MAX_RECURSION
    return text.length > KEPT_CHARACTERS || (mayBeDeep && isNested(value) && isDeep(value, MAX_RECURSION))
      ? new LongText(text)
      : text
  } catch {
    // Not JSON.
    return new LongText(undefined)
  }
}

/** Without allocations: it runs for every longer value whose keys are not in order. */
function isDeep(value: object, levels: number): boolean {
  if (levels === 0) return true
  if (Array.isArray(value)) {
    for (const item of value) if (isNested(item) && isDeep(item, levels - 1)) return true
    return false
  }
  for (const key in value) {
    const item = (value as Record<string, unknown>)[key]
    if (isNested(item) && isDeep(item, levels - 1)) return true
  }
  return false
}

const isNested = (value: unknown): value is object => typeof value === 'object' && value !== null

interface CutFields {
  readonly args: string
  readonly args_hash: string | null
  readonly data: string
  readonly error: string
  readonly cut: readonly Cut[]
}

const ERROR_MEMBERS = knownMembers({ properties: { error_type: {}, error_message: {} } })

/** The fields, the long ones cut. The hash of the arguments is that of everything that was sent. */
export function cutFields(
  line: CallRecord,
  args: string | LongText,
  data: string | LongText,
  error: string | LongText,
): CutFields {
  const { output_schema } = line
  const cuts: Cut[] = []
  const cut = (field: 'args' | 'data' | 'error', whole: string | LongText, known: () => KnownMembers): string => {
    if (typeof whole === 'string') return whole
    const { text } = whole
    // The hash of the arguments has a field of its own.
    const hash = field === 'args' || text === undefined ? undefined : { sha256: sha256(text) }
    const size = text === undefined ? undefined : { characters: text.length }
    const { text: short, cuts: places } = cutValue(line[field], field, KEPT_CHARACTERS, known(), { ...size, ...hash })
    cuts.push(...places)
    return short
  }
  const sent = typeof args === 'string' ? undefined : args.text
  return {
    args: cut('args', args, () => argumentMembers(line)),
    args_hash: line.args_hash ?? (sent === undefined ? null : sha256(sent)),
    data: cut('data', data, () => membersOf(output_schema)),
    error: cut('error', error, () => ERROR_MEMBERS),
    cut: cuts,
  }
}

const membersOf = (schema: JsonObject | undefined): KnownMembers => knownMembers(schema ?? {})

function argumentMembers({ input_schema, output_schema, nested_args }: CallRecord): KnownMembers {
  const args = membersOf(input_schema)
  if (nested_args !== true) return args
  const members = new Map([
    ['arguments', args],
    ['undo', membersOf(output_schema)],
  ])
  return { members, others: undefined }
}
