/** `myrmex runs`: its subcommands and their options. What they do is loaded when one is chosen. */
import { Command, InvalidArgumentError, Option } from 'commander'
import { ledgerOption } from '../../serve/ledger.ts'
import { EXIT_CODES, environmentOptions, knownValueOption, parseCount } from '../run/command.ts'

const ID_HELP = 'as runs list shows it'

export function runsCommand(): Command {
  const runs = new Command('runs').description('Look at runs, go on with them, stop them, see them again.')
  const sub = (name: string, description: string): Command => runs.command(name).description(description)

  sub('list', 'List runs that are not over and those that ended within a day, the newest first.')
    .option('--all', 'all there are')
    .option('--json', 'print JSON')
    .addOption(ledgerOption())
    .action(async (options) => (await import('./list.ts')).listRuns(options))

  sub('show', 'Show a run: goal, plan, how far it is, what it waits for, what it cost, what to type next.')
    .argument('<id>', ID_HELP)
    .option('--json', 'print JSON, with everything that happened')
    .addOption(ledgerOption())
    .action(async (id: string, options) => (await import('./show.ts')).showRun(id, options))

  environmentOptions(sub('resume', 'Go on with a run that waited, was let go, or whose process is gone.'))
    .argument('<id>', ID_HELP)
    .addOption(knownValueOption())
    .option('--json', 'print JSON, one line for everything that happens; the report is the last')
    .addHelpText('after', EXIT_CODES)
    .action(async (id: string, options) => (await import('./resume.ts')).resumeRun(id, options))

  sub('cancel', 'Stop a run, whichever process leads it. What has been done stays done.')
    .argument('<id>', ID_HELP)
    .option('--reason <text>', 'for those who look later', 'no reason was given')
    .addOption(ledgerOption())
    .action(async (id: string, options) => (await import('./cancel.ts')).cancelRun(id, options))

  sub('replay', 'Show what happened in a run, in order, with arguments and results. Changes nothing.')
    .argument('<id>', ID_HELP)
    .option('--speed <factor>', 'as fast as it went, times this', factor)
    .addOption(new Option('--step', 'one thing at a time: Enter for the next').conflicts(['speed', 'json']))
    .option('--json', 'print JSON, one line for each thing that happened')
    .addOption(ledgerOption())
    .action(async (id: string, options) => (await import('./replay.ts')).replayRun(id, options))

  environmentOptions(sub('work', 'Lead whatever runs nobody leads, until SIGTERM. Several may share one PostgreSQL.'))
    .option('--concurrency <count>', 'runs at the same time', parseCount, 4)
    .action(async (options) => (await import('./work.ts')).workOnRuns(options))

  return runs
}

/** The leader of a fleet for any MCP client. */
export function ceoCommand(): Command {
  const ceo = new Command('ceo')
    .description(
      'Serve the leader of the fleet over MCP: ceo.run_goal, ceo.run_status, ceo.cancel_run, plan and critique.',
    )
    .option('--http <port>', 'listen on this port instead of stdio (0: any free one)', port)
    .option('--host <address>', 'address to listen on; anything but loopback needs MYRMEX_TOKEN', '127.0.0.1')
  return environmentOptions(ceo).action(async (options) => (await import('./ceo.ts')).serveCeo(options))
}

function port(text: string): number {
  const number = Number(text)
  if (!Number.isInteger(number) || number < 0 || number > 65535 || text.trim() === '')
    throw new InvalidArgumentError('Give a port from 0 to 65535.')
  return number
}

function factor(text: string): number {
  const number = Number(text)
  if (!(number > 0) || !Number.isFinite(number)) throw new InvalidArgumentError('Give a number above 0: 1, 0.5, 10.')
  return number
}
