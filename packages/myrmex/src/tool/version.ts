/** Semantic versions: is it one, which is higher, which one answers a range. */
import { createRequire } from 'node:module'
import { ToolError } from '../protocol/errors.ts'

/** The expression semver.org gives. The semver package is loaded only when versions are compared. */
const SEMVER =
  /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-((?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)(?:\.(?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*))*))?(?:\+([0-9a-zA-Z-]+(?:\.[0-9a-zA-Z-]+)*))?$/

export const isVersion = (text: unknown): text is string => typeof text === 'string' && SEMVER.test(text)

let loaded: typeof import('semver') | undefined
const semver = (): typeof import('semver') => {
  loaded ??= createRequire(import.meta.url)('semver') as typeof import('semver')
  return loaded
}

/** Highest first. */
export const compareVersions = (a: string, b: string): number => semver().rcompare(a, b)

/** The highest version within a range, or undefined. A range that is none is the caller's mistake. */
export function highestWithin(versions: readonly string[], range: string): string | undefined {
  if (semver().validRange(range) === null) {
    throw new ToolError('ValidationError', `${JSON.stringify(range)} is not a version range (such as ^1.2.0)`)
  }
  return semver().maxSatisfying([...versions], range) ?? undefined
}
