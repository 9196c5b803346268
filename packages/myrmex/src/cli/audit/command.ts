/** `myrmex audit`: its subcommands and their options. What they do is loaded when one is chosen. */
import { Command, InvalidArgumentError, Option } from 'commander'
import { OUTCOMES } from '../../ledger/audit/outcomes.ts'
import { ledgerKeyOption, ledgerOption } from '../../serve/ledger.ts'

const MOMENT = 'a date, a date and time, or how long ago: 2026-03-31, 2026-03-31T14:00, 2h, 3d'

export function auditCommand(): Command {
  const audit = new Command('audit').description(
    'Look into the record of every call, and check that nobody changed it.',
  )
  const sub = (name: string, description: string): Command =>
    audit.command(name).description(description).addOption(ledgerOption())

  sub('tail', 'Print the newest calls.')
    .option('-n, --lines <count>', 'how many', count, 20)
    .option('-f, --follow', 'go on printing as calls come in')
    .option('--json', 'print JSON, one line a call')
    .action(async (options) => (await import('./tail.ts')).tail(options))

  sub('query', 'Find calls. One that is found alone is shown in full.')
    .option('--tool <name>', 'name of the tool; shop.* finds all of a module')
    .option('--since <moment>', MOMENT)
    .option('--until <moment>', 'the same; a date is included to its end')
    .option('--principal <id>', 'who called')
    .addOption(new Option('--outcome <outcome>', 'how it ended').choices(OUTCOMES))
    .option('--error <type>', 'error_type, such as SchemaError')
    .option('--run <id>', 'the run it was part of')
    .option('--call <id>', 'the call itself')
    .option('--approval <id>', 'the approval or grant that let it through')
    .option('--limit <count>', 'only the newest so many', count, 50)
    .option('--json', 'print JSON, one line a call')
    .action(async (options) => (await import('./query.ts')).query(options))

  sub('export', 'Write out the whole record, or a part of it.')
    .option('--since <moment>', MOMENT)
    .option('--until <moment>', 'the same; a date is included to its end')
    .addOption(new Option('--format <format>', 'of the file').choices(['jsonl', 'csv']).default('jsonl'))
    .option('--proof', 'add hashes and signatures, so that the file can be verified without the ledger')
    .option('--out <file>', 'a new file (default: standard output)')
    .action(async (options) => (await import('./export.ts')).exportAudit(options))

  sub('verify', 'Check every line, hash and signature. Exits 1 and names the first thing that is wrong.')
    .option('--key <file or id>', 'a public key that must have signed; may be given again', collect)
    .option('--head <seq:hash>', 'a head that was noted earlier and must still be there')
    .option('--file <file>', 'check an export made with --proof instead of a ledger')
    .option('--json', 'print JSON')
    .action(async (options) => (await import('./verify-audit.ts')).verifyAudit(options))

  sub('prune', 'Remove what is old, in whole segments, and leave a signed stub of each.')
    .addOption(ledgerKeyOption())
    .addOption(new Option('--before <moment>', MOMENT).conflicts('keepDays'))
    .option('--keep-days <days>', 'keep what is younger than so many days', count)
    .option('--yes', 'do it; otherwise it only says what it would do')
    .action(async (options) => (await import('./prune.ts')).pruneAudit(options))

  return audit
}

function count(text: string): number {
  const number = Number(text)
  if (!Number.isSafeInteger(number) || number < 0 || text.trim() === '') {
    throw new InvalidArgumentError('Give a whole number, 0 or more.')
  }
  return number
}

const collect = (text: string, before: string[] = []): string[] => [...before, text]
