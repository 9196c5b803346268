/** Stubs: what remains of a segment that retention removed. They are signed, so that the chain continues across the gap. */
import * as z from 'zod'
import { canonical } from '../../protocol/canonical.ts'
import { parseJson } from '../../protocol/json.ts'
import type { ChainHead } from './chain.ts'

/** A stub as it is stored. */
export interface StubRow {
  readonly segment: number
  /** canonical JSON of a StubBody */
  readonly body: string
  readonly key_id: string
  readonly signature: string
}

const stubSchema = z.object({
  segment: z.int(),
  first_seq: z.int(),
  last_seq: z.int(),
  first_line: z.int(),
  last_line: z.int(),
  first_time: z.int(),
  last_time: z.int(),
  /** the hash before its first group */
  prev: z.string(),
  /** the hash of its last group */
  hash: z.string(),
  pruned_at: z.int(),
})
export type StubBody = Readonly<z.output<typeof stubSchema>>

export const STUBS = 'SELECT segment, body, key_id, signature FROM audit_stubs ORDER BY segment'

export const stubText = (body: string): string => `myrmex audit stub ${body}`

export const headAfter = ({ last_seq, last_line, hash }: StubBody): ChainHead => ({
  seq: last_seq,
  line: last_line,
  hash,
})

/** Undefined if the text is not a stub. */
export function stubBody(text: string): StubBody | undefined {
  const body = parseJson(text)
  return stubSchema.safeParse(body).success && canonical(body) === text ? (body as StubBody) : undefined
}
