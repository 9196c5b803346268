/** A line about servers that do not say of some tools whether they change state, where settings for these can be suggested. */
import { existsSync } from 'node:fs'
import { HOST_FILE } from '../../host/config/read-host-file.ts'
import { suggestionsAmong } from '../../host/trust/suggestions.ts'
import type { TrackedTool } from '../../ledger/decisions/tracked-tools.ts'
import { oneLine, wrapWithCommand } from '../../serve/terminal.ts'

const MAX_NAMES = 4

export function suggestionHint(servers: readonly string[]): string {
  const names = servers.slice(0, MAX_NAMES).map((server) => oneLine(server, 60))
  const left = servers.length - names.length
  const more = left > 0 ? ` and ${left} more` : ''
  const verb = servers.length === 1 ? 'does' : 'do'
  return wrapWithCommand(
    `${names.join(', ')}${more} ${verb} not say of some tools whether they change state:`,
    'npx myrmex host suggest',
    2,
  )
}

/** Undefined: there is no configuration here, or nothing to suggest for it. */
export async function hintAmong(known: readonly TrackedTool[]): Promise<string | undefined> {
  const path = process.env.MYRMEX_HOST ?? HOST_FILE
  if (!existsSync(path)) return undefined
  // A file with errors is reported by the commands that need it.
  const found = await suggestionsAmong(known, path).catch(() => [])
  return found.length === 0 ? undefined : suggestionHint(found.map(({ server }) => server))
}
