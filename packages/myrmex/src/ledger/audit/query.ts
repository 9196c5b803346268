/** What people ask of the audit, as text: which calls, and against which head it is verified. */
import { ToolError } from '../../protocol/errors.ts'
import { FILTERS, type FilterFlag } from './call-record.ts'
import type { ExpectedHead } from './chain-check.ts'
import { parseMoment } from './moment.ts'
import type { AuditFilter } from './search.ts'

/** All that is given must hold. Times are texts as `parseMoment` reads them. */
export type AuditQuery = { readonly [Name in FilterFlag | 'since' | 'until']?: string | undefined }

export const auditFilter = (query: AuditQuery): AuditFilter => ({
  ...(query.since !== undefined && { since: parseMoment(query.since) }),
  ...(query.until !== undefined && { until: parseMoment(query.until, 'end') }),
  ...Object.fromEntries(FILTERS.map(({ name, flag }) => [name, query[flag]])),
})

/** `flag` is the name of the option or parameter that the text came from. */
export function parseExpectedHead(text: string, flag: string): ExpectedHead {
  const [, seq, hash] = /^(\d+):([0-9a-f]{64})$/.exec(text) ?? []
  if (seq === undefined || hash === undefined) {
    throw ToolError.of('ValidationError', `${flag} must be SEQ:HASH as verify prints it, not "${text}".`)
  }
  return { seq: Number(seq), hash }
}
