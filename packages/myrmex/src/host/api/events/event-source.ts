/**
 * Produces live events while somebody listens, and for a while after, so that a reader that reconnects soon misses nothing. The ledger
 * is polled: calls cost nothing extra, and changes by other processes are seen too.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { type LedgerChange, LedgerChanges } from '../../../ledger/changes.ts'
import { approvalJson } from '../../../ledger/decisions/approval-view.ts'
import { switchesView } from '../../../ledger/decisions/switch-view.ts'
import { markedChains } from '../../../ledger/journal/mark.ts'
import { followRecords, JournalCursor } from '../../../ledger/journal/read.ts'
import { RateLimit } from '../../rate-limit.ts'
import type { RouteContext } from '../route-context.ts'
import { callSummary } from '../routes/calls.ts'
import { EventLog } from './event-log.ts'
import type { LiveEvent } from './live-event.ts'
import { watchServers, watchTools } from './watch-lists.ts'

const POLL_MS = 250
const MAX_CALLS_PER_SECOND = 200
const AFTER_FAILURE_MS = 1000
/** How long it continues without readers. */
const GRACE_MS = 60_000

export class LiveEventSource {
  readonly events: EventLog = new EventLog()
  readonly #context: RouteContext
  #started: Promise<void> | undefined
  #stop: (() => void) | undefined
  #grace: NodeJS.Timeout | undefined
  #closed = false

  constructor(context: RouteContext) {
    this.#context = context
    this.events.onLastReaderGone = () => {
      clearTimeout(this.#grace)
      this.#grace = setTimeout(() => {
        // A reader may have connected meanwhile.
        if (this.events.readers === 0) this.#end()
      }, GRACE_MS).unref()
    }
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
    this.events.close()
  }

  async #open(): Promise<void> {
    const { server, ledger, host } = this.#context
    const publish: Publish = (event) => this.events.publish(event)
    const stopped = new AbortController()
    const { signal } = stopped
    const cursor = await new JournalCursor(ledger.journal.store, () => markedChains(ledger.db)).skipToEnd()
    const changes = new LedgerChanges(ledger)
    await changes.poll()
    if (this.#closed) return
    const limit = new RateLimit(MAX_CALLS_PER_SECOND, (count) => publish({ type: 'calls_skipped', data: { count } }))
    this.#followCalls(cursor, limit, publish, signal)
    const wake = this.#pollLedger(changes, publish, signal)
    const ends = [
      watchTools(server.registry, publish),
      ...(host === undefined ? [] : [watchServers(host, publish)]),
      // A decision made in this process is published at once.
      ledger.approvals.onDecision(wake),
      ledger.switches.onChange((state) => publish({ type: 'switches', data: switchesView(state) })),
      () => limit.report(),
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
    this.events.forgetEvents()
  }

  #followCalls(cursor: JournalCursor, limit: RateLimit, publish: Publish, signal: AbortSignal): void {
    void this.#repeat(signal, async () => {
      for await (const records of followRecords(cursor, signal)) {
        for (const record of records) if (limit.pass()) publish({ type: 'call', data: callSummary(record) })
      }
    })
  }

  /** Returns a function that polls at once. */
  #pollLedger(changes: LedgerChanges, publish: Publish, signal: AbortSignal): () => void {
    let wake = (): void => {}
    void this.#repeat(signal, async () => {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, POLL_MS).unref()
        wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
      if (this.#isOver(signal)) return
      for (const item of await changes.poll()) publish(toLiveEvent(item))
    })
    signal.addEventListener('abort', () => wake(), { once: true })
    return () => wake()
  }

  #isOver(signal: AbortSignal): boolean {
    return signal.aborted || this.#context.ledger.closed
  }

  /** A failing ledger is logged and read again. */
  async #repeat(signal: AbortSignal, turn: () => Promise<void>): Promise<void> {
    while (!this.#isOver(signal)) {
      try {
        await turn()
      } catch (thrown) {
        if (this.#isOver(signal)) return
        this.#context.server.fault(thrown)
        await pause(AFTER_FAILURE_MS, undefined, { ref: false })
      }
    }
  }
}

type Publish = (event: LiveEvent) => void

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
