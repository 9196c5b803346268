/**
 * Modules from files, seen by the ledger. Client and server are loaded only for that: most decisions are made from the ledger
 * alone.
 */
import type { Ledger } from '../../ledger/ledger.ts'
import type { Module } from '../../tool/module.ts'

/** What to do about a tool that the ledger does not know. */
export const FROM_FILE = "Start the server, or give the tool's file with --file."

export async function seeFiles(files: readonly string[] | undefined, ledger: Ledger): Promise<Module[]> {
  if (files === undefined || files.length === 0) return []
  const { load, report } = await import('../load.ts')
  const { modules, failures } = await load(files)
  report(failures)
  await ledger.trust.see(modules.flatMap(({ tools }) => tools))
  return modules
}
