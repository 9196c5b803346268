/** What it takes to lead runs, opened as the options say and closed again: ledger, fleet, brain. */
import type { Fleet } from '../../agent/fleet/fleet.ts'
import type { RunEnvironment } from '../../agent/run/active-run.ts'
import { Runs } from '../../agent/run/runs.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import { ToolError } from '../../protocol/errors.ts'
import { loadConstitution } from '../../serve/constitution.ts'
import { type LedgerFlags, openChosenLedger } from '../../serve/ledger.ts'
import { oneLine } from '../../serve/one-line.ts'
import { loadPolicy } from '../../serve/policy.ts'
import { withStdoutOnStderr } from '../../serve/terminal.ts'
import { findFleet } from './fleet.ts'

export interface OfficeOptions extends LedgerFlags {
  fleet?: string
  policy?: string
  constitution?: string
}

export interface Told {
  /** a line about what goes on, beside the results */
  note(line: string): void
  /** children may not write where something is drawn */
  readonly quiet?: boolean
}

export async function withRuns<T>(options: OfficeOptions, told: Told, work: (runs: Runs) => Promise<T>): Promise<T> {
  return withOffice(
    options,
    told,
    () => openChosenLedger(options, { onFailure: (error) => told.note(said(error)) }),
    (office) => work(new Runs(office)),
  )
}

/** For whoever only thinks: what was learned is read, and nothing is written, wherever the ledger is. */
export async function withThinking<T>(
  options: OfficeOptions,
  told: Told,
  work: (office: RunEnvironment) => Promise<T>,
): Promise<T> {
  return withOffice(options, told, () => learnedFrom(options), work, true)
}

async function learnedFrom(choice: LedgerFlags): Promise<Ledger> {
  try {
    return await openChosenLedger(choice, { readOnly: true })
  } catch (error) {
    if (!(error instanceof ToolError) || error.error_type !== 'FileNotFoundError') throw error
    return openChosenLedger({ ledger: ':memory:' })
  }
}

async function withOffice<T>(
  options: OfficeOptions,
  told: Told,
  open: () => Promise<Ledger>,
  work: (office: RunEnvironment) => Promise<T>,
  apart = false,
): Promise<T> {
  // Whatever is wrong with the files is said before a ledger is made.
  const { config, folder } = await findFleet(options.fleet)
  const policy = await loadPolicy(options.policy)
  const constitution = await loadConstitution(options.constitution)
  const { brainFrom } = await import('../../agent/brain/choose.ts')
  const brain = await brainFrom(process.env)
  const { openFleet } = await import('../../agent/fleet/fleet.ts')
  const ledger = await open()
  let fleet: Fleet | undefined
  try {
    fleet = await withStdoutOnStderr(() =>
      openFleet(config, {
        ...(!apart && { ledger }),
        policy,
        constitution,
        folder,
        brain,
        ...(told.quiet && { stderr: 'ignore' }),
        observe: ({ tool, thrown, call_id }) =>
          told.note(
            `${tool === '' ? 'an internal fault' : `${tool} threw`} (${call_id}): ${oneLine(said(thrown), 300)}`,
          ),
      }),
    )
    for (const { agent, tool, error_type, message } of fleet.problems)
      told.note(
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

const said = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown))
