/** `myrmex runs` and `myrmex ceo`: their options. Their code is loaded when one is chosen. */
import { Command, InvalidArgumentError, Option } from 'commander'
import { environmentOptions, ledgerKeyOption, ledgerOption, listenOptions, parseCount } from '../../serve/options.ts'
import { EXIT_CODES, knownValueOption, RUN_JSON_HELP } from '../run/command.ts'

const ID_HELP = 'as runs list shows it, or an unambiguous prefix'

export function runsCommand(): Command {
  const runs = new Command('runs').description('List, inspect, resume, cancel and replay runs.')
  const sub = (name: string, description: string): Command => runs.command(name).description(description)

  sub('list', 'List unfinished runs and those that ended within a day, newest first.')
    .option('--all', 'list all runs')
    .option('--json', 'print JSON')
    .addOption(ledgerOption())
    .action(async (options) => (await import('./list.ts')).listRuns(options))

  sub('show', 'Show a run: goal, plan, progress, what it waits for, what it cost, and what to type next.')
    .argument('<id>', ID_HELP)
    .option('--json', 'print JSON, with all events')
    .addOption(ledgerOption())
    .action(async (id: string, options) => (await import('./show.ts')).showRun(id, options))

  environmentOptions(sub('resume', 'Resume a run that waited, was released, or whose process ended.'))
    .argument('<id>', ID_HELP)
    .addOption(knownValueOption())
    .option('--json', RUN_JSON_HELP)
    .addHelpText('after', EXIT_CODES)
    .action(async (id: string, options) => (await import('./resume.ts')).resumeRun(id, options))

  sub('budget', 'Give a run whose budget is used up more of it, or refuse that.')
    .argument('<id>', ID_HELP)
    .option('--money <amount>', 'how much more money; default: what it asks for')
    .option('--calls <count>', 'how many more calls')
    .option('--time <span>', 'how much more time, such as 15m')
    .addOption(new Option('--refuse', 'the run ends, and undoes what it can').conflicts(['money', 'calls', 'time']))
    .option('--note <text>', 'kept with the decision')
    .addOption(ledgerOption())
    .addOption(ledgerKeyOption())
    .action(async (id: string, options) => (await import('./budget.ts')).raiseBudget(id, options))

  sub('cancel', 'Cancel a run, whichever process executes it. Completed steps are not undone.')
    .argument('<id>', ID_HELP)
    .option('--reason <text>', 'recorded with the run', 'no reason was given')
    .addOption(ledgerOption())
    .addOption(ledgerKeyOption())
    .action(async (id: string, options) => (await import('./cancel.ts')).cancelRun(id, options))

  sub('replay', 'Show what happened in a run, in order, with arguments and results. Changes nothing.')
    .argument('<id>', ID_HELP)
    .option('--speed <factor>', 'replay at the original speed times this factor', parseFactor)
    .addOption(new Option('--step', 'one event at a time; press Enter for the next').conflicts(['speed', 'json']))
    .option('--json', 'print JSON, one line per event')
    .addOption(ledgerOption())
    .action(async (id: string, options) => (await import('./replay.ts')).replayRun(id, options))

  environmentOptions(
    sub('work', 'Execute runs that no process executes, until SIGTERM. Several workers can share one PostgreSQL.'),
  )
    .option('--concurrency <count>', 'runs at the same time', parseCount, 4)
    .action(async (options) => (await import('./work.ts')).workOnRuns(options))

  return runs
}

/** The fleet's leader for any MCP client. */
export function ceoCommand(): Command {
  const ceo = new Command('ceo').description(
    "Serve the fleet's leader over MCP: ceo.run_goal, ceo.run_status, ceo.cancel_run, plan and critique.",
  )
  return environmentOptions(listenOptions(ceo)).action(async (options) => (await import('./ceo.ts')).serveCeo(options))
}

function parseFactor(text: string): number {
  const number = Number(text)
  if (!(number > 0) || !Number.isFinite(number)) throw new InvalidArgumentError('Enter a number above 0: 1, 0.5, 10.')
  return number
}
