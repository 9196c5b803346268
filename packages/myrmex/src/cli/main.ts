/** The `myrmex` command. Each subcommand loads what it needs when it is chosen: starting a server must stay quick. */
import { Command } from 'commander'
import { approvalsCommand } from './approvals.ts'
import { auditCommand } from './audit.ts'
import { addCommandOf } from './extend.ts'
import { hostCommand } from './host.ts'
import { ledgerKeyOption, ledgerOption } from './ledger.ts'
import { constitutionOption, policyOption, port } from './operator-options.ts'
import { runCommand } from './run.ts'
import { ceoCommand, runsCommand } from './runs.ts'
import { specCommand } from './spec.ts'
import { fail } from './terminal.ts'
import { statusCommand, trustCommand, untrustCommand, verifyCommand } from './trust.ts'
import { remote, split } from './words.ts'

const program = new Command('myrmex')
  .description('Tools and agents that people can trust, over the Model Context Protocol.')
  .version('0.1.0')
  .showHelpAfterError('(myrmex --help says more)')
  .enablePositionalOptions()

program
  .command('serve')
  .description('Serve the tools of these files or folders: on stdio, or over HTTP with --http.')
  .argument('<file...>', 'tool or agent files (*.tools.ts, *.agent.ts, or .js) or folders that hold some')
  .option('--http <port>', 'listen on this port instead of stdio (0: any free one)', port)
  .option('--host <address>', 'address to listen on; anything but loopback needs MYRMEX_TOKEN', '127.0.0.1')
  .option('--name <name>', 'name the server gives itself', 'myrmex')
  .option('--watch', 'load files again when they change')
  .addOption(ledgerOption())
  .addOption(ledgerKeyOption())
  .addOption(policyOption())
  .addOption(constitutionOption())
  .action(async (files: string[], options) => (await import('./serve.ts')).serve(files, options))

const target = (command: Command): Command => remote(command).option('--json', 'print JSON')

target(program.command('tools'))
  .description('List the tools of files, of a server at a URL, or of a command.')
  .argument('[file...]', 'tool files or folders')
  .action(async (files: string[], options) => (await import('./tools.ts')).tools(split(files), options))

target(program.command('call'))
  .description('Call a tool and print its result. Exits 1 when the tool fails.')
  .argument('<name>', 'canonical, flat or bare name of the tool')
  .argument('[json]', 'arguments as a JSON object; - reads them from stdin', '{}')
  .argument('[rest...]', 'a command, after --')
  .option('--file <file...>', 'tool files or folders')
  .option('--timeout <ms>', 'how long to wait for the answer', Number)
  .addOption(ledgerOption())
  .addOption(ledgerKeyOption())
  .addOption(policyOption())
  .addOption(constitutionOption())
  .action(async (name: string, json: string, rest: string[], options) =>
    (await import('./call.ts')).call(name, json, split(rest), options),
  )

for (const command of [trustCommand(), untrustCommand(), verifyCommand(), statusCommand(), approvalsCommand()]) {
  program.addCommand(command)
}
program.addCommand(hostCommand())
program.addCommand(runCommand())
program.addCommand(runsCommand())
program.addCommand(ceoCommand())
program.addCommand(auditCommand())
program.addCommand(specCommand())

addCommandOf(program, process.argv[2])
  .then(() => program.parseAsync())
  .catch((error) => {
    process.exitCode = fail(error).exitCode
  })
