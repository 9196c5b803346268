/**
 * The ledger of the host that runs in a folder. A decision in another one would be reported as made, and the host would not follow it: a
 * host can be started with `--ledger` or `--state`, which a later command does not know.
 */
import { basename, dirname, join, resolve } from 'node:path'
import { readApiFile } from '../../host/api/api-file.ts'
import { isAlive } from '../../host/api/is-alive.ts'
import { HOST_FILE } from '../../host/config/read-host-file.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import { DEFAULT_LEDGER } from '../../ledger/open.ts'
import { MYRMEX_FOLDER } from '../../ledger/private-folder.ts'
import { ToolError } from '../../protocol/errors.ts'
import { hostFolder } from '../../serve/listen-host.ts'
import { say } from '../../serve/terminal.ts'

export interface HostLedgerOptions {
  readonly config?: string
  readonly state?: string
  /** named by the operator */
  readonly ledger?: string
}

/** The address of the ledger that a host of this folder has unless it was started with another one. */
export const hostLedger = ({ config = HOST_FILE, state, ledger }: HostLedgerOptions): string =>
  ledger ?? join(resolve(state ?? join(dirname(config), MYRMEX_FOLDER)), basename(DEFAULT_LEDGER))

/** Throws if the host that runs here has another ledger. If the operator has named this one, it only says so. */
export async function requireHostLedger(
  { key }: Pick<Ledger, 'key'>,
  { config = HOST_FILE, state, ledger }: HostLedgerOptions,
): Promise<void> {
  const host = await readApiFile(hostFolder(config, state)).catch(() => undefined)
  if (host?.ledger === undefined || host.ledger === key.id || !isAlive(host.pid)) return
  const other = `The host that runs here (process ${host.pid}) uses another ledger`
  if (ledger !== undefined) return say(`${other}, and does not follow this one`)
  throw ToolError.of(
    'ValidationError',
    `${other}. Nothing was changed. Name the one that it was started with: --ledger ADDRESS, or MYRMEX_LEDGER.`,
  )
}
