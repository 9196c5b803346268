/**
 * What a tool of a remote agent is called in the fleet. The agent's own name stands in front of it, whatever the agent says, so
 * that none can pass a tool off as another's.
 */
import type { RemoteTool } from '../../client/connect.ts'
import { TOOL_NAME_PATTERN } from '../../protocol/envelope.ts'
import { META } from '../../protocol/versions.ts'

/** As a Myrmex server says it; undefined for any other. */
export function canonicalName({ _meta }: Pick<RemoteTool, '_meta'>): string | undefined {
  const name = _meta?.[META.name]
  return typeof name === 'string' && TOOL_NAME_PATTERN.test(name) ? name : undefined
}

export function nameInFleet(agent: string, listed: Pick<RemoteTool, 'name' | '_meta'>): string {
  const canonical = canonicalName(listed)
  if (canonical === undefined) return `${agent}.${worded(listed.name)}`
  return canonical.slice(0, canonical.lastIndexOf('.')) === agent ? canonical : `${agent}.${canonical}`
}

/** Any name in the letters that ours have: createIssue, create-issue and Create Issue are create_issue. */
function worded(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split('.')
    .map((part) => part.replace(/[^a-z0-9_]+/g, '_'))
    .filter((part) => part !== '')
    .join('.')
}
