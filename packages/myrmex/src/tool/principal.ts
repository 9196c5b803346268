/**
 * A principal that the program itself names. Only the local user may leave out its scopes: a program that forgets or misspells them must
 * not get every tool.
 */
import {
  isChoice,
  isFilledText,
  isObjectOption,
  type OptionCheck,
  type OptionChecks,
  optionFaults,
  required,
} from './check-options.ts'
import type { Principal } from './context.ts'
import { shown } from './definition-faults.ts'

const MAX_ID = 200

export const isPrincipalId = (id: unknown): id is string =>
  typeof id === 'string' && id !== '' && id.length <= MAX_ID && !/\p{C}/u.test(id)

export const areScopes = (scopes: unknown): scopes is readonly string[] =>
  Array.isArray(scopes) && scopes.every((scope) => typeof scope === 'string' && scope !== '')

const CHECKS: OptionChecks<Principal> = {
  id: required((id) =>
    isPrincipalId(id) ? undefined : `must be a text of 1 to ${MAX_ID} characters, not ${shown(id)}`,
  ),
  kind: required(isChoice(['local', 'bearer', 'agent'])),
  scopes: (scopes) => (areScopes(scopes) ? undefined : `must be a list of texts, not ${shown(scopes)}`),
  profile: isFilledText,
  claims: isObjectOption,
}

/** What is wrong with it, read after its name. */
export const isPrincipal: OptionCheck = (value) => {
  if (isObjectOption(value) !== undefined) return `must be an object with id, kind and scopes, not ${shown(value)}`
  const faults = optionFaults('a principal', value, CHECKS)
  const { kind, scopes } = value as Partial<Principal>
  if (scopes === undefined && kind !== 'local')
    faults.push("scopes is missing: list what it may call; ['*'] is everything, and [] nothing")
  return faults.length === 0 ? undefined : `is not valid: ${faults.join('; ')}`
}
