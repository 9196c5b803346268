/** The paths of a serving program that its children must not read or change, besides the state folder. */
import { join, resolve } from 'node:path'
import type { ProtectedPaths } from '../host/child/sandbox/plan.ts'
import { isPostgres, journalFolder, keyFileOf } from '../ledger/open.ts'
import { makePrivateFolder, requireOwnFolder } from '../ledger/private-folder.ts'
import type { LedgerFlags } from './ledger.ts'
import { RULES_FILES, type RulesFlags } from './operator-file.ts'

/**
 * `folder` has the operator's files if they are not named. The folder of the journal is created, because only a path that exists can be
 * hidden.
 */
export function protectedPaths(
  { ledger, ledgerKey, ...rules }: LedgerFlags & RulesFlags,
  folder: string,
): ProtectedPaths {
  const { policy = process.env.MYRMEX_POLICY, constitution = process.env.MYRMEX_CONSTITUTION } = rules
  const isFile = ledger !== undefined && !isPostgres(ledger) && ledger !== ':memory:'
  const store = isFile ? [ledger, `${ledger}-wal`, `${ledger}-shm`, journalFolder(ledger)] : []
  if (isFile) makeJournalFolder(journalFolder(ledger))
  return {
    hide: [...store, ledgerKey ?? keyFileOf(ledger)].map((path) => resolve(path)),
    readOnly: [policy ?? join(folder, RULES_FILES.policy), constitution ?? join(folder, RULES_FILES.constitution)].map(
      (path) => resolve(path),
    ),
  }
}

function makeJournalFolder(path: string): void {
  requireOwnFolder(path)
  makePrivateFolder(path)
}
