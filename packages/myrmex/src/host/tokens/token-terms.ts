/** What a new token may do, checked: the same for the command and the API. Nothing is allowed unless somebody says so. */
import * as z from 'zod'
import type { TokenTerms } from '../../ledger/decisions/tokens.ts'
import { toolPattern } from '../../pipeline/rules/operator-schema.ts'
import { ToolError } from '../../protocol/errors.ts'
import { requireProfile } from '../profiles/require-profile.ts'

export interface RequestedTokenTerms {
  readonly profile?: string | undefined
  /** default: everything that the profile covers */
  readonly scopes?: readonly string[] | undefined
  readonly until?: number | undefined
}

/** `profiles`: the names of those that there are; undefined if that is not known. Throws ValidationError. */
export function tokenTerms(
  { profile, scopes, until }: RequestedTokenTerms,
  profiles: readonly string[] | undefined,
): TokenTerms {
  if (profile === undefined && scopes === undefined)
    throw ToolError.of(
      'ValidationError',
      'Say what the token may call: a profile of myrmex.json, or scopes such as github.*. The scope * is everything.',
    )
  if (profile !== undefined && profiles !== undefined) requireProfile(profile, profiles)
  const wanted = scopes ?? ['*']
  const read = z.array(toolPattern()).min(1).max(200).safeParse(wanted)
  if (!read.success) {
    const [issue] = read.error.issues
    const wrong = wanted[Number(issue?.path[0])]
    throw ToolError.of(
      'ValidationError',
      wrong === undefined ? 'Name at least one scope.' : `The scope ${JSON.stringify(wrong)} ${issue?.message}.`,
    )
  }
  return { scopes: read.data, profile, until }
}
