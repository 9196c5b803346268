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

export function trustCommand(): Command {
  const trust = new Command('trust')
    .description('Show a tool that changes state, ask, and allow it to be called.')
    // Options after `trust status` belong to status: otherwise it would read another ledger than you named.
    .enablePositionalOptions()
    .argument('[tool]', 'name of the tool')
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
    .option('--despite-findings', 'with --yes: trust it even if the automatic check found errors')
    .option('--file <file...>', FILES_HELP)
    .addOption(decidedFleetOption())
    .addOption(ledgerOption())
    .addOption(ledgerKeyOption())
    .action(async (tool: string | undefined, options, command: Command) => {
      if (options.configured) return (await import('../operator/sign.ts')).signConfigured(options)
      if (tool === undefined) return command.error("error: missing required argument 'tool'")
      return (await import('./trust-tool.ts')).trustTool(tool, options)
    })
  trust.addCommand(statusCommand())
  return trust
}

export const untrustCommand = (): Command =>
  new Command('untrust')
    .description('Revoke trust and standing grants: all versions, all principals, at once.')
    .argument('<tool>', 'name of the tool')
    .addOption(ledgerOption())
    .addOption(ledgerKeyOption())
    .action(async (tool: string, options) => (await import('./untrust-tool.ts')).untrustTool(tool, options))

export const verifyCommand = (): Command =>
  new Command('verify')
    .description('Check tools automatically; those without errors become verified. Exits with 1 if any has errors.')
    .argument('[tool...]', 'names (default: the tools in the files, or all tools seen)')
    .option('--file <file...>', `${FILES_HELP}; their examples are executed`)
    .addOption(decidedFleetOption())
    .option('--json', 'print JSON')
    .addOption(ledgerOption())
    .addOption(ledgerKeyOption())
    .action(async (tools: string[], options) => (await import('./verify-tools.ts')).verifyTools(tools, options))

/** Also as `myrmex trust status`. */
export const statusCommand = (): Command =>
  new Command('status')
    .description('Show the trust level of every tool, who decided, until when, and what changed since.')
    .argument('[tool]', 'name of the tool (default: all)')
    .option('--json', 'print JSON')
    .option('--file <file...>', FILES_HELP)
    .addOption(decidedFleetOption())
    .addOption(ledgerOption())
    .action(async (tool: string | undefined, options) => (await import('./status.ts')).showStatus(tool, options))
