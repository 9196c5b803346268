/** What other clients say of a server that means nothing here, and what says it here instead. */
import { pointerSteps } from '../../protocol/json.ts'
import type { ServerSettings } from '../settings.ts'
import type { HostConfig } from './host-schema.ts'

const APPROVAL = 'what its tools may do is said by trust here, and by `myrmex trust`'
const TOOLS = 'say "tools": {"NAME": {"enabled": false}} here'

/** By the name of the member. */
const INSTEAD: Readonly<Record<string, string>> = {
  autoApprove: APPROVAL,
  alwaysAllow: APPROVAL,
  alwaysAllowedTools: APPROVAL,
  trustedTools: APPROVAL,
  disabledTools: TOOLS,
  excludeTools: TOOLS,
  includeTools: 'say "tools": {"NAME": {}, "*": {"enabled": false}} here',
  timeout: 'say timeout_ms here',
  environment: 'say env here',
  envFile: 'say each variable in env here; a secret as {"from_file": PATH}',
  envVars: 'say env here',
  inputs: 'say {"from_env": NAME} where a secret is needed',
  servers: 'say mcpServers here',
  context_servers: 'say mcpServers here',
  mcp: 'say mcpServers here',
}

/** Of a member that is no member of ours, by its pointer. */
export function unsupportedFieldHint(path: string): string | undefined {
  const key = pointerSteps(path).at(-1) ?? ''
  const instead = Object.hasOwn(INSTEAD, key) ? INSTEAD[key] : undefined
  return instead === undefined ? undefined : `is of another client and not known here: ${instead}`
}

/** What somebody who takes an entry over should know of a member that is left behind. */
export const skippedFieldNote = (key: string): string => {
  const instead = Object.hasOwn(INSTEAD, key) ? INSTEAD[key] : undefined
  return instead === undefined ? `${key} is not known here and was left out` : `${key} was left out: ${instead}`
}

export function configNotes(config: HostConfig, settings: readonly ServerSettings[]): string[] {
  const notes: string[] = []
  if (Object.keys(config.mcpServers).length === 0) notes.push('there is no server in it yet')
  if (config.host?.always_list !== undefined && config.host.list !== 'search')
    notes.push('host.always_list does nothing unless host.list is search')
  for (const { name, start, endpoint } of settings) {
    if (endpoint.where === 'in-process' && start === 'lazy')
      notes.push(`${name} is in this process: start does nothing there`)
  }
  return notes
}
