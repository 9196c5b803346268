/** The subcommands of `myrmex host` for daily work: control servers, read logs, change the configuration, run as a service. */
import type { Command, Option } from 'commander'
import { parseWhole } from '../../serve/options.ts'

/** Each command gets options of its own. */
interface SharedOptions {
  readonly configOption: () => Option
  readonly stateOption: () => Option
}

const MAX_LINES = 100_000

const CONTROLS = {
  restart: 'End servers and start them again.',
  stop: 'End servers until they are started again. Their calls are rejected.',
  start: 'Start servers that were stopped, or that are not running.',
  refresh: 'Read the tools, resources and prompts of servers again.',
} as const

export function dailyCommands(host: Command, { configOption, stateOption }: SharedOptions): void {
  for (const control of Object.keys(CONTROLS) as (keyof typeof CONTROLS)[])
    host
      .command(control)
      .description(CONTROLS[control])
      .argument('[server...]', 'names as in `myrmex host status`')
      .option('--all', 'all servers of the host')
      .addOption(configOption())
      .addOption(stateOption())
      .option('--json', 'print JSON')
      .action(async (names: string[], options) =>
        (await import('./control.ts')).controlServers(control, names, options),
      )

  host
    .command('logs')
    .description("Show the log of a server, or the host's own.")
    .argument('[server]', 'its name; default: the host itself')
    .option('-f, --follow', 'go on with what is added')
    .option(
      '-n, --lines <number>',
      'how many of the last lines (default: 100)',
      parseWhole(0, MAX_LINES, 'a number of lines'),
    )
    .addOption(configOption())
    .addOption(stateOption())
    .option('--json', 'print JSON, one line each')
    .action(async (server: string | undefined, options) => (await import('./logs.ts')).showLogs(server, options))
}
