/** The command line as an operator runs it: a process of its own, on the same ledger. */
import { execFile } from 'node:child_process'
import process from 'node:process'
import { promisify } from 'node:util'
import { CLI, type LedgerHome } from './server-process.ts'

const run = promisify(execFile)

/** Rejects, with what the command said, unless it exits with 0. */
export async function command({ folder, address, key }: LedgerHome, ...words: readonly string[]): Promise<void> {
  await run(process.execPath, [CLI, ...words, '--ledger', address, '--ledger-key', key], { cwd: folder })
}
