/**
 * Produces live events while somebody listens, and for a while after, so that a reader that reconnects soon misses nothing. The ledger
 * is polled: calls cost nothing extra, and changes by other processes are seen too.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { followRecords } from '../../../ledger/audit/follow.ts'
import { newestRecords } from '../../../ledger/audit/read.ts'
import { type LedgerChange, LedgerChanges } from '../../../ledger/changes.ts'
import { approvalJson } from '../../../ledger/decisions/approval-view.ts'
import type { RouteContext } from '../route-context.ts'
import { CallStream } from './call-stream.ts'
import type { EventLog } from './event-log.ts'
import type { LiveEvent } from './live-event.ts'
import { watchServers, watchTools } from './watch-lists.ts'

const POLL_MS = 250
const AFTER_FAILURE_MS = 1000
/** How long it continues without readers. */
const GRACE_MS = 60_000

export class LiveEventSource {
  readonly #context: Omit<RouteContext, 'events'>
  readonly #events: EventLog
  #started: Promise<void> | undefined
  #stop: (() => void) | undefined
  #grace: NodeJS.Timeout | undefined
  #closed = false

  constructor(context: Omit<RouteContext, 'events'>, events: EventLog) {
    this.#context = context
    this.#events = events
    events.onLastReaderGone(() => {
      clearTimeout(this.#grace)
      this.#grace = setTimeout(() => {
        // A reader may have connected meanwhile.
        if (events.readers === 0) this.#end()
      }, GRACE_MS).unref()
    })
  }

  /** Resolves when all further events will be published. */
  start(): Promise<void> {
    clearTimeout(this.#grace)
    this.#started ??= this.#open().catch((thrown) => {
      this.#started = undefined
      throw thrown
    })
    return this.#started
  }

  close(): void {
    this.#closed = true
    this.#end()
  }

  async #open(): Promise<void> {
    const { server, ledger, host } = this.#context
    const publish = (event: LiveEvent): void => this.#events.publish(event)
    const stopped = new AbortController()
    const { signal } = stopped
    const { seq } = await newestRecords(ledger.db, 0)
    const changes = new LedgerChanges(ledger)
    await changes.poll()
    if (this.#closed) return
    const calls = new CallStream(publish)
    const [, wake] = [this.#followCalls(seq, calls, signal), this.#pollLedger(changes, publish, signal)]
    const ends = [
      watchTools(server.registry, publish),
      ...(host === undefined ? [] : [watchServers(host, publish)]),
      // A decision made in this process is published at once.
      ledger.approvals.onDecision(wake),
      () => calls.close(),
      () => stopped.abort(),
    ]
    this.#stop = () => {
      for (const end of ends) end()
    }
  }

  #end(): void {
    clearTimeout(this.#grace)
    this.#stop?.()
    this.#stop = undefined
    this.#started = undefined
    this.#events.forgetEvents()
  }

  /** A failing ledger is logged and polled again. */
  async #followCalls(from: number, calls: CallStream, signal: AbortSignal): Promise<void> {
    const { server, ledger } = this.#context
    let after = from
    while (!signal.aborted && !ledger.closed) {
      try {
        for await (const { lines, seq } of followRecords(ledger.db, after, signal)) {
          calls.tell(lines)
          after = seq
        }
      } catch (thrown) {
        if (signal.aborted || ledger.closed) return
        server.fault(thrown)
        await pause(AFTER_FAILURE_MS, undefined, { ref: false })
      }
    }
  }

  /** Returns a function that polls at once. */
  #pollLedger(changes: LedgerChanges, publish: (event: LiveEvent) => void, signal: AbortSignal): () => void {
    const { server, ledger } = this.#context
    let wake = (): void => {}
    const turns = async (): Promise<void> => {
      while (!signal.aborted && !ledger.closed) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, POLL_MS).unref()
          wake = () => {
            clearTimeout(timer)
            resolve()
          }
        })
        if (signal.aborted || ledger.closed) return
        try {
          for (const item of await changes.poll()) publish(toLiveEvent(item))
        } catch (thrown) {
          if (signal.aborted || ledger.closed) return
          server.fault(thrown)
          await pause(AFTER_FAILURE_MS, undefined, { ref: false })
        }
      }
    }
    void turns()
    signal.addEventListener('abort', () => wake(), { once: true })
    return () => wake()
  }
}

function toLiveEvent(item: LedgerChange): LiveEvent {
  if (item.what === 'approval') return { type: 'approval', data: approvalJson(item.approval) }
  if (item.what === 'definition') {
    const { tool, version, hash } = item.definition
    return { type: 'trust', data: { kind: 'definition', tool, version, hash } }
  }
  if (item.what === 'decision') {
    const { tool, version, hash, level, set_by } = item.decision
    return { type: 'trust', data: { kind: 'decision', tool, version, hash, level, by: set_by } }
  }
  const { id, tool, version, hash, granted_by, revoked_by } = item.grant
  const revoked = revoked_by !== null
  const kind = revoked ? 'revocation' : 'grant'
  return { type: 'trust', data: { kind, tool, version, hash, grant: id, by: revoked ? revoked_by : granted_by } }
}
