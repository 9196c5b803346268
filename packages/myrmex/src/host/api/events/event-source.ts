/**
 * Looks for what happens while somebody listens, and for a while after the last one has gone, so that one who comes back soon has
 * missed nothing. The ledger is looked at rather than hooked into: calls pay nothing for it, and other processes are seen too.
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
import { watchServers } from './server-events.ts'
import { watchTools } from './tool-events.ts'

const LOOK_EVERY_MS = 250
const AFTER_FAILURE_MS = 1000
/** How long it goes on without anybody listening. */
const GRACE_MS = 60_000

export class LiveEventSource {
  readonly #parts: Omit<RouteContext, 'events'>
  readonly #events: EventLog
  #begun: Promise<void> | undefined
  #stop: (() => void) | undefined
  #grace: NodeJS.Timeout | undefined
  #closed = false

  constructor(parts: Omit<RouteContext, 'events'>, events: EventLog) {
    this.#parts = parts
    this.#events = events
    events.onLastReaderGone(() => {
      clearTimeout(this.#grace)
      this.#grace = setTimeout(() => {
        // Somebody may have come while the last one left.
        if (events.readers === 0) this.#end()
      }, GRACE_MS).unref()
    })
  }

  /** Resolves when whatever happens from now on will be told. */
  start(): Promise<void> {
    clearTimeout(this.#grace)
    this.#begun ??= this.#open().catch((thrown) => {
      this.#begun = undefined
      throw thrown
    })
    return this.#begun
  }

  close(): void {
    this.#closed = true
    this.#end()
  }

  async #open(): Promise<void> {
    const { server, ledger, host } = this.#parts
    const publish = (event: LiveEvent): void => this.#events.publish(event)
    const stopped = new AbortController()
    const { signal } = stopped
    const { seq } = await newestRecords(ledger.db, 0)
    const news = new LedgerChanges(ledger)
    await news.poll()
    if (this.#closed) return
    const calls = new CallStream(publish)
    const [, wake] = [this.#calls(seq, calls, signal), this.#news(news, publish, signal)]
    const ends = [
      watchTools(server.registry, publish),
      ...(host === undefined ? [] : [watchServers(host, publish)]),
      // A decision that was made here need not wait for its turn.
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
    this.#begun = undefined
    this.#events.forgetEvents()
  }

  /** A ledger that fails is told in the log, and looked at again. */
  async #calls(from: number, calls: CallStream, signal: AbortSignal): Promise<void> {
    const { server, ledger } = this.#parts
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

  /** Gives what makes it look at once. */
  #news(news: LedgerChanges, publish: (event: LiveEvent) => void, signal: AbortSignal): () => void {
    const { server, ledger } = this.#parts
    let wake = (): void => {}
    const turns = async (): Promise<void> => {
      while (!signal.aborted && !ledger.closed) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, LOOK_EVERY_MS).unref()
          wake = () => {
            clearTimeout(timer)
            resolve()
          }
        })
        if (signal.aborted || ledger.closed) return
        try {
          for (const item of await news.poll()) publish(told(item))
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

function told(item: LedgerChange): LiveEvent {
  if (item.what === 'approval') return { type: 'approval', data: approvalJson(item.approval) }
  if (item.what === 'definition') {
    const { tool, version, hash } = item.definition
    return { type: 'trust', data: { what: 'definition', tool, version, hash } }
  }
  if (item.what === 'decision') {
    const { tool, version, hash, level, set_by } = item.decision
    return { type: 'trust', data: { what: 'decision', tool, version, hash, level, by: set_by } }
  }
  const { id, tool, version, hash, granted_by, revoked_by } = item.grant
  const revoked = revoked_by !== null
  const what = revoked ? 'revocation' : 'grant'
  return { type: 'trust', data: { what, tool, version, hash, grant: id, by: revoked ? revoked_by : granted_by } }
}
