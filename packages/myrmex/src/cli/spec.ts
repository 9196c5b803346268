/** `myrmex spec …`: documents rendered, linted, checked, imported; versions compared and locked. */
import { Command } from 'commander'
import { splitAtDashes, targetOptions } from './tools/target-options.ts'

const FILES = 'tool files (*.tools.ts, *.tools.js) or folders that hold some'

export function specCommand(): Command {
  const spec = new Command('spec').description(
    'Write, check and compare specification documents of tools (MCP_TOOL_SPECIFICATION.md).',
  )

  targetOptions(spec.command('render'))
    .description(
      'Execute examples and write the document of each folder of tool files. Or write that of a server that somebody else wrote.',
    )
    .argument('[file...]', FILES)
    .option('--out <file>', 'write a single document to this file (-: to stdout)')
    .option('--title <title>', 'the heading of the document')
    .option('--lock <file>', 'the lock file, for the migration notes of major versions', LOCK)
    .action(async (files: string[], options) =>
      (await import('./spec/render.ts')).render(splitAtDashes(files), options),
    )

  spec
    .command('lint')
    .description('Check documents, ours or hand-written. Exits 1 if there are errors.')
    .argument('<file...>', 'Markdown files')
    .option('--json', 'print JSON')
    .option('--sarif', 'print SARIF 2.1.0, for code scanning')
    .action(async (files: string[], options) => (await import('./spec/lint.ts')).lintFiles(files, options))

  spec
    .command('check')
    .description(
      'Check that documents are up to date, execute their examples, and check versions. For CI; exits 1 on errors.',
    )
    .argument('<file...>', FILES)
    .option('--lock <file>', 'the lock file', LOCK)
    .option('--locked', 'every version must be released, that is, in the lock file')
    .option('--json', 'print JSON')
    .action(async (files: string[], options) => (await import('./spec/check.ts')).check(files, options))

  spec
    .command('lock')
    .description('Release new versions: add them to the lock file. Refuses a version step that is too small.')
    .argument('<file...>', FILES)
    .option('--lock <file>', 'the lock file', LOCK)
    .action(async (files: string[], options) => (await import('./spec/lock.ts')).lock(files, options))

  spec
    .command('diff')
    .description(
      'Compare two definitions and report the version step that the changes need. Exits 1 if the step is smaller.',
    )
    .argument('<old>', 'a document, tool file, folder or lock file')
    .argument('<new>', 'another')
    .option('--note <file>', 'write a migration note to start from (-: on stdout)')
    .option('--json', 'print JSON')
    .action(async (before: string, after: string, options) =>
      (await import('./spec/diff.ts')).diff(before, after, options),
    )

  spec
    .command('import')
    .description('Write a *.tools.ts file with every tool of a document, as a start.')
    .argument('<file>', 'a Markdown file')
    .option('--out <file>', 'file to write (default: stdout); an existing file is kept')
    .option('--module <name>', 'module of tools whose names have none (default: the folder of the document)')
    .action(async (file: string, options) => (await import('./spec/import.ts')).importFile(file, options))

  return spec
}

const LOCK = 'myrmex.lock.json'
