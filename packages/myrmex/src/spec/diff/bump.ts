/**
 * Whether a version step is big enough for the changes. It follows semver.org with its two exceptions: below 1.0.0 a breaking
 * change raises the second number and any other the third, and a prerelease promises nothing.
 */
import { compareVersions, type Version, versionOf } from '../../tool/version.ts'
import type { ChangeLevel } from './change-kinds.ts'

export type BumpCheck =
  | { readonly enough: true }
  | {
      readonly enough: false
      /** what is wrong, and the version that would do */
      readonly message: string
      /** the lowest release that would do */
      readonly wouldDo: string
    }

/** `before` and `after` are versions of one tool, and `needed` is the level of what changed between them. */
export function checkBump(before: string, after: string, needed: ChangeLevel): BumpCheck {
  const [old, now] = [versionOf(before), versionOf(after)]
  const wouldDo = nextVersion(before, needed)
  const refuse = (why: string): BumpCheck => ({ enough: false, message: `${why} ${wouldDo} would do.`, wouldDo })
  const order = compareVersions(before, after)
  if (order < 0) return refuse(`The version was lowered from ${before} to ${after}.`)
  if (order === 0) {
    if (needed === 'none') return { enough: true }
    const build = before === after ? '' : ' (text after the + does not make another version)'
    return refuse(`The definition changed, and the version is still ${after}${build}. ${CHANGED[needed]}`)
  }
  if (old.prerelease || compareVersions(wouldDo, now.release) >= 0) return { enough: true }
  return refuse(`${before} → ${after} is too small a step. ${CHANGED[needed]}${early(old)}`)
}

const CHANGED: Readonly<Record<ChangeLevel, string>> = {
  major: 'The changes break callers:',
  minor: 'The changes need more than a patch:',
  patch: 'The changes need a new version:',
  none: 'Nothing changed:',
}

const early = ({ major }: Version): string => (major === 0 ? ' below 1.0.0 the second number says so, and' : '')

/** The lowest release above a version that says as much as `needed`. */
export function nextVersion(before: string, needed: ChangeLevel): string {
  const { major, minor, patch, prerelease, release } = versionOf(before)
  // Of a prerelease anything may change on the way to its release.
  if (prerelease) return release
  if (needed === 'major') return major === 0 ? `0.${minor + 1}.0` : `${major + 1}.0.0`
  if (needed === 'minor' && major > 0) return `${major}.${minor + 1}.0`
  return needed === 'none' ? release : `${major}.${minor}.${patch + 1}`
}
