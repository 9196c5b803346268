/** The suggestions for all servers of a configuration, from the definitions that the ledger knows, and how one is accepted. */
import { selectTools } from '../../ledger/decisions/bulk/selection.ts'
import { serverOfDefinition } from '../../ledger/decisions/definition-server.ts'
import { type TrackedTool, trackedTools } from '../../ledger/decisions/tracked-tools.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import { setToolSettings } from '../config/edit-host-file.ts'
import { readToolRules } from '../config/read-host-file.ts'
import { type SettingsSuggestion, suggestSettings, trackedSuggestionFacts } from './suggest-settings.ts'

/** Of servers in the order of the file. Settings that the file already has are not suggested. */
export const settingsSuggestions = async (ledger: Ledger, path: string): Promise<SettingsSuggestion[]> =>
  suggestionsAmong(await trackedTools(ledger), path)

export async function suggestionsAmong(known: readonly TrackedTool[], path: string): Promise<SettingsSuggestion[]> {
  const latest = selectTools(known, { names: [], readOnly: false })
  const own = Map.groupBy(latest, ({ tool }) => serverOfDefinition(tool))
  return [...(await readToolRules(path))].flatMap(([server, rules]) => {
    const found = suggestSettings(server, (own.get(server) ?? []).map(trackedSuggestionFacts), rules)
    return found === undefined ? [] : [found]
  })
}

/** Writes it to the file. A running host applies it by itself. Returns the path of the backup. */
export const acceptSuggestion = (path: string, suggestion: SettingsSuggestion): Promise<string | undefined> =>
  setToolSettings(path, suggestion.server, suggestedTools(suggestion))

/** As `tools` of myrmex.json has it. */
export const suggestedTools = ({ patterns }: SettingsSuggestion): Record<string, { destructive: false }> =>
  Object.fromEntries(patterns.map(({ pattern }) => [pattern, { destructive: false }]))
