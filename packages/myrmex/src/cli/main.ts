/** The `myrmex` command: its built-in commands and those of packages. Each loads its code when it is chosen. */
import { Command } from 'commander'
import { takeHandOverKey } from '../protocol/hand-over.ts'
import { MYRMEX_VERSION } from '../protocol/versions.ts'
import { useDemoFor } from '../serve/demo.ts'
import { exitOnClosedPipe, fail, ignoreClosedStderr } from '../serve/terminal.ts'
import { builtInCommands } from './built-in-commands.ts'

/** Commands that serve. They go on without a reader on stdout, or their transport notices it. */
const SERVING: ReadonlySet<string> = new Set(['serve', 'host', 'ceo', 'start'])

// Nothing that a command loads or starts may inherit it.
takeHandOverKey()

/** Commands about the ledger of the working directory, or of the project that it is in, unless they name files. */
const HERE: ReadonlySet<string | undefined> = new Set([
  'approvals',
  'approve',
  'audit',
  'operator',
  'run',
  'runs',
  'status',
  'tokens',
  'trust',
  'untrust',
  'users',
  'verify',
])

const words = process.argv.slice(2)

/** `myrmex host start` is not `myrmex dropship start`. */
const isServing = (command: Command): boolean => SERVING.has(command.name()) && command.parent?.name() !== 'host'

const program = new Command('myrmex')
  .description('Tools and agents that people can trust, over the Model Context Protocol.')
  .version(MYRMEX_VERSION)
  .enablePositionalOptions()
  .hook('preAction', async (_, command) => {
    if (!isServing(command)) exitOnClosedPipe()
    if (HERE.has(words[0])) (await import('./choose-folder.ts')).useWorkingFolder(command)
  })

const GONE =
  'The working directory does not exist any more. Start in another folder, or name all files by absolute paths.'

const isWorkingDirectoryGone = (error: NodeJS.ErrnoException): boolean => error.syscall === 'uv_cwd'

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

ignoreClosedStderr()
useDemoFor(words)
addCommands(words)
  .then(() => {
    showUsageAfterErrors(program, 'myrmex')
    return program.parseAsync()
  })
  .catch((error) => {
    process.exitCode = fail(isWorkingDirectoryGone(error) ? new Error(GONE) : error).exitCode
  })
