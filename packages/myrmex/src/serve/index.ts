/** What a program needs to serve a host and to add a command of its own: `import { listenHost } from 'myrmex/serve'`. */
export { makePrivateFolder } from '../ledger/private-folder.ts'
export { checkAccess } from './check-access.ts'
export { DEMO_FOLDER, hasOwnFleet, isDemoThere, useDemo } from './demo.ts'
export { type ExtraServers, openExtraServers } from './extra-servers.ts'
export { requireFolder, requireProjectOf } from './folder-trust.ts'
export type { LedgerFlags } from './ledger.ts'
export { type HostListener, listenHost } from './listen-host.ts'
export { apiText, modeText } from './mode-text.ts'
export { loadPolicy } from './operator-file.ts'
export {
  type AccessFlags,
  accessFlags,
  accessOptions,
  environmentOptions,
  ledgerKeyOption,
  ledgerOption,
  parsePort,
  parseWhole,
} from './options.ts'
export { reportError, untilSignal } from './signals.ts'
export { print, say } from './terminal.ts'
