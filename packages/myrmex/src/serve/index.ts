/** What a program needs to serve a host and to add a command of its own: `import { listenHost } from 'myrmex/serve'`. */
export { DEMO_FOLDER, hasOwnFleet, isDemoThere, useDemo } from './demo.ts'
export { type ExtraServers, openExtraServers } from './extra-servers.ts'
export type { LedgerFlags } from './ledger.ts'
export { type HostListener, listenHost } from './listen-host.ts'
export { loadPolicy } from './operator-file.ts'
export { environmentOptions, ledgerKeyOption, ledgerOption, parsePort, parseWhole } from './options.ts'
export { reportError, untilSignal } from './signals.ts'
export { print, say } from './terminal.ts'
