/** The `myrmex` command: its built-in commands and those of packages. Each loads its code when it is chosen. */
import { Command } from 'commander'
import { takeHandOverKey } from '../protocol/hand-over.ts'
import { MYRMEX_VERSION } from '../protocol/versions.ts'
import { useDemoFor } from '../serve/demo.ts'
import { exitOnClosedPipe, fail } from '../serve/terminal.ts'
import { builtInCommands } from './built-in-commands.ts'

/** Commands that serve. They go on without a reader on stdout, or their transport notices it. */
const SERVING: ReadonlySet<string> = new Set(['serve', 'host', 'ceo', 'start'])

// Nothing that a command loads or starts may inherit it.
takeHandOverKey()

const program = new Command('myrmex')
  .description('Tools and agents that people can trust, over the Model Context Protocol.')
  .version(MYRMEX_VERSION)
  .enablePositionalOptions()
  .hook('preAction', (_, command) => {
    if (!SERVING.has(command.name())) exitOnClosedPipe()
  })

/** Every command names its own help, not only that of the program. */
function showUsageAfterErrors(command: Command, name: string): void {
  command.showHelpAfterError(`(run ${name} --help for usage)`)
  for (const sub of command.commands) showUsageAfterErrors(sub, `${name} ${sub.name()}`)
}

async function addCommands([first, second]: readonly string[]): Promise<void> {
  const chosen = first === 'help' ? second : first
  for (const command of await builtInCommands(chosen)) program.addCommand(command)
  if (program.commands.some((command) => command.name() === chosen)) return
  const { addPackageCommands } = await import('./package-command.ts')
  await addPackageCommands(program, chosen)
}

const words = process.argv.slice(2)
useDemoFor(words)
addCommands(words)
  .then(() => {
    showUsageAfterErrors(program, 'myrmex')
    return program.parseAsync()
  })
  .catch((error) => {
    process.exitCode = fail(error).exitCode
  })
