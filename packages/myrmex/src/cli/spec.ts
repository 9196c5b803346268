/** `myrmex spec …`: documents rendered, linted, checked, imported; versions compared and locked. */
import { Command } from 'commander'
import { splitAtDashes, targetOptions } from './tools/target-options.ts'

const FILES = 'tool files (*.tools.ts, *.tools.js) or folders that hold some'

export function specCommand(): Command {
  const spec = new Command('spec').description(
    'The documents of tools: MCP_TOOL_SPECIFICATION.md, and what it promises.',
  )

  targetOptions(spec.command('render'))
    .description('Write the document of each folder of tool files, or of a server that somebody else wrote.')
    .argument('[file...]', FILES)
    .option('--out <file>', 'one document for all that was given, in this file (-: on stdout)')
    .option('--title <title>', 'what the heading of the document says')
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
    .description('For CI: documents up to date, examples executed, versions in order. Exits 1 if not.')
    .argument('<file...>', FILES)
    .option('--lock <file>', 'the lock file', LOCK)
    .option('--locked', 'every version must be released, that is, in the lock file')
    .option('--json', 'print JSON')
    .action(async (files: string[], options) => (await import('./spec/check.ts')).check(files, options))

  spec
    .command('lock')
    .description(
      'Release: add the versions that are not in the lock file yet. Refuses a version step that is too small.',
    )
    .argument('<file...>', FILES)
    .option('--lock <file>', 'the lock file', LOCK)
    .action(async (files: string[], options) => (await import('./spec/lock.ts')).lock(files, options))

  spec
    .command('diff')
    .description('What changed between two definitions, and which version it asks for. Exits 1 if it was not given.')
    .argument('<old>', 'a document, tool file, folder or lock file')
    .argument('<new>', 'another')
    .option('--note <file>', 'write a migration note to start from (-: on stdout)')
    .option('--json', 'print JSON')
    .action(async (before: string, after: string, options) =>
      (await import('./spec/diff.ts')).diff(before, after, options),
    )

  spec
    .command('import')
    .description('A *.tools.ts file to start from, with every tool of a document.')
    .argument('<file>', 'a Markdown file')
    .option('--out <file>', 'where it goes (default: stdout); one that is there is not written over')
    .action(async (file: string, options) => (await import('./spec/import.ts')).importFile(file, options))

  return spec
}

const LOCK = 'myrmex.lock.json'
