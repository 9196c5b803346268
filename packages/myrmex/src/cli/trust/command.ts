/** `myrmex trust|untrust|verify|status`: their options. What they do is loaded when one is chosen. */
import { Command, Option } from 'commander'
import { ledgerKeyOption, ledgerOption } from '../../serve/ledger.ts'

const FILES = 'tool files or folders to load first'

export function trustCommand(): Command {
  const trust = new Command('trust')
    .description('Let a tool that changes state be called. Shows what it is and asks.')
    // What stands behind `trust status` is for status: it would look at another ledger than was said.
    .enablePositionalOptions()
    .argument('<tool>', 'name of the tool')
    .option('--until <moment>', 'grant calls until then only: a date, a date and time, or how long (7d)')
    .option('--for <principal>', 'grant calls of this principal only')
    .addOption(new Option('--ask', 'trust it, but have every call approved').conflicts(['until', 'for']))
    .option('--version <range>', 'versions to trust, such as ^1.2.0 (default: the highest seen)')
    .option('--yes', 'do not ask')
    .option('--despite-findings', 'with --yes: also where the machine found errors')
    .option('--file <file...>', FILES)
    .addOption(ledgerOption())
    .addOption(ledgerKeyOption())
    .action(async (tool: string, options) => (await import('./trust-tool.ts')).trustTool(tool, options))
  trust.addCommand(statusCommand())
  return trust
}

export const untrustCommand = (): Command =>
  new Command('untrust')
    .description('Take trust and standing grants back: every version, every principal, at once.')
    .argument('<tool>', 'name of the tool')
    .addOption(ledgerOption())
    .action(async (tool: string, options) => (await import('./untrust-tool.ts')).untrustTool(tool, options))

export const verifyCommand = (): Command =>
  new Command('verify')
    .description('Check tools by machine; those without errors are verified. Exits 1 if any has errors.')
    .argument('[tool...]', 'names (default: those of the files, or all that were seen)')
    .option('--file <file...>', `${FILES}; their examples are run`)
    .option('--json', 'print JSON')
    .addOption(ledgerOption())
    .addOption(ledgerKeyOption())
    .action(async (tools: string[], options) => (await import('./verify-tools.ts')).verifyTools(tools, options))

/** Also as `myrmex trust status`. */
export const statusCommand = (): Command =>
  new Command('status')
    .description('What every tool may do, who said so, until when, and what changed since.')
    .argument('[tool]', 'name of the tool (default: all)')
    .option('--json', 'print JSON')
    .addOption(ledgerOption())
    .action(async (tool: string | undefined, options) => (await import('./status.ts')).showStatus(tool, options))
