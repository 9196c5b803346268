/** `myrmex dropship`: what this package adds to the command line. The code of a subcommand is loaded when it is chosen. */
import type { Command } from 'commander'
import {
  accessOptions,
  environmentOptions,
  isDemoThere,
  ledgerKeyOption,
  ledgerOption,
  parsePort,
  parseWhole,
  useDemo,
} from 'myrmex/serve'

export function addCommand(program: Command): void {
  const dropship = program
    .command('dropship')
    .description('A drop-shipping shop that seven agents run: start it, simulate its market, read its report.')
    .enablePositionalOptions()
  const started = dropship
    .command('start')
    .description('Serve the fleet, the shop and its storefront on one port, until Ctrl-C or SIGTERM.')
    .option('--port <port>', 'port to listen on (0: any free port)', parsePort, 7350)
    .option(
      '--host <address>',
      'address to listen on; any but loopback needs callers to sign in (MYRMEX_TOKEN, principals or JWT)',
      '127.0.0.1',
    )
  environmentOptions(accessOptions(started)).action(async (options) =>
    (await import('./start/start.ts')).start(options),
  )
  dropship
    .command('simulate')
    .description('Simulate some days of the market: visitors, orders, tickets, competitors.')
    .requiredOption('--days <count>', 'how many days, 1 to 3650', parseWhole(1, 3650, 'a number of days'))
    .option('--operate', 'let the staff fulfil orders and answer tickets, instead of the fleet')
    .option('--json', 'print JSON')
    .action(async (options) => {
      if (isDemoThere()) useDemo()
      await (await import('./cli/simulate.ts')).simulate(options)
    })
  dropship
    .command('report')
    .description('Print the report of a period; with --out also write it and its charts to files.')
    .argument(
      '[date_range]',
      'last_7_days, last_30_days, last_month, 2026-10, 2026-10-01..2026-10-15, …',
      'last_30_days',
    )
    .option('--out <folder>', 'write report.md and the charts to this folder')
    .option('--json', 'print JSON')
    .action(async (range: string, options) => {
      if (isDemoThere()) useDemo()
      await (await import('./cli/report.ts')).report(range, options)
    })
  dropship
    .command('init')
    .description(
      'Create a shop in the working directory: its database, a fleet file and a constitution. Trust its tools.',
    )
    .option('--seed <number>', 'which simulated world it is in', parseWhole(0, 2 ** 31 - 1, 'a whole number'), 1)
    .addOption(ledgerOption())
    .addOption(ledgerKeyOption())
    .action(async (options) => (await import('./cli/init.ts')).init(options))
}
