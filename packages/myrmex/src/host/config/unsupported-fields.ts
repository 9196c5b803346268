/** Fields of other clients that are not supported, and what to use instead. */
import { pointerSteps } from '../../protocol/json.ts'
import type { ServerSettings } from '../settings.ts'
import type { HostConfig } from './host-schema.ts'

const APPROVAL = 'use trust here, or `myrmex trust`, to say what its tools may do'
const TOOLS = 'use "tools": {"NAME": {"enabled": false}} here'

const REPLACEMENTS: Readonly<Record<string, string>> = {
  autoApprove: APPROVAL,
  alwaysAllow: APPROVAL,
  alwaysAllowedTools: APPROVAL,
  trustedTools: APPROVAL,
  disabledTools: TOOLS,
  excludeTools: TOOLS,
  includeTools: 'use "tools": {"NAME": {}, "*": {"enabled": false}} here',
  timeout: 'use timeout_ms here',
  environment: 'use env here',
  envFile: 'put each variable into env here; a secret as {"from_file": PATH}',
  envVars: 'use env here',
  inputs: 'use {"from_env": NAME} for a secret',
  servers: 'use mcpServers here',
  context_servers: 'use mcpServers here',
  mcp: 'use mcpServers here',
}

const replacementOf = (key: string): string | undefined =>
  Object.hasOwn(REPLACEMENTS, key) ? REPLACEMENTS[key] : undefined

/** `path` is the JSON pointer of an unknown field. */
export function unsupportedFieldHint(path: string): string | undefined {
  const replacement = replacementOf(pointerSteps(path).at(-1) ?? '')
  return replacement && `belongs to another client and is not supported: ${replacement}`
}

/** A note for someone who imports an entry with this field. */
export function skippedFieldNote(key: string): string {
  const replacement = replacementOf(key)
  return replacement === undefined ? `${key} is not supported and was skipped` : `${key} was skipped: ${replacement}`
}

export function configNotes(config: HostConfig, settings: readonly ServerSettings[]): string[] {
  const notes: string[] = []
  if (Object.keys(config.mcpServers).length === 0) notes.push('it has no servers yet')
  if (config.host?.always_list !== undefined && config.host.list !== 'search')
    notes.push('host.always_list has no effect unless host.list is search')
  for (const { name, start, endpoint, tools } of settings) {
    if (endpoint.where !== 'in-process') continue
    if (start === 'lazy') notes.push(`${name} runs in this process, so start has no effect`)
    if (tools.some(([, { destructive, timeoutMs }]) => destructive !== undefined || timeoutMs !== undefined))
      notes.push(`${name} runs in this process, so destructive and timeout_ms of its tools have no effect`)
  }
  return notes
}
