/** `myrmex audit`: its subcommands and their options. Their code is loaded when one is chosen. */
import { Command, Option } from 'commander'
import { FILTERS, OUTCOMES } from '../../ledger/audit/call-record.ts'
import { collect, ledgerKeyOption, ledgerOption, parseCount, parsePositiveCount } from '../../serve/options.ts'

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
    .option('--limit <count>', 'at most this many, the newest', parsePositiveCount, 50)
    .option('--json', 'print JSON, one line per call')
    .action(async (options) => (await import('./query.ts')).query(options))

  sub('export', 'Export all audit records, or those of a period.')
    .option('--since <time>', TIME_HELP)
    .option('--until <time>', UNTIL_HELP)
    .addOption(new Option('--format <format>', 'file format').choices(['jsonl', 'csv']).default('jsonl'))
    .option('--proof', 'add hashes and signatures, so that the file can be verified without the ledger')
    .option('--out <file>', 'a new file (default: standard output)')
    .action(async (options) => (await import('./export.ts')).exportAudit(options))

  sub('verify', 'Check every record, MAC and signature. Exits with 1 and reports the first defect.')
    .addOption(ledgerKeyOption())
    .option('--key <file or id>', 'a public key that must have signed; can be repeated', collect)
    .option('--head <chain:group:hash>', 'an earlier head that must still be there; can be repeated', collect)
    .option('--anchors <file>', 'anchors that were stored elsewhere and must still hold; can be repeated', collect)
    .option('--file <file>', 'check an export made with --proof instead of a ledger')
    .option('--json', 'print JSON')
    .action(async (options) => (await import('./verify-audit.ts')).verifyAudit(options))

  sub('reindex', 'Make the index for queries again from the records.')
    .addOption(ledgerKeyOption())
    .option('--decisions', 'also make the tables of trust, grants and approvals again from the recorded decisions')
    .action(async (options) => (await import('./reindex.ts')).reindex(options))

  sub('accept-break', 'Start a new chain after the journal was changed from outside, and record what was found.')
    .addOption(ledgerKeyOption())
    .requiredOption('--reason <text>', 'why the change is accepted; it is recorded')
    .option('--new-key', 'the old key is lost: continue with a new one')
    .option('--yes', 'accept; without it, only report what would be accepted')
    .action(async (options) => (await import('./accept-break.ts')).acceptJournalBreak(options))

  sub('prune', 'Remove old records in whole segments. A signed stub states what was removed.')
    .addOption(ledgerKeyOption())
    .addOption(new Option('--before <time>', TIME_HELP).conflicts('keepDays'))
    .option('--keep-days <days>', 'keep records younger than this many days', parseCount)
    .option('--yes', 'remove them; without it, only report what would be removed')
    .action(async (options) => (await import('./prune.ts')).pruneAudit(options))

  return audit
}
