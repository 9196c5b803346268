/** The subcommands of `myrmex host` for daily work: control servers, read logs, change the configuration, run as a service. */
import { type Command, Option } from 'commander'
import { TRUST_VALUES } from '../../host/settings.ts'
import { collect, ledgerOption, parseWhole } from '../../serve/options.ts'

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

  host
    .command('add')
    .description('Add a server to myrmex.json. A running host starts it by itself.')
    .usage('<name> [options] (--url <url> | -- <command> [argument...])')
    .argument('<name>', 'its name')
    .argument('[command...]', 'after --: the program and its arguments')
    .option('--url <url>', 'the server is at this URL')
    .option('--env <name=value>', 'a variable of the program; can be repeated', collect)
    .option('--header <name=value>', 'sent with every request to the URL; can be repeated', collect)
    .option('--cwd <folder>', 'working directory of the program (default: the folder of myrmex.json)')
    .addOption(new Option('--trust <what>', 'which of its tools are trusted when first seen').choices(TRUST_VALUES))
    .addOption(
      new Option('--secrets <where>', 'where secrets in --env and --header are stored (default: files)').choices([
        'files',
        'env',
        'keep',
      ]),
    )
    .addOption(configOption())
    .action(async (name: string, command: string[], options) =>
      (await import('./edit-servers.ts')).addServer(name, command, options),
    )

  host
    .command('remove')
    .description('Remove servers from myrmex.json. A running host ends them by itself.')
    .argument('<server...>', 'names as in myrmex.json')
    .addOption(configOption())
    .action(async (names: string[], options) => (await import('./edit-servers.ts')).removeServer(names, options))

  for (const [word, isEnabled] of [
    ['enable', true],
    ['disable', false],
  ] as const)
    host
      .command(word)
      .description(
        isEnabled ? 'Enable a server in myrmex.json.' : 'Disable a server in myrmex.json: it is not started.',
      )
      .argument('<server>', 'its name')
      .addOption(configOption())
      .action(async (name: string, options) => (await import('./edit-servers.ts')).setEnabled(name, isEnabled, options))

  host
    .command('suggest')
    .description(
      'Suggest settings for tools whose server does not say whether they change state, and write those you accept.',
    )
    .argument('[server...]', 'names as in myrmex.json (default: all)')
    .option('--yes', 'accept without a question')
    .option('--dry-run', 'show the suggestions and write nothing')
    .option('--json', 'print JSON (with --dry-run or --yes)')
    .addOption(configOption())
    .addOption(ledgerOption())
    .action(async (servers: string[], options) => (await import('./suggest.ts')).suggest(servers, options))
}
