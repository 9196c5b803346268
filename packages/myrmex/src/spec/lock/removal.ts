/** May a tool be gone? Only if a release said so a minor version before: by `deprecatedIn`, on top of one that had none. */
import { orderVersions, versionOf } from '../../tool/version.ts'
import { checkBump } from '../diff.ts'
import type { LockFinding } from './check-versions.ts'
import type { LockedTool } from './lock-file.ts'

export function judgeRemoval(tool: string, { versions }: LockedTool): LockFinding {
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

const gone = (tool: string, version: string, why: string): LockFinding => ({
  rule: 'removed',
  severity: 'note',
  tool,
  version,
  message: `${tool} is gone; it ${why}.`,
})

function unannounced(tool: string, last: string, why: string): LockFinding {
  const { major, minor } = versionOf(last)
  const next = `${major}.${minor + 1}.0`
  const message =
    `${tool} is gone (last released as ${last}), and ${why}. Put it back as ${next} with deprecatedIn: '${next}', release ` +
    `that, and remove it afterwards.`
  return { rule: 'removed-unannounced', severity: 'error', tool, version: last, message }
}
