/**
 * Gives a command the ledger and the rules of the folder that it is about, if it names no others, and tells the person at the terminal
 * where they are if that is not the working directory. Which folder it is decides serve/command-folder.ts.
 */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { DEFAULT_LEDGER, isPostgres } from '../ledger/open.ts'
import { shellWord } from '../protocol/text.ts'
import { folderOfFiles, folderOfWorkingDirectory, foldersUpTo, workingDirectory } from '../serve/command-folder.ts'
import { RULES_FILES } from '../serve/file-names.ts'
import type { LedgerFlags } from '../serve/ledger.ts'
import type { RulesFlags } from '../serve/operator-file.ts'
import { requireUsable } from '../serve/server-folder.ts'
import { oneLine, say } from '../serve/terminal.ts'

type Flags = LedgerFlags & RulesFlags
/** What the rest of such a command needs: both are named. */
export type ChosenFlags<T extends Flags> = T & { readonly ledger: string; readonly rulesFolder: string }

/** For commands about files of tools, or a fleet. `name` is that of the server, if it has one. */
export function chooseFolder<T extends Flags>(options: T, files: readonly string[], name?: string): ChosenFlags<T> {
  const { folder, rules } = folderOfFiles(files, name)
  reportUnusedRules(options, rules, files)
  if (options.ledger !== undefined) return { ...options, ledger: options.ledger, rulesFolder: rules }
  requireUsable(folder)
  return { ...options, ledger: join(folder, DEFAULT_LEDGER), rulesFolder: rules }
}

/** For all other commands with a ledger: their options are changed. */
export function useWorkingFolder(command: Command): void {
  const { ledger, file } = command.opts<{ ledger?: string; file?: unknown }>()
  const has = (name: string): boolean => command.options.some((option) => option.attributeName() === name)
  if (!has('ledger') || Array.isArray(file)) return
  const folder = folderOfWorkingDirectory()
  if (folder === undefined || folder === workingDirectory()) return
  if (ledger === undefined) command.setOptionValueWithSource('ledger', join(folder, DEFAULT_LEDGER), 'default')
  if (has('policy')) command.setOptionValueWithSource('rulesFolder', folder, 'default')
}

/** Words to add to commands about this ledger, if they are typed in the working directory. */
export function ledgerWords({ ledger }: { readonly ledger: string }): string {
  const folder = folderOfWorkingDirectory()
  const isDefault = folder !== undefined && ledger === join(folder, DEFAULT_LEDGER)
  return isDefault || isPostgres(ledger) ? '' : ` --ledger ${shellWord(ledger)}`
}

/** For servers: where a client starts them, nobody sees which ledger they use. */
export function announceLedger(flags: { readonly ledger: string }): void {
  // The address of a database has its password.
  if (isPostgres(flags.ledger)) return say('every call is recorded: npx myrmex audit tail --follow')
  const words = ledgerWords(flags)
  if (words === '') say(`every call is recorded in ${oneLine(flags.ledger)}: npx myrmex audit tail --follow`)
  else
    say(
      `every call is recorded: npx myrmex audit tail --follow${words} (approvals, trust and operator need this option too)`,
    )
}

/** For commands that a person types: only what they would not expect. */
export function reportLedgerElsewhere(flags: { readonly ledger: string }, named: string | undefined): void {
  if (named === undefined && ledgerWords(flags) !== '') say(`the ledger is ${oneLine(flags.ledger)}`)
}

/** Rules that seem to hold and do not are worse than none. */
function reportUnusedRules(options: RulesFlags, folder: string, files: readonly string[]): void {
  const here = workingDirectory()
  const others = new Set([...foldersUpTo(folder, files), ...(here === undefined || here === folder ? [] : [here])])
  for (const other of others) {
    for (const kind of ['policy', 'constitution'] as const) {
      const file = join(other, RULES_FILES[kind])
      if (options[kind] !== undefined || !existsSync(file)) continue
      say(`${oneLine(file)} is not used: the rules are those of ${oneLine(folder)}. To use it, pass --${kind}.`)
    }
  }
}
