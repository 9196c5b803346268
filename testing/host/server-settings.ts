/** Settings of a server as a test's host reads them: trusted, started at once, with nothing else configured. */
import type { ServerSettings } from '../../packages/myrmex/src/host/settings.ts'

export const serverSettings = (
  name: string,
  endpoint: ServerSettings['endpoint'],
  more: Partial<ServerSettings> = {},
): ServerSettings => ({
  name,
  endpoint,
  start: 'eager',
  idleMs: 0,
  openMs: 60_000,
  timeoutMs: 10_000,
  healthMs: 0,
  hungMs: 2000,
  trust: 'trusted',
  tools: [],
  roots: [],
  instructions: true,
  secrets: [],
  digest: JSON.stringify([name, endpoint, more]),
  ...more,
})
