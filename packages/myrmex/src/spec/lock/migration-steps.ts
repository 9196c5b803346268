/** The major steps of a tool up to its present version: what each of them broke, and what callers have to do. */
import type { ToolBody } from '../../tool/verify/verify-tool.ts'
import { isVersion, orderVersions, versionOf } from '../../tool/version.ts'
import { CHANGES, type Change, compare } from '../diff.ts'
import { toolKey } from '../examples/recorded-examples.ts'
import type { Lock } from './lock-file.ts'

export interface MigrationStep {
  /** the last version before the step */
  readonly from: string
  /** the last version after it */
  readonly to: string
  /** what the author of an earlier release wrote about it; the text of the present version is part of its definition */
  readonly text: string | undefined
  /** what breaks callers: what changed, what that means, and what to do */
  readonly breaks: readonly { readonly change: string; readonly reason: string; readonly todo: string | undefined }[]
}

/** By the key of the tool, for tools that had an earlier major version; the latest step first. */
export type Migrations = ReadonlyMap<string, readonly MigrationStep[]>

/** `bodies` are the present tools. */
export function migrationSteps(bodies: readonly ToolBody[], lock: Lock): Migrations {
  const found = new Map<string, MigrationStep[]>()
  for (const body of bodies) {
    const steps = isVersion(body.version) ? stepsTo(body, earlierMajors(body, bodies, lock)) : []
    if (steps.length > 0) found.set(toolKey(body), steps)
  }
  return found
}

/** The last release of every major version below that of the tool, the highest first. */
function earlierMajors(body: ToolBody, bodies: readonly ToolBody[], lock: Lock): ToolBody[] {
  const released = [...(lock.tools.get(body.name)?.versions.values() ?? [])].map(({ definition }) => definition)
  const others = [...released, ...bodies.filter(({ name }) => name === body.name)]
  const { major } = versionOf(body.version)
  const last = new Map<number, ToolBody>()
  for (const other of others.filter(({ version }) => isVersion(version))) {
    const version = versionOf(other.version)
    if (version.prerelease || version.major >= major) continue
    const known = last.get(version.major)
    if (known === undefined || orderVersions(known.version, other.version) < 0) last.set(version.major, other)
  }
  return [...last.values()].sort((a, b) => orderVersions(b.version, a.version))
}

const stepsTo = (body: ToolBody, earlier: readonly ToolBody[]): MigrationStep[] =>
  earlier.map((before, index) => {
    const after = earlier[index - 1] ?? body
    return {
      from: before.version,
      to: after.version,
      text: after === body ? undefined : after.migration,
      breaks: compare(before, after)
        .changes.filter(({ level }) => level === 'major')
        .map(breakingChange),
    }
  })

const breakingChange = ({ kind, text }: Change): MigrationStep['breaks'][number] => {
  const { reason, todo } = CHANGES[kind]
  return { change: text, reason, todo }
}
