/** `myrmex host`: its subcommands and their options. Their code is loaded when one is chosen. */
import { Command, Option } from 'commander'
import { TRUST_VALUES } from '../../host/settings.ts'
import {
  accessOptions,
  collect,
  configOption,
  ledgerKeyOption,
  ledgerOption,
  parsePort,
  pipelineOptions,
  stateOption,
} from '../../serve/options.ts'
import { print } from '../../serve/terminal.ts'
import { dailyCommands } from './daily-commands.ts'

const switchOptions = (command: Command): Command =>
  command
    .option('--reason <text>', 'why; callers see it')
    .addOption(configOption())
    .addOption(stateOption())
    .addOption(ledgerOption())
    .addOption(ledgerKeyOption())
    .option('--json', 'print JSON')

const CLIENT_HELP = `
CLIENT is one of claude-desktop, claude-code, cursor, vscode, windsurf, gemini, cline, roo, lm-studio, zed, opencode,
copilot, codex, goose, kiro.`

export function hostCommand(): Command {
  const host = new Command('host')
    .description(
      'Serve many MCP servers at one endpoint, with your rules: which tools are trusted, which calls need approval, how many are allowed. Every call is recorded.',
    )
    .enablePositionalOptions()
    .addOption(configOption())
    .addOption(
      new Option('--http <port>', 'listen on this port (0: any free port)').argParser(parsePort).conflicts('stdio'),
    )
    .option('--stdio', 'speak on stdin and stdout (the default)')
    .option(
      '--host <address>',
      'address to listen on (default: 127.0.0.1); any but loopback needs callers to sign in (MYRMEX_TOKEN, principals or JWT)',
    )
    .option('--name <name>', "the host's name (default: myrmex)")
    .addOption(
      new Option('--list <what>', 'search: list only two tools, one to search and one to call what was found').choices([
        'all',
        'search',
      ]),
    )
    .option('--profile <name>', 'on stdio: the client sees and calls only this tool set of myrmex.json')
    .option(
      '--open',
      'in open mode: trust tools that change state as myrmex.json says, although any process of this user can approve their calls',
    )
    .addOption(stateOption())
    .option('--no-watch', 'do not reload the configuration when it changes')
    .addOption(
      new Option(
        '--service [manager]',
        'print the file with which systemd or launchd runs this command, and start nothing',
      )
        .choices(['systemd', 'launchd'])
        .preset(process.platform === 'darwin' ? 'launchd' : 'systemd'),
    )
    .addHelpText('after', START_HELP)
    .action(async ({ service, ...options }) => {
      if (service === undefined) return (await import('./serve.ts')).serveHost(options)
      return (await import('./service.ts')).printService(service, options, process.argv.slice(3))
    })
  pipelineOptions(accessOptions(host))

  host
    .command('import')
    .description('Find the servers that clients on this machine use, and add them to myrmex.json.')
    .option('--from <file-or-client>', 'only from this file or client; can be repeated', collect)
    .addOption(configOption())
    .addOption(new Option('--trust <what>', 'which of their tools are trusted when first seen').choices(TRUST_VALUES))
    .addOption(
      new Option(
        '--secrets <where>',
        'files: a private file for each. env: variables that you set. keep: in myrmex.json',
      ).choices(['files', 'env', 'keep']),
    )
    .option('--yes', 'add all of them without asking')
    .addHelpText('after', CLIENT_HELP)
    .action(async (options) => (await import('./import.ts')).importServers(options))

  host
    .command('install')
    .description("Add this host to a client's configuration. A backup of the file is kept beside it.")
    .argument('<client>', 'see below')
    .addOption(configOption())
    .addOption(
      new Option('--http <where>', 'the client connects to the host at this URL, or at this local port').conflicts(
        'stdio',
      ),
    )
    .option('--stdio', 'the client starts the host itself (the default)')
    .option('--project', "write the project's file in the working directory instead of the user's")
    .option('--file <file>', 'write this file')
    .option('--as <name>', 'name of the host in that file', 'myrmex')
    .option('--remove', 'remove the host from it')
    .option('--take-over', "move the client's other servers behind the host")
    .option('--undo', 'restore the file as it was before the host was installed')
    .addOption(
      new Option('--trust <what>', 'with --take-over: which of their tools are trusted when first seen').choices(
        TRUST_VALUES,
      ),
    )
    .addOption(
      new Option('--secrets <where>', 'with --take-over: where their secrets are stored (default: files)').choices([
        'files',
        'env',
        'keep',
      ]),
    )
    .option('--dry-run', 'show what would change and write nothing')
    .addHelpText('after', CLIENT_HELP)
    .action(async (client: string, options) => (await import('./install.ts')).install(client, options))

  host
    .command('status')
    .description(
      'Show the state of each server of the running host, its last error, and which tools wait for a decision.',
    )
    .addOption(configOption())
    .addOption(stateOption())
    .option('--details', 'also every problem of a single tool, resource or prompt')
    .option('--json', 'print JSON')
    .action(async (options) => (await import('./status.ts')).showHostStatus(options))

  dailyCommands(host, { configOption, stateOption })
  for (const [name, description] of [
    ['stop-everything', 'Reject every call of every caller at once, and abort those in flight.'],
    ['resume-everything', 'Accept calls again.'],
  ] as const)
    switchOptions(host.command(name).description(description)).action(async (options) => {
      const { resumeEverything, stopEverything } = await import('./switch.ts')
      await (name === 'stop-everything' ? stopEverything(options) : resumeEverything(options))
    })

  switchOptions(
    host
      .command('read-only')
      .description('Reject calls that change state, at once. Calls in flight finish.')
      .argument('<state>', 'on or off')
      .option('--profile <name>', 'for the callers of this profile only'),
  ).action(async (state: string, options) => (await import('./switch.ts')).readOnly(state, options))

  loginOptions(host.command('login'))
    .description('Sign in to a server that asks for it, with a browser, a pasted address or a code.')
    .addOption(new Option('--device', 'type a code on any device').conflicts('paste'))
    .option('--paste', 'paste the address that the browser ends at, where the browser is on another machine')
    .option('--no-browser', 'print the link and open nothing')
    .action(async (server: string, options) => (await import('./login.ts')).login(server, options))

  loginOptions(host.command('logout'))
    .description('Sign out of a server: revoke the tokens and remove them.')
    .action(async (server: string, options) => (await import('./login.ts')).logout(server, options))

  host
    .command('schema')
    .description('Print the JSON Schema of myrmex.json, for editors.')
    .action(async () => {
      const { hostJsonSchema } = await import('../../host/config/host-schema.ts')
      print(JSON.stringify(hostJsonSchema(), null, 2))
    })

  return host
}

const loginOptions = (command: Command): Command =>
  command
    .argument('<server>', 'its name in myrmex.json')
    .addOption(configOption())
    .addOption(stateOption())
    .option('--for <principal>', 'with the account of this caller, if auth.per_caller is set')
    .addOption(ledgerOption())
    .addOption(ledgerKeyOption())
    .option('--json', 'print JSON, one value a line')

const START_HELP = `
  npx myrmex host import                       add the servers of your clients
  npx myrmex host --http 7350                  serve them at http://127.0.0.1:7350/mcp
  npx myrmex host install cursor --http 7350   make a client use that host
  npx myrmex host status                       show the state of each server`
