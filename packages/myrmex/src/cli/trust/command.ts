/** `myrmex trust|untrust|verify|status`: their options. Their code is loaded when one is chosen. */
import { Command, Option } from 'commander'
import { ledgerKeyOption, ledgerOption } from '../../serve/options.ts'

const FILES_HELP = 'tool files or folders to load first'
/** Without a variable: a fleet is opened only if it is named, or does have a tool that the ledger does not know. */
const decidedFleetOption = (): Option =>
  new Option(
    '--fleet <path>',
    'a fleet whose agents to load first, children too (default: that of this folder, for a tool that the ledger does not know)',
  )

const NO_NAME = "error: missing required argument 'name': a tool, a server or a pattern; or --all or --read-only-tools"
const ALL_AND_NAMES = 'error: --all means every tool. Leave out the names, or leave out --all.'

export function trustCommand(): Command {
  const trust = new Command('trust')
    .description(
      'Show tools, ask once, and allow them to be called: a tool, all of a server, or those that match a pattern.',
    )
    // Options after `trust status` belong to status: otherwise it would read another ledger than you named.
    .enablePositionalOptions()
    .argument('[name...]', 'tools, servers, or patterns such as github.*')
    .option('--all', 'all tools that wait for a decision')
    .option('--read-only-tools', 'only tools that change nothing')
    .option('--configured', 'sign the trust that myrmex.json gives, after showing it (locked ledgers)')
    .addOption(
      new Option('--config <file>', 'with --configured: the configuration (default: myrmex.json)').env('MYRMEX_HOST'),
    )
    .option('--open', "in open mode: trust an upstream's tool although any process of this user can approve its calls")
    .option('--until <time>', 'grant calls until then: a date, a date and time, or how long (7d)')
    .option('--for <principal>', 'grant calls of this principal only')
    .addOption(new Option('--ask', 'trust it, but require approval for every call').conflicts(['until', 'for']))
    .option('--version <range>', 'versions to trust, such as ^1.2.0 (default: the highest seen)')
    .option('--yes', 'do not ask')
    .option(
      '--despite-findings',
      'with --yes: trust it even if the automatic check found errors; of several tools also suspicious changes',
    )
    .option('--details', 'of several tools: name all, with all changes')
    .option('--dry-run', 'show several tools and decide nothing')
    .option('--json', 'print JSON (with --dry-run or --yes)')
    .option('--file <file...>', FILES_HELP)
    .addOption(decidedFleetOption())
    .addOption(ledgerOption())
    .addOption(ledgerKeyOption())
    .action(async (names: string[], options, command: Command) => {
      if (options.configured) return (await import('../operator/sign.ts')).signConfigured(options)
      if (names.length === 0 && !options.all && !options.readOnlyTools) return command.error(NO_NAME)
      if (names.length > 0 && options.all) return command.error(ALL_AND_NAMES)
      return (await import('./trust-tool.ts')).trustTools(names, options)
    })
  trust.addCommand(statusCommand())
  return trust
}

export const untrustCommand = (): Command =>
  new Command('untrust')
    .description('Revoke trust and standing grants: all versions, all principals, at once.')
    .argument('[name...]', 'tools, servers, or patterns such as github.*')
    .option('--all', 'all tools')
    .option('--read-only-tools', 'only tools that change nothing')
    .option('--yes', 'do not ask about several tools')
    .option('--dry-run', 'show several tools and decide nothing')
    .option('--json', 'print JSON (with --dry-run or --yes)')
    .addOption(ledgerOption())
    .addOption(ledgerKeyOption())
    .action(async (names: string[], options, command: Command) => {
      if (names.length === 0 && !options.all && !options.readOnlyTools) return command.error(NO_NAME)
      if (names.length > 0 && options.all) return command.error(ALL_AND_NAMES)
      return (await import('./untrust-tool.ts')).untrustTools(names, options)
    })

export const verifyCommand = (): Command =>
  new Command('verify')
    .description('Check tools automatically; those without errors become verified. Exits with 1 if any has errors.')
    .argument(
      '[name...]',
      'tools, servers, or patterns such as github.* (default: the tools in the files, or all tools seen)',
    )
    .option('--all', 'show all tools that wait, ask once, and verify those that change nothing')
    .option('--read-only-tools', 'the same, and only tools that change nothing')
    .option('--yes', 'do not ask about several tools')
    .option('--despite-findings', 'of several tools also those with findings and suspicious changes')
    .option('--details', 'of several tools: name all, with all changes')
    .option('--dry-run', 'show several tools and decide nothing')
    .option('--file <file...>', `${FILES_HELP}; their examples are executed`)
    .addOption(decidedFleetOption())
    .option('--json', 'print JSON')
    .addOption(ledgerOption())
    .addOption(ledgerKeyOption())
    .action(async (tools: string[], options) => (await import('./verify-tools.ts')).verifyTools(tools, options))

/** Also as `myrmex trust status`. */
export const statusCommand = (): Command =>
  new Command('status')
    .description(
      'Show which tools can be called, what waits for a decision, who decided, until when, and what changed since.',
    )
    .argument('[name]', 'a tool, a server or a pattern (default: a summary by server)')
    .option('--all', 'every tool instead of the summary')
    .option('--gone', 'tools that their servers no longer list; decisions about them are kept')
    .option('--json', 'print JSON')
    .option('--file <file...>', FILES_HELP)
    .addOption(decidedFleetOption())
    .addOption(ledgerOption())
    .action(async (tool: string | undefined, options) => (await import('./status.ts')).showStatus(tool, options))
