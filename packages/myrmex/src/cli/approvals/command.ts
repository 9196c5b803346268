/** `myrmex approvals`: its subcommands and their options. Their code is loaded when one is chosen. */
import { Command } from 'commander'
import { ledgerKeyOption, ledgerOption } from '../../serve/options.ts'

const ID_HELP = 'as approvals list shows it'
const NOTE_HELP = 'a note for the caller, kept with the decision'

/** Short for `myrmex approvals approve`. */
export const approveCommand = (): Command =>
  new Command('approve')
    .description('Allow exactly these calls, once each (short for approvals approve).')
    .argument('<id...>', ID_HELP)
    .option('--note <text>', NOTE_HELP)
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

  for (const [name, description] of [
    ['approve', 'Allow exactly these calls, once each.'],
    ['deny', 'Deny these calls.'],
  ] as const) {
    sub(name, description)
      .argument('<id...>', ID_HELP)
      .option('--note <text>', NOTE_HELP)
      .addOption(ledgerKeyOption())
      .action(async (ids: string[], options) => (await import('./decide.ts')).decideApprovals(name, ids, options))
  }
  return approvals
}
