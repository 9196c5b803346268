/** The `myrmex` command. Each subcommand loads what it needs when it is chosen: starting a server must stay quick. */

import { Command } from 'commander'
import { MYRMEX_VERSION } from '../protocol/versions.ts'
import { ledgerKeyOption, ledgerOption } from '../serve/ledger.ts'
import { fail } from '../serve/terminal.ts'
import { approvalsCommand } from './approvals/command.ts'
import { auditCommand } from './audit/command.ts'
import { hostCommand } from './host/command.ts'
import { constitutionOption, parsePort, policyOption } from './options.ts'
import { addPackageCommand } from './package-command.ts'
import { runCommand } from './run/command.ts'
import { ceoCommand, runsCommand } from './runs/command.ts'
import { specCommand } from './spec.ts'
import { splitAtDashes, targetOptions } from './tools/target-options.ts'
import { statusCommand, trustCommand, untrustCommand, verifyCommand } from './trust/command.ts'

const program = new Command('myrmex')
  .description('Tools and agents that people can trust, over the Model Context Protocol.')
  .version(MYRMEX_VERSION)
  .showHelpAfterError('(myrmex --help says more)')
  .enablePositionalOptions()

program
  .command('serve')
  .description('Serve the tools of these files or folders: on stdio, or over HTTP with --http.')
  .argument('<file...>', 'tool or agent files (*.tools.ts, *.agent.ts, or .js) or folders that hold some')
  .option('--http <port>', 'listen on this port instead of stdio (0: any free one)', parsePort)
  .option('--host <address>', 'address to listen on; anything but loopback needs MYRMEX_TOKEN', '127.0.0.1')
  .option('--name <name>', 'name the server gives itself', 'myrmex')
  .option('--watch', 'load files again when they change')
  .addOption(ledgerOption())
  .addOption(ledgerKeyOption())
  .addOption(policyOption())
  .addOption(constitutionOption())
  .action(async (files: string[], options) => (await import('./tools/serve.ts')).serve(files, options))

const target = (command: Command): Command => targetOptions(command).option('--json', 'print JSON')

target(program.command('tools'))
  .description('List the tools of files, of a server at a URL, or of a command.')
  .argument('[file...]', 'tool files or folders')
  .action(async (files: string[], options) => (await import('./tools/list.ts')).tools(splitAtDashes(files), options))

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
    (await import('./tools/call.ts')).call(name, json, splitAtDashes(rest), options),
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

addPackageCommand(program, process.argv[2])
  .then(() => program.parseAsync())
  .catch((error) => {
    process.exitCode = fail(error).exitCode
  })
