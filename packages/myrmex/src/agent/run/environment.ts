/**
 * What executing runs takes: a fleet whose tools are behind one pipeline, a ledger and a brain. `withRuns` opens them as the options
 * say, in this order, and closes them again:
 *
 * 1. read the fleet, policy and constitution files, so that a wrong file is reported before a ledger is created
 * 2. open the ledger
 * 3. open the fleet; problems of single agents are reported and do not stop it
 */
import type { Ledger } from '../../ledger/ledger.ts'
import type { OperatorSigner } from '../../ledger/operator/operator-key.ts'
import type { Policy } from '../../pipeline/rules/policy.ts'
import { messageOf, ToolError } from '../../protocol/errors.ts'
import { toLoggable } from '../../protocol/serialise.ts'
import { type LedgerFlags, openChosenLedger } from '../../serve/ledger.ts'
import { loadRules, type RulesFlags } from '../../serve/operator-file.ts'
import { oneLine, withStdoutOnStderr } from '../../serve/terminal.ts'
import type { Brain } from '../brain/brain.ts'
import { findFleet } from '../fleet/find-fleet.ts'
import type { Fleet } from '../fleet/fleet.ts'
import { Runs } from './runs.ts'

export interface RunEnvironment {
  readonly fleet: Fleet
  readonly ledger: Ledger
  readonly brain: Brain
  /** signs approvals of runs that were started with --approve all, if the ledger is locked */
  signer?: OperatorSigner | undefined
}

export interface RunEnvironmentOptions extends LedgerFlags, RulesFlags {
  fleet?: string
}

export interface EnvironmentOutput {
  /** prints a line for people, separate from results */
  note(line: string): void
  /** discards what child processes write, because something is drawn on the terminal */
  readonly quiet?: boolean
}

export async function withRuns<T>(
  options: RunEnvironmentOptions,
  output: EnvironmentOutput,
  work: (runs: Runs) => Promise<T>,
): Promise<T> {
  const open = ({ audit }: Policy): Promise<Ledger> =>
    openChosenLedger(options, 'create', (error) => output.note(messageOf(error)), audit?.durability)
  return withEnvironment(options, output, open, true, (environment) => work(new Runs(environment)))
}

/** For planning only: reads what earlier runs have learned, and writes nothing. */
export async function withReadOnlyEnvironment<T>(
  options: RunEnvironmentOptions,
  output: EnvironmentOutput,
  work: (environment: RunEnvironment) => Promise<T>,
): Promise<T> {
  return withEnvironment(options, output, () => openReadOnlyLedger(options), false, work)
}

async function openReadOnlyLedger(flags: LedgerFlags): Promise<Ledger> {
  try {
    return await openChosenLedger(flags, 'read-only')
  } catch (error) {
    if (!(error instanceof ToolError) || error.error_type !== 'FileNotFoundError') throw error
    return openChosenLedger({ ledger: ':memory:' }, 'create')
  }
}

async function withEnvironment<T>(
  options: RunEnvironmentOptions,
  output: EnvironmentOutput,
  open: (policy: Policy) => Promise<Ledger>,
  isRecorded: boolean,
  work: (environment: RunEnvironment) => Promise<T>,
): Promise<T> {
  const { config, folder } = await findFleet(options.fleet)
  const rules = await loadRules(options)
  const { brainFrom } = await import('../brain/choose.ts')
  const brain = await brainFrom(process.env)
  const { openFleet } = await import('../fleet/fleet.ts')
  const ledger = await open(rules.policy)
  let fleet: Fleet | undefined
  try {
    fleet = await withStdoutOnStderr(() =>
      openFleet(config, {
        ...(isRecorded && { ledger }),
        ...rules,
        folder,
        brain,
        ...(output.quiet && { stderr: 'ignore' }),
        observe: ({ tool, thrown, call_id }) =>
          output.note(
            `${tool === '' ? 'an internal error' : `${tool} threw`} (${call_id}): ${oneLine(messageOf(thrown), 300)}`,
          ),
        toolLog: ({ tool, level, data }) => {
          if (level !== 'debug') output.note(`${tool} logged: ${oneLine(loggedText(data), 300)}`)
        },
      }),
    )
    for (const { agent, tool, error_type, message } of fleet.problems)
      output.note(
        `${agent}${tool === undefined ? '' : `, tool ${oneLine(tool, 130)}`}: ${error_type}: ${oneLine(message, 500)}`,
      )
    return await work({ fleet, ledger, brain })
  } finally {
    try {
      await fleet?.close()
    } finally {
      await ledger.close()
    }
  }
}

function loggedText(data: unknown): string {
  const loggable = toLoggable(data)
  return typeof loggable === 'string' ? loggable : JSON.stringify(loggable)
}
