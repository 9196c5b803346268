/** `myrmex approvals`: its subcommands and their options. What they do is loaded when one is chosen. */
import { Command } from 'commander'
import { ledgerOption } from '../../serve/ledger.ts'

export function approvalsCommand(): Command {
  const approvals = new Command('approvals').description(
    'Calls that wait for a human: look at them, let them pass or not.',
  )
  const sub = (name: string, description: string): Command =>
    approvals.command(name).description(description).addOption(ledgerOption())

  sub('list', 'List what waits, the oldest first.')
    .option('--all', 'those decided, used and expired too')
    .option('--json', 'print JSON')
    .action(async (options) => (await import('./show.ts')).listApprovals(options))

  sub('show', 'Show requests in full.')
    .argument('<id...>', 'as approvals list shows them')
    .option('--json', 'print JSON')
    .action(async (ids: string[], options) => (await import('./show.ts')).showApprovals(ids, options))

  for (const [name, description] of [
    ['approve', 'Let exactly these calls pass, once each.'],
    ['deny', 'Refuse these calls.'],
  ] as const) {
    sub(name, description)
      .argument('<id...>', 'as approvals list shows them')
      .option('--note <text>', 'a word to the caller and to those who look later')
      .action(async (ids: string[], options) => (await import('./decide.ts')).decideApprovals(name, ids, options))
  }
  return approvals
}
