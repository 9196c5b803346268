/** Stubs: what remains of a segment that retention removed. They are signed, so that the chain continues across the gap. */
import { canonical } from '../../protocol/canonical.ts'
import { isObject } from '../../protocol/json.ts'
import type { ChainHead } from './chain.ts'

/** A stub as it is stored. */
export interface StubRow {
  readonly segment: number
  /** canonical JSON of a StubBody */
  readonly body: string
  readonly key_id: string
  readonly signature: string
}

export interface StubBody {
  readonly segment: number
  readonly first_seq: number
  readonly last_seq: number
  readonly first_line: number
  readonly last_line: number
  readonly first_time: number
  readonly last_time: number
  /** the hash before its first group */
  readonly prev: string
  /** the hash of its last group */
  readonly hash: string
  readonly pruned_at: number
}

export const STUBS = 'SELECT segment, body, key_id, signature FROM audit_stubs ORDER BY segment'

export const stubText = (body: string): string => `myrmex audit stub ${body}`

export const headAfter = ({ last_seq, last_line, hash }: StubBody): ChainHead => ({
  seq: last_seq,
  line: last_line,
  hash,
})

/** Undefined if the text is not a stub. */
export function stubBody(text: string): StubBody | undefined {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    return undefined
  }
  const isStub =
    isObject(body) &&
    NUMBERS.every((name) => Number.isSafeInteger(body[name])) &&
    typeof body.prev === 'string' &&
    typeof body.hash === 'string' &&
    canonical(body) === text
  return isStub ? (body as unknown as StubBody) : undefined
}

const NUMBERS: readonly (keyof StubBody)[] = [
  'segment',
  'first_seq',
  'last_seq',
  'first_line',
  'last_line',
  'first_time',
  'last_time',
  'pruned_at',
]
