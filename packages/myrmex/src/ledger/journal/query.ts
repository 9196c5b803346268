/** What people ask of the audit, as text: which calls, and against which heads it is verified. */
import { ToolError } from '../../protocol/errors.ts'
import { FILTERS, type FilterFlag } from '../audit/call-record.ts'
import { parsePeriod } from './moment.ts'
import type { AuditFilter } from './record-index.ts'
import type { VerifyOptions } from './verify.ts'

/** All that is given must hold. Times are texts as `parseMoment` reads them. */
export type AuditQuery = { readonly [Name in FilterFlag | 'since' | 'until']?: string | undefined }

export const auditFilter = (query: AuditQuery): AuditFilter => ({
  ...parsePeriod(query),
  ...Object.fromEntries(FILTERS.map(({ name, flag }) => [name, query[flag]])),
})

type NotedHead = NonNullable<VerifyOptions['heads']>[number]

export const headText = ({ chain, group, hash }: NotedHead): string => `${chain}:${group}:${hash}`

/** `flag` is the name of the option or parameter that the text came from. */
export function parseHead(text: string, flag: string): NotedHead {
  const [, chain, group, hash] = /^(\w+):(\d+):([\w-]{43})$/.exec(text) ?? []
  if (chain === undefined || hash === undefined) {
    throw ToolError.of('ValidationError', `${flag} must be CHAIN:GROUP:HASH as verify prints it, not "${text}".`)
  }
  return { chain, group: Number(group), hash }
}
