/**
 * Modules from files, seen by the ledger. Client and server are loaded only for that: most decisions are made from the ledger
 * alone.
 */
import type { Ledger } from '../../ledger/ledger.ts'
import type { Module } from '../../tool/discovery/module.ts'

/** What to do about a tool that the ledger does not know. */
export const LOAD_HINT = "Start the server, or give the tool's file with --file."

export async function loadAndRecord(files: readonly string[] | undefined, ledger: Ledger): Promise<Module[]> {
  if (files === undefined || files.length === 0) return []
  const { loadServer, reportFailures } = await import('../tools/load.ts')
  const { modules, failures } = await loadServer(files)
  reportFailures(failures)
  await ledger.trust.recordDefinitions(modules.flatMap(({ tools }) => tools))
  return modules
}
