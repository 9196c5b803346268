/** `myrmex operator`: its subcommands and their options. Their code is loaded when one is chosen. */
import { Command } from 'commander'
import { ledgerKeyOption, ledgerOption } from '../../serve/options.ts'

export function operatorCommand(): Command {
  const operator = new Command('operator').description(
    'Lock the ledger with a key of your own, so that only people who know its passphrase can approve, trust and grant.',
  )
  const sub = (name: string, description: string): Command =>
    operator.command(name).description(description).addOption(ledgerOption()).addOption(ledgerKeyOption())

  sub('init', 'Create the key and lock the ledger. You are asked for a passphrase twice.').action(async (options) =>
    (await import('./init.ts')).initOperator(options),
  )
  sub('status', 'Show whether the ledger is locked, and decisions that do not count without your signature.')
    .option('--json', 'print JSON')
    .action(async (options) => (await import('./status.ts')).showOperator(options))
  sub('sign', 'Show decisions that are not signed, and sign them.').action(async (options) =>
    (await import('./sign.ts')).signUnsigned(options),
  )
  sub('rotate', 'Replace the key and its passphrase, and sign your decisions again.').action(async (options) =>
    (await import('./rotate.ts')).rotateOperator(options),
  )
  sub('remove', 'Unlock the ledger: it is in open mode from then on.').action(async (options) =>
    (await import('./rotate.ts')).removeOperator(options),
  )
  return operator
}
