/**
 * Finds the demo that `npm start` makes in `.myrmex/demo`: its fleet, constitution, ledger and shop.
 *
 * - Commands about a fleet use it, unless the working directory has a fleet file or `--fleet` names one.
 * - Commands that read or decide use its ledger, unless the working directory has a fleet file or a ledger.
 * - All others, such as `serve`, `call` and `host`, read nothing of it.
 *
 * It only sets MYRMEX_* variables that are not set, so options and the environment win.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { say } from './terminal.ts'

export const DEMO_FOLDER: string = join('.myrmex', 'demo')

const FLEET_FILE = 'myrmex.fleet.json'
const OWN_LEDGER = join('.myrmex', 'ledger.db')
const DEMO_LEDGER = join(DEMO_FOLDER, 'ledger.db')
const FLEET_COMMANDS: ReadonlySet<string | undefined> = new Set(['run', 'runs', 'ceo'])
const LEDGER_COMMANDS: ReadonlySet<string | undefined> = new Set([
  'approvals',
  'approve',
  'audit',
  'operator',
  'trust',
  'untrust',
  'verify',
  'status',
])

export const hasOwnFleet = (): boolean => existsSync(FLEET_FILE)

export const isDemoThere = (): boolean => !hasOwnFleet() && existsSync(join(DEMO_FOLDER, FLEET_FILE))

export function useDemo(): void {
  process.env.MYRMEX_FLEET ??= join(DEMO_FOLDER, FLEET_FILE)
  process.env.MYRMEX_CONSTITUTION ??= join(DEMO_FOLDER, 'myrmex.constitution.json')
  process.env.MYRMEX_LEDGER ??= DEMO_LEDGER
  process.env.MYRMEX_SHOP ??= join(DEMO_FOLDER, 'shop.db')
}

/** To be called with the words of the command line before options are read from the environment. */
export function useDemoFor([command, ...rest]: readonly string[]): void {
  if (!isDemoThere()) return
  const names = (option: string): boolean => rest.some((word) => word === option || word.startsWith(`${option}=`))
  if (FLEET_COMMANDS.has(command)) {
    if (process.env.MYRMEX_FLEET === undefined && !names('--fleet')) useDemo()
    return
  }
  if (!LEDGER_COMMANDS.has(command) || process.env.MYRMEX_LEDGER !== undefined) return
  if (names('--ledger') || names('--file')) return
  if (!existsSync(OWN_LEDGER)) process.env.MYRMEX_LEDGER = DEMO_LEDGER
  else if (existsSync(DEMO_LEDGER)) say(`using ${OWN_LEDGER}; for the demo's ledger, add --ledger ${DEMO_LEDGER}`)
}
