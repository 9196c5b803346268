/**
 * Compares the present tools with the releases in the lock file: a release never changes, a version step is big enough for its
 * changes, and a tool is removed only after a minor version that announced it.
 */
import type { ToolBody } from '../../tool/verify/verify-tool.ts'
import { isVersion, orderVersions, versionOf } from '../../tool/version.ts'
import { nextVersion } from '../diff/bump.ts'
import { type Comparison, checkBump, compare } from '../diff.ts'
import { hashOf, type Lock, type LockedTool } from './lock-file.ts'

export type LockRule =
  | 'changed-release'
  | 'bump-too-small'
  | 'migration-missing'
  | 'unreleased'
  | 'defined-twice'
  | 'removed-unannounced'
  | 'removed'
  | 'deprecated-in-odd'
  | 'replaced-by-unknown'
  | 'parameter-removed-unannounced'

export interface LockFinding {
  readonly rule: LockRule
  /** an error fails the check; a note is for the reader */
  readonly severity: 'error' | 'note'
  readonly tool: string
  readonly version: string
  readonly message: string
  /** with the release that it was held against */
  readonly comparison?: Comparison
}

/** A tool that is there now. */
export interface PresentTool {
  readonly body: ToolBody
  /** the file or folder it is in, as the lock names it */
  readonly file: string
}

export interface VersionCheckOptions {
  /** every version must be in the lock: for a build that is going to be published */
  readonly locked?: boolean
}

export const hasErrors = (findings: readonly LockFinding[]): boolean =>
  findings.some(({ severity }) => severity === 'error')

/** `scope` says whether a file of the lock was looked at: a tool of it that is not among those present is gone. */
export function checkVersions(
  lock: Lock,
  present: readonly PresentTool[],
  scope: (file: string) => boolean,
  options: VersionCheckOptions = {},
): LockFinding[] {
  const names = new Set(present.map(({ body }) => body.name))
  const known = (name: string): boolean => names.has(name) || lock.tools.has(name)
  const bodies = present.map(({ body }) => body)
  const byVersion = Map.groupBy(present, ({ body: { name, version } }) => `${name} ${version}`)
  const findings = [...byVersion.values()].flatMap((same) => {
    const [{ body }] = same as [PresentTool]
    return [
      ...definedTwice(same),
      ...deprecation(body, known),
      ...judgeVersion(body, lock.tools.get(body.name), bodies, options.locked === true),
    ]
  })
  for (const [name, tool] of lock.tools) {
    if (!names.has(name) && scope(tool.file)) findings.push(judgeRemoval(name, tool))
  }
  return findings.sort(inOrder)
}

const inOrder = (a: LockFinding, b: LockFinding): number => {
  if (a.tool !== b.tool) return a.tool < b.tool ? -1 : 1
  return isVersion(a.version) && isVersion(b.version) ? orderVersions(a.version, b.version) : 0
}

const newFinding = (
  severity: LockFinding['severity'],
  rule: LockRule,
  { name, version }: Pick<ToolBody, 'name' | 'version'>,
  message: string,
  comparison?: Comparison,
): LockFinding => ({ rule, severity, tool: name, version, message, ...(comparison !== undefined && { comparison }) })

function definedTwice(same: readonly PresentTool[]): LockFinding[] {
  const [{ body: first }, ...more] = same as [PresentTool, ...PresentTool[]]
  if (more.length === 0) return []
  const places = [...new Set(same.map(({ file }) => file))]
  const where = places.length === 1 ? '' : ` in ${places.join(' and ')}`
  const isSame = more.every(({ body }) => hashOf(body) === hashOf(first))
  const advice = isSame ? 'Remove one, or give it another version' : 'They differ: give one another version'
  return [
    newFinding('error', 'defined-twice', first, `${first.name} ${first.version} is defined twice${where}. ${advice}.`),
  ]
}

function deprecation(body: ToolBody, known: (name: string) => boolean): LockFinding[] {
  const { name: tool, version, deprecatedIn, replacedBy } = body
  const findings: LockFinding[] = []
  const odd = deprecatedIn === undefined ? undefined : oddity(deprecatedIn, version)
  if (odd !== undefined) {
    const message = `${tool} ${version}: deprecatedIn ${JSON.stringify(deprecatedIn)} ${odd}`
    findings.push(newFinding('error', 'deprecated-in-odd', body, message))
  }
  if (replacedBy !== undefined && !known(replacedBy)) {
    const message = `${tool} ${version}: replacedBy names ${JSON.stringify(replacedBy)}, and there is no tool of that name.`
    findings.push(newFinding('note', 'replaced-by-unknown', body, message))
  }
  return findings
}

function oddity(deprecatedIn: string, version: string): string | undefined {
  if (!isVersion(deprecatedIn)) return 'is not a semantic version (such as 1.2.0).'
  return orderVersions(deprecatedIn, version) > 0 ? `is higher than the version of the tool itself.` : undefined
}

function judgeVersion(
  body: ToolBody,
  locked: LockedTool | undefined,
  present: readonly ToolBody[],
  mustBeLocked: boolean,
): LockFinding[] {
  const { name: tool, version } = body
  const release = locked?.versions.get(version)
  if (locked !== undefined && release !== undefined) {
    return release.hash === hashOf(body) ? [] : [changedRelease(body, locked, compare(release.definition, body))]
  }
  const message = `${tool} ${version} is not in the lock file. Run myrmex spec lock when it is released.`
  const unreleased = newFinding(mustBeLocked ? 'error' : 'note', 'unreleased', body, message)
  return [unreleased, ...judgeStep(body, othersOf(body, locked, present), highestOf(locked))]
}

