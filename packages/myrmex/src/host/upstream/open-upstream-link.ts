/** Opens the link of one server with what the host knows of it. The code that opens links is loaded with the first one. */

import type { ToolError } from '../../protocol/errors.ts'
import type { JsonObject } from '../../protocol/json.ts'
import type { Link } from '../link/link.ts'
import type { UpstreamDeps, UpstreamSettings } from './upstream-deps.ts'

interface LinkEvents {
  readonly signal: AbortSignal
  /** undefined: it is found out */
  readonly era: Link['era'] | undefined
  readonly onNotification: (method: string, params: JsonObject) => void
  readonly onClose: (why: ToolError) => void
}

export async function openUpstreamLink(
  { name, endpoint, openMs, secrets, publicValues, sandbox }: UpstreamSettings,
  { log, reaper, sandboxes, onRequest, callerSecrets, principal, credential, accounts }: UpstreamDeps,
  events: LinkEvents,
): Promise<Link> {
  const { openLink } = await import('../link/open-link.ts')
  return openLink(endpoint, {
    ...events,
    ...{ name, openMs, secrets, publicValues, callerSecrets, principal, credential, accounts, reaper, onRequest },
    launch: sandbox && sandboxes && ((child) => sandboxes.launch(name, child, sandbox)),
    onStderr: (text) => log('info', `${name}: ${text}`),
  })
}
