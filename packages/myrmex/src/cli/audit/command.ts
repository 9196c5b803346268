/** `myrmex audit`: its subcommands and their options. Their code is loaded when one is chosen. */
import { Command, Option } from 'commander'
import { FILTERS, OUTCOMES } from '../../ledger/audit/call-record.ts'
import { collect, ledgerKeyOption, ledgerOption, parseCount } from '../../serve/options.ts'

const TIME_HELP = 'a date, a date and time, or how long ago: 2026-03-31, 2026-03-31T14:00, 2h, 3d'
const UNTIL_HELP = 'the same; a date includes the whole day'

export function auditCommand(): Command {
  const audit = new Command('audit').description(
    'Read the audit records of every call, and check that nobody changed them.',
  )
  const sub = (name: string, description: string): Command =>
    audit.command(name).description(description).addOption(ledgerOption())

  sub('tail', 'Print the newest calls.')
    .option('-n, --lines <count>', 'how many', parseCount, 20)
    .option('-f, --follow', 'keep printing calls as they are recorded')
    .option('--json', 'print JSON, one line per call')
    .action(async (options) => (await import('./tail.ts')).tail(options))

  const query = sub('query', 'Find calls. A single match is shown in full.')
  for (const { flag, value, help } of FILTERS) {
    const option = new Option(`--${flag} <${value}>`, help)
    query.addOption(flag === 'outcome' ? option.choices(OUTCOMES) : option)
  }
  query
    .option('--since <time>', TIME_HELP)
    .option('--until <time>', UNTIL_HELP)
    .option('--limit <count>', 'at most this many, the newest', parseCount, 50)
    .option('--json', 'print JSON, one line per call')
    .action(async (options) => (await import('./query.ts')).query(options))

  sub('export', 'Export all audit records, or those of a period.')
    .option('--since <time>', TIME_HELP)
    .option('--until <time>', UNTIL_HELP)
    .addOption(new Option('--format <format>', 'file format').choices(['jsonl', 'csv']).default('jsonl'))
    .option('--proof', 'add hashes and signatures, so that the file can be verified without the ledger')
    .option('--out <file>', 'a new file (default: standard output)')
    .action(async (options) => (await import('./export.ts')).exportAudit(options))

  sub('verify', 'Check every record, hash and signature. Exits with 1 and reports the first defect.')
    .option('--key <file or id>', 'a public key that must have signed; can be repeated', collect)
    .option('--head <seq:hash>', 'an earlier head that must still be in the chain')
    .option('--file <file>', 'check an export made with --proof instead of a ledger')
    .option('--json', 'print JSON')
    .action(async (options) => (await import('./verify-audit.ts')).verifyAudit(options))

  sub('prune', 'Remove old records in whole segments, and leave a signed stub for each.')
    .addOption(ledgerKeyOption())
    .addOption(new Option('--before <time>', TIME_HELP).conflicts('keepDays'))
    .option('--keep-days <days>', 'keep records younger than this many days', parseCount)
    .option('--yes', 'remove them; without it, only report what would be removed')
    .action(async (options) => (await import('./prune.ts')).pruneAudit(options))

  return audit
}