const highestOf = (locked: LockedTool | undefined): string | undefined =>
  [...(locked?.versions.keys() ?? [])].sort(orderVersions).at(-1)

/** The other versions of a tool: those released, and those that are there to be. */
function othersOf(body: ToolBody, locked: LockedTool | undefined, present: readonly ToolBody[]): Map<string, ToolBody> {
  const others = present.filter(({ name, version }) => name === body.name && version !== body.version)
  const releases = [...(locked?.versions ?? [])].map(([version, { definition }]) => [version, definition] as const)
  return new Map([...others.map((other) => [other.version, other] as const), ...releases])
}

function changedRelease(body: ToolBody, locked: LockedTool, comparison: Comparison): LockFinding {
  const { name: tool, version } = body
  const message =
    `${tool} ${version} is released and was changed (${comparison.level}): ${changeTexts(comparison)}. ` +
    `Take the change back, or give it a version of its own: ${versionFor(body, locked, comparison)} would do.`
  return newFinding('error', 'changed-release', body, message, comparison)
}

/** The version that would do, of those that are not taken. */
function versionFor(body: ToolBody, locked: LockedTool, { level }: Comparison): string {
  const next = nextVersion(body.version, level)
  const highest = highestOf(locked)
  if (highest === undefined || orderVersions(next, highest) > 0) return next
  const last = locked.versions.get(highest)
  const since = last === undefined ? level : compare(last.definition, body).level
  return nextVersion(highest, since === 'none' ? 'patch' : since)
}

const MAX_SHOWN = 3

function changeTexts({ changes }: Comparison): string {
  return shortList(changes.filter(({ level }) => level !== 'none').map(({ text }) => text))
}

function shortList(texts: readonly string[]): string {
  const rest = texts.length - MAX_SHOWN
  return rest > 0 ? `${texts.slice(0, MAX_SHOWN).join('; ')}; and ${rest} more` : texts.join('; ')
}

/**
 * A new version is held against the highest release below it. A prerelease promised nothing, so it is asked only where there
 * is no release: otherwise one could be slipped in between to let a breaking change through.
 */
export function baseOf(versions: readonly string[], version: string): string | undefined {
  const below = versions.filter((other) => orderVersions(other, version) < 0).sort(orderVersions)
  return below.findLast((other) => !versionOf(other).prerelease) ?? below.at(-1)
}

function judgeStep(body: ToolBody, others: ReadonlyMap<string, ToolBody>, highest: string | undefined): LockFinding[] {
  const { name: tool, version } = body
  const base = baseOf([...others.keys()], version) ?? highest
  const release = base === undefined ? undefined : others.get(base)
  if (base === undefined || release === undefined) return []
  const comparison = compare(release, body)
  const bump = checkBump(base, version, comparison.level)
  const findings = comparison.changes
    .filter(({ announced }) => announced === false)
    .map(({ text, where }) => {
      const message = `${tool} ${version}: ${text}, and ${base} did not mark it as deprecated (${where}).`
      return newFinding('note', 'parameter-removed-unannounced', body, message)
    })
  if (bump.enough) return [...missingNote(body, base, comparison), ...findings]
  const message = `${tool}: ${bump.message} Changed since ${base} (${comparison.level}): ${changeTexts(comparison)}.`
  return [newFinding('error', 'bump-too-small', body, message, comparison), ...findings]
}

/** A new major version that breaks callers tells them what to do, in words of its author. */
function missingNote(body: ToolBody, base: string, { level, changes }: Comparison): LockFinding[] {
  const [old, now] = [versionOf(base), versionOf(body.version)]
  if (level !== 'major' || now.major <= old.major || old.prerelease || body.migration !== undefined) return []
  const what = changes.filter((change) => change.level === 'major').map(({ text }) => text)
  const message =
    `${body.name} ${body.version} breaks callers of ${base} and does not say what they have to do: ${shortList(what)}. ` +
    `Add migration: '…' to the definition.`
  return [newFinding('error', 'migration-missing', body, message)]
}

function judgeRemoval(tool: string, { versions }: LockedTool): LockFinding {
  const all = [...versions.keys()].sort(orderVersions)
  const releases = all.filter((version) => !versionOf(version).prerelease)
  const last = releases.at(-1)
  if (last === undefined) return gone(tool, all.at(-1) ?? '', 'was never released but as a prerelease')
  const announces = (version: string): boolean => versions.get(version)?.definition.deprecatedIn !== undefined
  const silent = releases.findLast((version) => !announces(version))
  if (!announces(last)) return unannounced(tool, last, 'no release announced it')
  // It said so from its first release on.
  if (silent === undefined) return gone(tool, last, `was announced in ${releases[0]}`)
  const first = releases[releases.indexOf(silent) + 1] as string
  const step = checkBump(silent, first, 'minor')
  if (!step.enough) return unannounced(tool, last, `${first} announced it, which is only a patch of ${silent}`)
  return gone(tool, last, `was announced in ${first}`)
}

const gone = (name: string, version: string, why: string): LockFinding =>
  newFinding('note', 'removed', { name, version }, `${name} is gone; it ${why}.`)

function unannounced(tool: string, last: string, why: string): LockFinding {
  const { major, minor } = versionOf(last)
  const next = `${major}.${minor + 1}.0`
  const message =
    `${tool} is gone (last released as ${last}), and ${why}. Put it back as ${next} with deprecatedIn: '${next}', release ` +
    `that, and remove it afterwards.`
  return newFinding('error', 'removed-unannounced', { name: tool, version: last }, message)
}
