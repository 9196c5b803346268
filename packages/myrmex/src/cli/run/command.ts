/** `myrmex run`: its options, and those it shares with `myrmex runs`. Its code is loaded when it is chosen. */
import { Command, InvalidArgumentError, Option } from 'commander'
import { collect, environmentOptions, parseCount } from '../../serve/options.ts'

const APPROVE = ['ask', 'never', 'all']

export function runCommand(): Command {
  const run = new Command('run')
    .description('Give the fleet a goal. It plans, shows the plan, executes it and reports.')
    .argument('<goal>', 'what you want, in a sentence')
    .option('--budget <amount>', 'the most money that all steps together may spend', parseAmount)
    .option('--calls <count>', 'the most tool calls', parseCount)
    .option(
      '--time <span>',
      'the most time from start to end, such as 90s, 15m or 2h; time spent waiting for people does not count',
      parseSpan,
    )
    .addOption(knownValueOption())
    .option('--plan <file>', 'execute this plan, as printed by --plan-only --json, instead of making one')
    .option('--plan-only', 'print the plan and do nothing')
    .addOption(
      new Option(
        '--approve <how>',
        'ask: wait for approval. never: refuse to run if anything needs approval. all: approve everything in advance',
      )
        .choices(APPROVE)
        .default('ask'),
    )
    .option('--json', RUN_JSON_HELP)
  return environmentOptions(run)
    .addHelpText('after', EXIT_CODES)
    .action(async (goal: string, options) => (await import('./start-run.ts')).startRun(goal, options))
}

export const RUN_JSON_HELP = 'print JSON, one line per event; the last one is the report'

export const EXIT_CODES = `
Exit codes: 0 succeeded, 1 failed, refused or cancelled, 3 unfinished (waiting for people, or released with Ctrl-C).`

export const knownValueOption = (): Option =>
  new Option('--with <name=value>', 'a value for an input that a question asks for; can be repeated').argParser(collect)

function parseAmount(text: string): number {
  const number = Number(text)
  if (!Number.isFinite(number) || number < 0 || text.trim() === '')
    throw new InvalidArgumentError('Enter an amount, 0 or more.')
  return number
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

function parseSpan(text: string): number {
  const [, number, unit] = /^(\d+)\s*(ms|s|m|h|d)$/.exec(text.trim()) ?? []
  const milliseconds = Number(number) * (UNITS[unit ?? ''] ?? Number.NaN)
  if (!(milliseconds > 0)) throw new InvalidArgumentError('Enter a time, such as 90s, 15m, 2h or 1d.')
  return milliseconds
}
