/** What people ask of the audit, in their own words: which calls, and against which head it is to be verified. */
import { ToolError } from '../../protocol/errors.ts'
import type { ExpectedHead } from './chain-check.ts'
import { parseMoment } from './moment.ts'
import type { AuditFilter } from './search.ts'

/** All that is given must hold. Moments are texts as `momentOf` reads them. */
export interface AuditQuery {
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

export const auditFilter = ({
  since,
  until,
  tool,
  principal,
  outcome,
  error,
  run,
  call,
  approval,
}: AuditQuery): AuditFilter => ({
  ...(since !== undefined && { since: parseMoment(since) }),
  ...(until !== undefined && { until: parseMoment(until, 'end') }),
  ...{ tool, principal, outcome, error_type: error, run, call_id: call, approval },
})

/** `named` is what whoever asks calls it. */
export function parseExpectedHead(text: string, named: string): ExpectedHead {
  const [, seq, hash] = /^(\d+):([0-9a-f]{64})$/.exec(text) ?? []
  if (seq === undefined || hash === undefined) {
    throw ToolError.of('ValidationError', `${named} wants SEQ:HASH as verify prints it, not "${text}".`)
  }
  return { seq: Number(seq), hash }
}
