/** What a package that adds a command of its own may use of ours: `import { withRuns } from 'myrmex/cli'`. */
export { endWithReader } from './audit/output.ts'
export { loadConstitution } from './constitution.ts'
export { type LedgerChoice, ledgerKeyOption, ledgerOption } from './ledger.ts'
export { loadPolicy } from './policy.ts'
export { type OfficeOptions, withRuns } from './run/office.ts'
export { officeOptions } from './run.ts'
export { signalled, tend, told } from './runs/tend.ts'
export { clean, fail, paint, print, say } from './terminal.ts'
