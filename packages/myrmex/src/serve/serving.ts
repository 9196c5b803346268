/** What commands that serve share: the operator's files, the ledger, and listening until EOF or a signal. */
import type { Writable } from 'node:stream'
import { switchesView } from '../ledger/decisions/switch-view.ts'
import { BY_CONFIGURATION } from '../ledger/decisions/trust-row.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { Constitution } from '../pipeline/rules/constitution.ts'
import type { Policy } from '../pipeline/rules/policy.ts'
import { log } from '../server/log.ts'
import type { Server } from '../server/server.ts'
import type { HttpListener } from '../transport/http/listen.ts'
import { listenHttp } from '../transport/listen-http.ts'
import { serveStdio } from '../transport/stdio.ts'
import { type LedgerFlags, openChosenLedger } from './ledger.ts'
import { localUsersOption } from './local-users.ts'
import { modeText } from './mode-text.ts'
import { loadRules, type RulesFlags } from './operator-file.ts'
import { type AccessFlags, accessFlags } from './options.ts'
import { stopOnSignal } from './signals.ts'
import { switchLines } from './switch-text.ts'
import { say } from './terminal.ts'

export interface ServingParts {
  readonly policy: Policy
  readonly constitution: Constitution
  readonly ledger: Ledger
  /** Counts failures of the ledger in the server's metrics. */
  countFailures(server: Server): void
}

/** Old audit records are pruned as the policy says. */
export async function openServingParts(flags: LedgerFlags & RulesFlags): Promise<ServingParts> {
  const rules = await loadRules(flags)
  let count = (): void => {}
  const onFailure = (thrown: unknown): void => {
    count()
    log.error({ thrown }, 'the ledger failed')
  }
  const { keep_days: days, durability, anchors, anchor_seconds = 60 } = rules.policy.audit ?? {}
  const ledger = await openChosenLedger(flags, 'create', onFailure, durability)
  say(modeText(ledger))
  for (const line of switchLines(switchesView(ledger.switches.state))) say(line)
  ledger.lock.onUnsigned = (table, row) => logUnsigned(table, row)
  if (anchors !== undefined) ledger.startAnchors(anchors, anchor_seconds * 1000, onFailure)
  if (days !== undefined) pruneRegularly(ledger, days)
  return {
    ...rules,
    ledger,
    countFailures(server) {
      const failures = server.measures.counter('myrmex_ledger_failures_total', 'Times the ledger failed.')
      count = () => failures.inc()
    },
  }
}

/** Trust from the file waits for a signature as it should, and is announced by the host. */
function logUnsigned(table: string, row: object): void {
  const { tool, version, id, set_by, granted_by, decided_by } = row as Readonly<Record<string, unknown>>
  if ((set_by ?? granted_by) === BY_CONFIGURATION) return
  const by = set_by ?? granted_by ?? decided_by
  log.warn({ table, id, tool, version, by }, "a decision without the operator's signature was ignored")
}

const HOUR_MS = 3_600_000

/** Prunes audit records that are older than `days`: shortly after the start, which must be quick, and every hour. */
function pruneRegularly(ledger: Ledger, days: number): void {
  const prune = async (): Promise<void> => {
    const { prune } = await import('../ledger/journal/retention.ts')
    const { removed, kept } = await prune(ledger, Date.now() - days * 24 * HOUR_MS)
    if (removed.length > 0) log.info({ segments: removed.length, keep_days: days }, 'old audit records were pruned')
    for (const { chain, why } of kept)
      log.error({ chain, why }, 'old audit records were not pruned: they do not verify')
  }
  const now = (): void => {
    prune().catch((thrown) => log.error({ thrown }, 'old audit records could not be pruned'))
  }
  setInterval(now, HOUR_MS).unref()
  setTimeout(now, 1000).unref()
}

export async function serveUntilEof(server: Server, output: Writable, profile?: string): Promise<void> {
  const stdio = serveStdio(server, { output, ...(profile !== undefined && { profile }) })
  stopOnSignal(stdio.stop)
  await stdio.done
}

/** Callers need MYRMEX_TOKEN, if it is set. */
export function listenWithToken(
  server: Server,
  { http = 0, host, ...flags }: { http?: number; host: string } & AccessFlags,
  policy: Policy,
): Promise<HttpListener> {
  const token = process.env.MYRMEX_TOKEN
  return listenHttp(server, {
    port: http,
    host,
    policy,
    tokens: server.ledger.tokens,
    ...accessFlags(flags),
    ...localUsersOption(),
    ...(token !== undefined && { token }),
  })
}
