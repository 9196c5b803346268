/** `myrmex dropship`: what this package adds to the command line. What a subcommand does is loaded when it is chosen. */
import { type Command, InvalidArgumentError } from 'commander'
import { environmentOptions, ledgerKeyOption, ledgerOption } from 'myrmex/serve'

export function addCommand(program: Command): void {
  const dropship = program
    .command('dropship')
    .description('A drop-shipping shop that seven agents run: start it, let its market go on, read its report.')
    .enablePositionalOptions()
  environmentOptions(
    dropship
      .command('start')
      .description('Serve the fleet, the shop and its storefront on one port, until a signal.')
      .option('--port <port>', 'port to listen on (0: any free one)', port, 7350)
      .option('--host <address>', 'address to listen on; anything but loopback needs MYRMEX_TOKEN', '127.0.0.1'),
  ).action(async (options) => (await import('./start/start.ts')).start(options))
  dropship
    .command('simulate')
    .description('Let the market go on for some days: visitors, orders, tickets, competitors.')
    .requiredOption('--days <count>', 'how many days, 1 to 3650', days)
    .option('--operate', 'the staff fulfils orders and answers tickets meanwhile, instead of the fleet')
    .option('--json', 'print JSON')
    .action(async (options) => (await import('./cli/simulate.ts')).simulate(options))
  dropship
    .command('report')
    .description('Print the report of a time, and write its charts as SVG files.')
    .argument(
      '[date_range]',
      'last_7_days, last_30_days, last_month, 2026-10, 2026-10-01..2026-10-15, …',
      'last_30_days',
    )
    .option('--out <folder>', 'write report.md and the charts there')
    .option('--json', 'print JSON')
    .action(async (range: string, options) => (await import('./cli/report.ts')).report(range, options))
  dropship
    .command('init')
    .description('Make a shop here: its file, a fleet file and a constitution, and trust its tools as they are.')
    .option('--seed <number>', 'the world it stands in', seed, 1)
    .addOption(ledgerOption())
    .addOption(ledgerKeyOption())
    .action(async (options) => (await import('./cli/init.ts')).init(options))
}

const whole = (text: string, least: number, most: number, what: string): number => {
  const number = Number(text)
  if (!Number.isInteger(number) || number < least || number > most || text.trim() === '')
    throw new InvalidArgumentError(`Give ${what} from ${least} to ${most}.`)
  return number
}

const port = (text: string): number => whole(text, 0, 65_535, 'a port')
const days = (text: string): number => whole(text, 1, 3650, 'a number of days')
const seed = (text: string): number => whole(text, 0, 2 ** 31 - 1, 'a whole number')
