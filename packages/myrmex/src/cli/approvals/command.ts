/** `myrmex approvals`: its subcommands and their options. Their code is loaded when one is chosen. */
import { Command, Option } from 'commander'
import { configOption, ledgerKeyOption, ledgerOption, stateOption } from '../../serve/options.ts'

const ID_HELP = 'as approvals list shows it'
const NOTE_HELP = {
  approve: 'a note kept with the decision; the caller reads it if you change the arguments',
  deny: 'a note for the caller, kept with the decision',
} as const

const editOption = (): Option =>
  new Option('--edit', 'change the arguments in your editor first ($VISUAL or $EDITOR)').conflicts('arguments')
const argumentsOption = (): Option =>
  new Option('--arguments <json>', 'approve with these arguments instead: JSON, or @FILE')
/** What can be decided together with an approval. */
const approveOptions = (command: Command): Command =>
  command
    .addOption(editOption())
    .addOption(argumentsOption())
    .option('--grant', 'also allow later calls of this tool without approval, in the same decision')
    .option('--until <when>', 'with --grant: when that ends, such as 7d or 2026-12-31')
    .option('--for <principal>', 'with --grant: whose calls, * for everybody’s (default: the caller of this call)')
    .option('--open', 'with --grant: for a tool that is not your own code although the ledger is in open mode')

/** Short for `myrmex approvals approve`. */
export const approveCommand = (): Command =>
  approveOptions(
    new Command('approve')
      .description('Allow exactly these calls, once each (short for approvals approve).')
      .argument('<id...>', ID_HELP)
      .option('--note <text>', NOTE_HELP.approve),
  )
    .addOption(ledgerOption())
    .addOption(ledgerKeyOption())
    .action(async (ids: string[], options) => (await import('./decide.ts')).decideApprovals('approve', ids, options))

export function approvalsCommand(): Command {
  const approvals = new Command('approvals').description('List calls that wait for approval, and approve or deny them.')
  const sub = (name: string, description: string): Command =>
    approvals.command(name).description(description).addOption(ledgerOption())

  sub('list', 'List waiting calls, oldest first.')
    .option('--all', 'include decided, used and expired approvals')
    .option('--json', 'print JSON')
    .action(async (options) => (await import('./show.ts')).listApprovals(options))

  sub('show', 'Show approvals in full.')
    .argument('<id...>', ID_HELP)
    .option('--json', 'print JSON')
    .action(async (ids: string[], options) => (await import('./show.ts')).showApprovals(ids, options))

  sub('watch', 'Show what waits for approval as it comes; on a terminal, keys approve, edit and deny.')
    .option('--json', 'print JSON, one line for each new one')
    .addOption(ledgerKeyOption())
    .action(async (options) => (await import('./watch.ts')).watchApprovals(options))

  approvals
    .command('channels')
    .description('Show where the running host announces waiting calls, and how that went.')
    .option('--test <name>', 'send a test on this channel')
    .addOption(configOption())
    .addOption(stateOption())
    .option('--json', 'print JSON')
    .action(async (options) => (await import('./channels.ts')).showChannels(options))

  for (const [name, description] of [
    ['approve', 'Allow exactly these calls, once each.'],
    ['deny', 'Deny these calls.'],
  ] as const) {
    const one = sub(name, description).argument('<id...>', ID_HELP).option('--note <text>', NOTE_HELP[name])
    const decide = name === 'approve' ? approveOptions(one) : one
    decide
      .addOption(ledgerKeyOption())
      .action(async (ids: string[], options) => (await import('./decide.ts')).decideApprovals(name, ids, options))
  }
  return approvals
}
