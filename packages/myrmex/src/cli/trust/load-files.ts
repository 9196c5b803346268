/** Loads modules from files and records their tools. Client and server are loaded only here: most decisions need the ledger alone. */
import type { Ledger } from '../../ledger/ledger.ts'
import type { LedgerFlags } from '../../serve/ledger.ts'
import type { Module } from '../../tool/discovery/module.ts'

/** Advice for a tool that the ledger does not know. */
export const LOAD_HINT = "Start the server, or name the tool's file with --file."

/** That of the server of these files, unless one is named. */
export async function ledgerOf<T extends LedgerFlags & { file?: string[] }>(options: T): Promise<T> {
  if (options.file === undefined) return options
  const { chooseFolder, reportLedgerElsewhere } = await import('../choose-folder.ts')
  const flags = chooseFolder(options, options.file)
  reportLedgerElsewhere(flags, options.ledger)
  return flags
}

export async function loadAndRecord(files: readonly string[] | undefined, ledger: Ledger): Promise<Module[]> {
  if (files === undefined || files.length === 0) return []
  const { loadServer, reportFailures } = await import('../tools/load.ts')
  const { modules, failures } = await loadServer(files)
  reportFailures(failures)
  await ledger.trust.recordDefinitions(modules.flatMap(({ tools }) => tools))
  return modules
}
