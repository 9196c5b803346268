/** The `myrmex` command. Each subcommand loads its code when it is chosen, because starting a server must stay quick. */
import { Command } from 'commander'
import { MYRMEX_VERSION } from '../protocol/versions.ts'
import { useDemoFor } from '../serve/demo.ts'
import { exitOnClosedPipe, fail } from '../serve/terminal.ts'
import { approvalsCommand, approveCommand } from './approvals/command.ts'
import { auditCommand } from './audit/command.ts'
import { folderCommand } from './folder/command.ts'
import { hostCommand } from './host/command.ts'
import { operatorCommand } from './operator/command.ts'
import { addPackageCommands } from './package-command.ts'
import { runCommand } from './run/command.ts'
import { ceoCommand, runsCommand } from './runs/command.ts'
import { specCommand } from './spec.ts'
import { callCommand, serveCommand, toolsCommand } from './tools/command.ts'
import { statusCommand, trustCommand, untrustCommand, verifyCommand } from './trust/command.ts'

/** Commands that serve. They go on without a reader on stdout, or their transport notices it. */
const SERVING: ReadonlySet<string> = new Set(['serve', 'host', 'ceo', 'start'])

const program = new Command('myrmex')
  .description('Tools and agents that people can trust, over the Model Context Protocol.')
  .version(MYRMEX_VERSION)
  .enablePositionalOptions()
  .hook('preAction', (_, command) => {
    if (!SERVING.has(command.name())) exitOnClosedPipe()
  })

for (const command of [
  serveCommand(),
  toolsCommand(),
  callCommand(),
  trustCommand(),
  untrustCommand(),
  verifyCommand(),
  statusCommand(),
  approvalsCommand(),
  approveCommand(),
  operatorCommand(),
  hostCommand(),
  folderCommand(),
  runCommand(),
  runsCommand(),
  ceoCommand(),
  auditCommand(),
  specCommand(),
])
  program.addCommand(command)

/** Every command names its own help, not only that of the program. */
function showUsageAfterErrors(command: Command, name: string): void {
  command.showHelpAfterError(`(run ${name} --help for usage)`)
  for (const sub of command.commands) showUsageAfterErrors(sub, `${name} ${sub.name()}`)
}

const words = process.argv.slice(2)
useDemoFor(words)
addPackageCommands(program, words)
  .then(() => {
    showUsageAfterErrors(program, 'myrmex')
    return program.parseAsync()
  })
  .catch((error) => {
    process.exitCode = fail(error).exitCode
  })
