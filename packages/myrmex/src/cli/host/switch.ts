/**
 * `myrmex host stop-everything|resume-everything|read-only`: the operator's switches, in the ledger of the host. Every process
 * on that ledger follows within a quarter of a second.
 */
import { HOST_FILE, readProfileNames } from '../../host/config/read-host-file.ts'
import { requireProfile } from '../../host/profiles/require-profile.ts'
import { cliOperator } from '../../ledger/decisions/operator-name.ts'
import type { SwitchName } from '../../ledger/decisions/switches.ts'
import { untilFollowed } from '../../ledger/follower.ts'
import { ToolError } from '../../protocol/errors.ts'
import { cliDecider } from '../../serve/cli-decider.ts'
import { type LedgerFlags, withLedger } from '../../serve/ledger.ts'
import { paint, print } from '../../serve/terminal.ts'
import { hostLedger, requireHostLedger } from './host-ledger.ts'

export interface SwitchOptions extends LedgerFlags {
  config?: string
  state?: string
  reason?: string
  profile?: string
  json?: boolean
}

export const stopEverything = (options: SwitchOptions): Promise<void> => turn('stop', 'on', options)
export const resumeEverything = (options: SwitchOptions): Promise<void> => turn('stop', 'off', options)

export async function readOnly(state: string, options: SwitchOptions): Promise<void> {
  if (state !== 'on' && state !== 'off')
    throw ToolError.of('ValidationError', `Say on or off, not ${JSON.stringify(state)}: myrmex host read-only on`)
  const { profile, config = HOST_FILE } = options
  // A profile that is gone can still be switched back.
  if (profile !== undefined && state === 'on') requireProfile(profile, await readProfileNames(config))
  await turn('read_only', state, options)
}

async function turn(name: SwitchName, state: 'on' | 'off', options: SwitchOptions): Promise<void> {
  const { profile = '', reason = '' } = options
  await withLedger({ ...options, ledger: hostLedger(options) }, 'decide', async (opened) => {
    await requireHostLedger(opened, options)
    const by = state === 'on' ? cliOperator() : await cliDecider(opened, 'to switch protection off')
    const { row, isNew } = await opened.switches.set(name, profile, state, by, reason)
    if (isNew) await untilFollowed()
    if (options.json) print(JSON.stringify({ name, profile: profile || null, state, changed: isNew }, null, 2))
    else print(switchedText(name, profile, state, isNew ? (row?.reason ?? '') : undefined))
  })
}

/** `reason` is undefined if nothing had to change. */
function switchedText(name: SwitchName, profile: string, state: 'on' | 'off', reason: string | undefined): string {
  const { already, done, next } = TEXTS[name][state]
  if (reason === undefined) return `${already}${profile === '' ? '' : ` (profile ${profile})`}`
  const where = profile === '' ? '' : ` for the profile ${profile}`
  const head = `${paint(state === 'on' ? 'red' : 'green', done)}${where}${reason === '' ? '' : `: ${reason}`}`
  return next === undefined ? head : `${head}\n${next}${profile === '' ? '' : ` --profile ${profile}`}`
}

const TEXTS = {
  stop: {
    on: {
      done: 'everything is stopped',
      already: 'everything is stopped already, for this reason',
      next: 'calls in flight are aborted, new ones are rejected, runs wait; to go on: npx myrmex host resume-everything',
    },
    off: { done: 'calls are accepted again', already: 'calls are not stopped', next: undefined },
  },
  read_only: {
    on: {
      done: 'read-only',
      already: 'it is read-only already, for this reason',
      next: 'calls that change state are rejected, those in flight finish; to go on: npx myrmex host read-only off',
    },
    off: { done: 'read-only is off', already: 'it is not read-only', next: undefined },
  },
} as const
