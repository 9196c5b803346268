/** Adds the present versions to the lock file, all of them or none. */
import { ToolError } from '../../protocol/errors.ts'
import { orderVersions } from '../../tool/version.ts'
import { checkVersions, hasErrors, type LockFinding, type PresentTool } from './check-versions.ts'
import { hashOf, type Lock } from './lock-file.ts'

/**
 * The lock with every version that was not in it yet. Refused as a whole if anything is wrong; `scope` is as in `judgeLock`,
 * and by default tools that are gone are nobody's business here.
 */
export function addReleases(
  lock: Lock,
  present: readonly PresentTool[],
  scope: (file: string) => boolean = () => false,
): Lock {
  const findings = checkVersions(lock, present, scope)
  if (hasErrors(findings)) throw refused(findings.filter(({ severity }) => severity === 'error'))
  const tools = new Map(lock.tools)
  for (const { body, file } of present.toSorted((a, b) => orderVersions(a.body.version, b.body.version))) {
    const versions = new Map(tools.get(body.name)?.versions)
    if (!versions.has(body.version)) versions.set(body.version, { hash: hashOf(body), definition: body })
    // The highest version says where the tool is: files are moved.
    tools.set(body.name, { file, versions })
  }
  return { tools }
}

function refused(errors: readonly LockFinding[]): ToolError {
  const lines = errors.map(({ rule, message }) => `${rule}: ${message}`)
  const details = errors.map(({ rule, tool, version, message }) => ({ rule, tool, version, message }))
  return ToolError.of('ValidationError', `Nothing was released:\n${lines.join('\n')}`, { findings: details })
}
