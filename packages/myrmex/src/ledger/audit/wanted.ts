/** What people ask of the audit, in their own words: which calls, and against which head it is to be verified. */
import { ToolError } from '../../protocol/errors.ts'
import type { NotedHead } from './check.ts'
import type { Filter } from './search.ts'
import { momentOf } from './when.ts'

/** All that is given must hold. Moments are texts as `momentOf` reads them. */
export interface Wanted {
  readonly tool?: string | undefined
  readonly since?: string | undefined
  readonly until?: string | undefined
  readonly principal?: string | undefined
  readonly outcome?: string | undefined
  readonly error?: string | undefined
  readonly run?: string | undefined
  readonly call?: string | undefined
  readonly approval?: string | undefined
}

export const filterOf = ({ since, until, tool, principal, outcome, error, run, call, approval }: Wanted): Filter => ({
  ...(since !== undefined && { since: momentOf(since) }),
  ...(until !== undefined && { until: momentOf(until, 'end') }),
  ...{ tool, principal, outcome, error_type: error, run, call_id: call, approval },
})

/** `named` is what whoever asks calls it. */
export function headFrom(text: string, named: string): NotedHead {
  const [, seq, hash] = /^(\d+):([0-9a-f]{64})$/.exec(text) ?? []
  if (seq === undefined || hash === undefined) {
    throw new ToolError('ValidationError', `${named} wants SEQ:HASH as verify prints it, not "${text}".`)
  }
  return { seq: Number(seq), hash }
}
