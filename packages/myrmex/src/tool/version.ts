/** Semantic versions: is it one, which is higher, which one comes next, which one answers a range. */
import { createRequire } from 'node:module'
import { ToolError } from '../protocol/errors.ts'
import { MAX_RANGE_LENGTH } from '../protocol/message-limits.ts'

/** The version of a definition that states none. */
export const DEFAULT_VERSION = '0.1.0'

/** The expression semver.org gives. The semver package is loaded only when versions are compared. */
const SEMVER =
  /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-((?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)(?:\.(?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*))*))?(?:\+([0-9a-zA-Z-]+(?:\.[0-9a-zA-Z-]+)*))?$/

/** The semver package accepts nothing longer, and no unsafe integer. */
const MAX_LENGTH = 256

export function isVersion(text: unknown): text is string {
  if (typeof text !== 'string' || text.length > MAX_LENGTH) return false
  const numbers = SEMVER.exec(text)?.slice(1, 4) ?? []
  return numbers.length > 0 && numbers.every((number) => Number(number) <= Number.MAX_SAFE_INTEGER)
}

let loaded: typeof import('semver') | undefined
const semver = (): typeof import('semver') => {
  loaded ??= createRequire(import.meta.url)('semver') as typeof import('semver')
  return loaded
}

/** Highest first. */
export const compareVersions = (a: string, b: string): number => semver().rcompare(a, b)

/** Lowest first; of two that differ only in their build, always the same one. */
export const orderVersions = (a: string, b: string): number =>
  semver().compareBuild(a, b) || (a < b ? -1 : a > b ? 1 : 0)

/** A version without its build metadata, taken apart. */
export interface Version {
  readonly major: number
  readonly minor: number
  readonly patch: number
  /** it comes before the release of its number, and promises nothing */
  readonly prerelease: boolean
  /** major.minor.patch */
  readonly release: string
}

export function versionOf(text: string): Version {
  const found = isVersion(text) ? semver().parse(text) : null
  if (found === null) {
    throw ToolError.of('ValidationError', `${JSON.stringify(text)} is not a semantic version (such as 1.2.0)`)
  }
  const { major, minor, patch } = found
  return { major, minor, patch, prerelease: found.prerelease.length > 0, release: `${major}.${minor}.${patch}` }
}

/** The highest version within a range, or undefined. A range that is none is the caller's mistake. */
export function highestWithin(versions: readonly string[], range: string): string | undefined {
  // Reading a range takes time and memory for every part of it.
  if (range.length > MAX_RANGE_LENGTH) {
    const message = `A version range has at most ${MAX_RANGE_LENGTH} characters; this one has ${range.length}`
    throw ToolError.of('ValidationError', message)
  }
  if (semver().validRange(range) === null) {
    throw ToolError.of('ValidationError', `${JSON.stringify(range)} is not a version range (such as ^1.2.0)`)
  }
  return semver().maxSatisfying([...versions], range) ?? undefined
}
