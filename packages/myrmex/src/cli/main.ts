/** The `myrmex` command. Each subcommand loads what it needs when it is chosen: starting a server must stay quick. */
import { Command, Option } from 'commander'
import { approvalsCommand } from './approvals.ts'
import { auditCommand } from './audit.ts'
import { addCommandOf } from './extend.ts'
import { ledgerKeyOption, ledgerOption } from './ledger.ts'
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
program.addCommand(runCommand())
program.addCommand(runsCommand())
program.addCommand(ceoCommand())
program.addCommand(auditCommand())
program.addCommand(specCommand())

function policyOption(): Option {
  return new Option('--policy <file>', "the operator's rules (default: myrmex.policy.json, if it is there)").env(
    'MYRMEX_POLICY',
  )
}

function constitutionOption(): Option {
  return new Option(
    '--constitution <file>',
    'what no call may do (default: myrmex.constitution.json, if it is there)',
  ).env('MYRMEX_CONSTITUTION')
}

function port(text: string): number {
  const number = Number(text)
  if (!Number.isInteger(number) || number < 0 || number > 65535)
    throw fail(`--http wants a port from 0 to 65535, not ${text}`)
  return number
}

addCommandOf(program, process.argv[2])
  .then(() => program.parseAsync())
  .catch((error) => {
    process.exitCode = fail(error).exitCode
  })
