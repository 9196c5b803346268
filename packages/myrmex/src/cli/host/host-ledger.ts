/**
 * The ledger of the host that runs in a folder. A decision in another one would be reported as made, and the host would not follow it: a
 * host can be started with `--ledger` or `--state`, which a later command does not know.
 */
import { basename, dirname, join, resolve } from 'node:path'
import { type ApiFile, readApiFile } from '../../host/api/api-file.ts'
import { processExists } from '../../host/api/process-exists.ts'
import { HOST_FILE } from '../../host/config/read-host-file.ts'
import { journalId } from '../../ledger/journal/mark.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import { DEFAULT_LEDGER } from '../../ledger/open.ts'
import { MYRMEX_FOLDER } from '../../ledger/private-folder.ts'
import { ToolError } from '../../protocol/errors.ts'
import { isObject } from '../../protocol/json.ts'
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

/** It answers at once, or a decision does not wait for it. */
const TIMEOUT_MS = 2000

/** Throws if the host that runs here has another ledger. If the operator has named this one, it only says so. */
export async function requireHostLedger(
  { db }: Pick<Ledger, 'db'>,
  { config = HOST_FILE, state, ledger }: HostLedgerOptions,
): Promise<void> {
  const host = await readApiFile(hostFolder(config, state)).catch(() => undefined)
  if (host === undefined || !processExists(host.pid)) return
  const theirs = await journalOf(host)
  if (theirs === undefined || theirs === ((await journalId(db)) ?? null)) return
  const other = `The host that runs here (process ${host.pid}) uses another ledger`
  if (ledger !== undefined) return say(`${other}, and does not follow this one`)
  throw ToolError.of(
    'ValidationError',
    `${other}. Nothing was changed. Name the one that it was started with: --ledger ADDRESS, or MYRMEX_LEDGER.`,
  )
}

/** Undefined if the host does not say. */
async function journalOf({ url, token }: ApiFile): Promise<string | null | undefined> {
  const headers = { authorization: `Bearer ${token}` }
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const answer: unknown = await fetch(new URL('/api/host', url), { headers, signal, redirect: 'error' })
    .then((response) => response.json())
    .catch(() => undefined)
  if (!isObject(answer) || (answer.journal !== null && typeof answer.journal !== 'string')) return undefined
  return answer.journal
}
