/** The paths of a serving program that its children must not read or change, besides the state folder. */
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { ProtectedPaths } from '../host/child/sandbox/plan.ts'
import { isPostgres, journalFolder, keyFileOf, lockFilesOf } from '../ledger/open.ts'
import { MYRMEX_FOLDER, makePrivateFolder, requireOwnFolder } from '../ledger/private-folder.ts'
import { RULES_FILES } from './file-names.ts'
import { knownFolders } from './folder-registry.ts'
import type { LedgerFlags } from './ledger.ts'
import type { RulesFlags } from './operator-file.ts'

/** State folders of other hosts and servers of this user: in open mode, a token in one of them decides which tools run there. */
const otherStateFolders = (folder: string): string[] =>
  knownFolders()
    .filter(({ path }) => path !== folder)
    .map(({ path }) => join(path, MYRMEX_FOLDER))
    .filter((path) => existsSync(path))

/**
 * `state` is the state folder that the operator named. `folder` has the operator's files if they are not named. The folder of the journal is created, because only a path that exists can be
 * hidden.
 */
export function protectedPaths(
  { ledger, ledgerKey, ...rules }: LedgerFlags & RulesFlags,
  folder: string,
  state = join(folder, MYRMEX_FOLDER),
): ProtectedPaths {
  const { policy = process.env.MYRMEX_POLICY, constitution = process.env.MYRMEX_CONSTITUTION } = rules
  const isFile = ledger !== undefined && !isPostgres(ledger) && ledger !== ':memory:'
  const store = isFile ? [ledger, `${ledger}-wal`, `${ledger}-shm`, journalFolder(ledger)] : []
  if (isFile) makeJournalFolder(journalFolder(ledger))
  // The settings of the children hide `.myrmex`.
  const named = state === join(folder, MYRMEX_FOLDER) ? [] : [join(state, 'host')]
  const lock = Object.values(lockFilesOf(ledger, ledgerKey) ?? {})
  return {
    hide: [...store, ledgerKey ?? keyFileOf(ledger), ...lock, ...otherStateFolders(folder), ...named].map((path) =>
      resolve(path),
    ),
    readOnly: [policy ?? join(folder, RULES_FILES.policy), constitution ?? join(folder, RULES_FILES.constitution)].map(
      (path) => resolve(path),
    ),
  }
}

function makeJournalFolder(path: string): void {
  requireOwnFolder(path)
  makePrivateFolder(path)
}
