/** `myrmex run`: its options, and those it shares with `myrmex runs`. What it does is loaded when it is chosen. */
import { Command, InvalidArgumentError, Option } from 'commander'
import { ledgerKeyOption, ledgerOption } from '../../serve/ledger.ts'

const APPROVE = ['ask', 'never', 'all']

export function runCommand(): Command {
  const run = new Command('run')
    .description('Give the fleet a goal: plans it, shows the plan, carries it out, reports.')
    .argument('<goal>', 'what is wanted, in a sentence')
    .option('--budget <amount>', 'most money that all steps may spend together', parseAmount)
    .option('--calls <count>', 'most calls of tools', parseCount)
    .option(
      '--time <span>',
      'most time from start to end, such as 90s, 15m, 2h; waiting for people is not counted',
      parseSpan,
    )
    .addOption(knownValueOption())
    .option('--plan <file>', 'carry out this plan, as --plan-only --json prints one, instead of making one')
    .option('--plan-only', 'print the plan and do nothing')
    .addOption(
      new Option(
        '--approve <how>',
        'ask: people approve. never: what needs approval is not done. all: you say yes to all',
      )
        .choices(APPROVE)
        .default('ask'),
    )
    .option('--json', 'print JSON, one line for everything that happens; the report is the last')
  return environmentOptions(run)
    .addHelpText('after', EXIT_CODES)
    .action(async (goal: string, options) => (await import('./start-run.ts')).startRun(goal, options))
}

export const EXIT_CODES = `
Exit codes: 0 done, 1 failed, refused or cancelled, 3 not over: it waits for people, or was let go with Ctrl-C.`

/** What it takes to lead runs. */
export function environmentOptions(command: Command): Command {
  return command
    .addOption(fleetOption())
    .addOption(ledgerOption())
    .addOption(ledgerKeyOption())
    .addOption(
      new Option('--policy <file>', "the operator's rules (default: myrmex.policy.json, if it is there)").env(
        'MYRMEX_POLICY',
      ),
    )
    .addOption(
      new Option(
        '--constitution <file>',
        'what no call may do (default: myrmex.constitution.json, if it is there)',
      ).env('MYRMEX_CONSTITUTION'),
    )
}

const fleetOption = (): Option =>
  new Option(
    '--fleet <path>',
    'a fleet file, a folder that holds one or agent files, or an agent file (default: myrmex.fleet.json)',
  ).env('MYRMEX_FLEET')

export const knownValueOption = (): Option =>
  new Option(
    '--with <name=value>',
    'something that is known, by the name a question asks for it; may be given again',
  ).argParser((text: string, before: string[] = []) => [...before, text])

export function parseCount(text: string): number {
  const number = Number(text)
  if (!Number.isSafeInteger(number) || number < 0 || text.trim() === '')
    throw new InvalidArgumentError('Give a whole number, 0 or more.')
  return number
}

function parseAmount(text: string): number {
  const number = Number(text)
  if (!Number.isFinite(number) || number < 0 || text.trim() === '')
    throw new InvalidArgumentError('Give an amount, 0 or more.')
  return number
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

function parseSpan(text: string): number {
  const [, number, unit] = /^(\d+)\s*(ms|s|m|h|d)$/.exec(text.trim()) ?? []
  const milliseconds = Number(number) * (UNITS[unit ?? ''] ?? Number.NaN)
  if (!(milliseconds > 0)) throw new InvalidArgumentError('Give a time, such as 90s, 15m, 2h or 1d.')
  return milliseconds
}
