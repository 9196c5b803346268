/** The host under test, in a process of its own that can say how much it holds. Started by host.ts with what to host. */
import { readdirSync } from 'node:fs'
import { setTimeout as after } from 'node:timers/promises'
import { openHost } from '../../packages/myrmex/src/host/host.ts'
import type { ServerSettings } from '../../packages/myrmex/src/host/settings.ts'
import { openLedger } from '../../packages/myrmex/src/ledger/open.ts'
import { listenHttp } from '../../packages/myrmex/src/transport/listen-http.ts'

export interface HostSettings {
  readonly folder: string
  readonly settings: readonly ServerSettings[]
}

/** What the process holds once everything that can be let go of is. */
export interface HeldResources {
  /** how many it hosts */
  readonly servers: number
  readonly files: number
  /** what keeps the event loop busy, by kind */
  readonly handles: Readonly<Record<string, number>>
  readonly heapBytes: number
  readonly outsideBytes: number
  readonly residentBytes: number
  /** the same before anything was let go of: what an operator sees right after the traffic */
  readonly busyBytes: number
}

export type Order = 'measure' | 'servers' | 'end'

/** One collection sets free what the next one finds, and pages go back a while after. */
const COLLECTIONS = 5
const BETWEEN_MS = 100
/** Those who crash again and again are waited for here no longer than this, or the test would wait most of the time. */
const PACE = { longestWaitMs: 1000, cooldownMs: 1000 }

async function measure(): Promise<HeldResources> {
  const busyBytes = process.memoryUsage.rss()
  for (let times = 0; times < COLLECTIONS; times++) {
    await globalThis.gc?.({ type: 'major', execution: 'async', flavor: 'last-resort' })
    await after(BETWEEN_MS)
  }
  const handles: Record<string, number> = {}
  for (const kind of process.getActiveResourcesInfo()) handles[kind] = (handles[kind] ?? 0) + 1
  const { heapUsed, external, rss } = process.memoryUsage()
  const files = process.platform === 'linux' ? readdirSync('/proc/self/fd').length : 0
  return {
    servers: settings.length,
    files,
    handles,
    heapBytes: heapUsed,
    outsideBytes: external,
    residentBytes: rss,
    busyBytes,
  }
}

const { folder, settings } = JSON.parse(process.argv[2] ?? '{}') as HostSettings
const ledger = await openLedger(`${folder}/ledger.db`, { keyFile: `${folder}/key` })
const log = (level: string, line: string): void => void process.stderr.write(`${level} ${line}\n`)
const host = await openHost({ settings, ledger, cacheFolder: folder, log, backoff: PACE })
const listening = await listenHttp(host.server)

process.on('message', async (order: Order) => {
  if (order === 'measure') process.send?.(await measure())
  else if (order === 'servers') process.send?.(host.servers())
  else {
    await listening.close()
    await host.close()
    await ledger.close()
    process.disconnect?.()
  }
})
process.on('disconnect', () => process.exit())
process.send?.(listening.url)
