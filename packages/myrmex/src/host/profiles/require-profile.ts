/** A token or a user is bound only to a profile that there is: with a mistyped name it would reach nothing, and nobody would know why. */
import { ToolError } from '../../protocol/errors.ts'
import { didYouMean } from '../../protocol/text.ts'
import { nearest } from '../../tool/nearest.ts'

/** `profiles`: the names of those that there are. Throws ValidationError. */
export function requireProfile(profile: string, profiles: readonly string[]): void {
  if (profiles.includes(profile)) return
  const there = profiles.length === 0 ? ' myrmex.json has no profiles.' : ` Profiles: ${profiles.join(', ')}.`
  throw ToolError.of(
    'ValidationError',
    `Unknown profile ${JSON.stringify(profile.slice(0, 100))}.${didYouMean(nearest(profile, profiles))}${there}`,
  )
}
