/** `myrmex folder`: its subcommands and their options. Their code is loaded when one is chosen. */
import { Command } from 'commander'

const PATH = ['[path]', 'the folder', '.'] as const

export function folderCommand(): Command {
  const folder = new Command('folder').description(
    'Folders whose ledger, rules and programs you trust. A folder that has nothing of Myrmex in it when you start there is trusted by itself.',
  )
  folder
    .command('trust')
    .description('Show what a folder brings, and trust it on this machine.')
    .argument(...PATH)
    .action(async (path: string) => (await import('./folders.ts')).trust(path))
  folder
    .command('list')
    .description('List the folders that you trust.')
    .option('--json', 'print JSON')
    .action(async (options) => (await import('./folders.ts')).list(options))
  folder
    .command('forget')
    .description('Trust a folder no longer. Nothing in it is changed.')
    .argument(...PATH)
    .action(async (path: string) => (await import('./folders.ts')).forget(path))
  return folder
}
