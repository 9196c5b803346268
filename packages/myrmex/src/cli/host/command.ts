/** `myrmex host …`: its options. What it does is loaded when it is chosen. */
import { Command, Option } from 'commander'
import { ledgerKeyOption, ledgerOption } from '../../serve/ledger.ts'
import { constitutionOption, parsePort, policyOption } from '../options.ts'

const configOption = (): Option =>
  new Option('--config <file>', 'the servers (default: myrmex.json)').env('MYRMEX_HOST')

const CLIENT_HELP = `
CLIENT is one of claude-desktop, claude-code, cursor, vscode, windsurf, gemini, cline, roo, lm-studio, zed, opencode,
copilot, kiro.`

export function hostCommand(): Command {
  const host = new Command('host')
    .description('Many MCP servers behind one door: namespaced, pinned, gated, limited, approved and audited.')
    .enablePositionalOptions()
    .addOption(configOption())
    .addOption(
      new Option('--http <port>', 'listen on this port (0: any free one)').argParser(parsePort).conflicts('stdio'),
    )
    .option('--stdio', 'speak on stdin and stdout; so it does unless told otherwise')
    .option('--host <address>', 'address to listen on (default: 127.0.0.1); anything but loopback needs MYRMEX_TOKEN')
    .option('--name <name>', 'name the host gives itself (default: myrmex)')
    .addOption(
      new Option('--list <what>', 'search: list only a search and what calls its finds').choices(['all', 'search']),
    )
    .option('--no-watch', 'do not read the configuration again when it changes')
    .addOption(ledgerOption())
    .addOption(ledgerKeyOption())
    .addOption(policyOption())
    .addOption(constitutionOption())
    .addHelpText('after', START_HELP)
    .action(async (options) => (await import('./serve.ts')).serveHost(options))

  host
    .command('import')
    .description('Find the servers of the clients on this machine and take them over into myrmex.json.')
    .option('--from <file-or-client>', 'only from this file or client; may be given again', collect)
    .addOption(
      new Option('--config <file>', 'where they go; what is there is kept (default: myrmex.json)').env('MYRMEX_HOST'),
    )
    .addOption(
      new Option('--trust <what>', 'what you vouch for when one of their tools is first seen').choices([
        'none',
        'verified',
        'ask',
        'trusted',
      ]),
    )
    .addOption(
      new Option(
        '--secrets <where>',
        'files: each in a file of its own, for you alone. env: in variables that you set. keep: in myrmex.json',
      ).choices(['files', 'env', 'keep']),
    )
    .option('--yes', 'take all of them over and ask nothing')
    .addHelpText('after', CLIENT_HELP)
    .action(async (options) => (await import('./import.ts')).importServers(options))

  host
    .command('install')
    .description('Write this host into the configuration of a client. A copy of it is kept beside it.')
    .argument('<client>', 'which one')
    .addOption(configOption())
    .addOption(
      new Option(
        '--http <where>',
        'the client speaks to the host at this URL, or at this port of the machine',
      ).conflicts('stdio'),
    )
    .option('--stdio', 'the client starts the host itself; so it does unless told otherwise')
    .option('--project', 'into the file of the working directory instead of that of the user')
    .option('--file <file>', 'into this file')
    .option('--as <name>', 'what the host is called there', 'myrmex')
    .option('--remove', 'take it out again')
    .option('--dry-run', 'show what would change and write nothing')
    .addHelpText('after', CLIENT_HELP)
    .action(async (client: string, options) => (await import('./install.ts')).install(client, options))

  host
    .command('status')
    .description('Show how the servers of the running host are, and what last went wrong with each.')
    .addOption(configOption())
    .option('--json', 'for programs')
    .action(async (options) => (await import('./status.ts')).showHostStatus(options))

  host
    .command('schema')
    .description('Print the JSON Schema of myrmex.json, for editors.')
    .action(async () => (await import('./schema.ts')).printSchema())

  return host
}

const START_HELP = `
  npx myrmex host import                       take over the servers of your clients
  npx myrmex host --http 7350                  serve them at http://127.0.0.1:7350/mcp
  npx myrmex host install cursor --http 7350   have a client use that host instead
  npx myrmex host status                       see how they are`

const collect = (text: string, before: string[] = []): string[] => [...before, text]
