/**
 * A process that executes runs until it is killed: alone on SQLite, as one of several workers on PostgreSQL. It resumes the runs that it
 * finds, keeps starting new ones, and reports what it starts. A message can make it kill itself at a certain moment.
 */
import { flushCompileCache } from 'node:module'
import process from 'node:process'
import { setTimeout as after } from 'node:timers/promises'
import { runsOf } from '@myrmex/testing/fleet/local-fleet'
import { startQueueWorker } from '../../packages/myrmex/src/agent/run/queue-worker.ts'
import { openLedger } from '../../packages/myrmex/src/ledger/open.ts'
import { SeededRandom } from '../seeded-random.ts'
import type { LedgerHome } from '../server/server-process.ts'
import { EffectsFile } from './effects-file.ts'
import type { KillMoment } from './kill-moment.ts'
import { killSwitchFor, watchLedger } from './kill-switch.ts'
import { drawKind, requestOf } from './ten-step-plans.ts'
import { POLICY, toolsOf } from './tools.ts'

export interface WorkerOptions {
  readonly home: LedgerHome
  readonly seed: string
  /** so many runs are kept going; 0: what is there is brought to its end */
  readonly atOnce: number
  readonly moment: KillMoment
}

/** What it tells its parent. */
export type WorkerMessage =
  | { readonly word: 'ready'; readonly owner: string }
  | { readonly word: 'started'; readonly run: string }
  | { readonly word: 'answer'; readonly answer: unknown }
  | { readonly word: 'failure'; readonly why: string }

const LOOK_EVERY_MS = 20
const LONGEST_PAUSE_MS = 12

const { home, seed, atOnce, moment } = JSON.parse(process.argv[2] as string) as WorkerOptions
const say = (word: WorkerMessage): void => void process.send?.(word)
const complain = (thrown: unknown): void =>
  say({ word: 'failure', why: thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown) })
// Without its parent it is of no use.
process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'))

const chance = new SeededRandom(seed)
const fuse = killSwitchFor(moment)
const ledger = await openLedger(home.address, { keyFile: home.key, onFailure: complain })
watchLedger(ledger, fuse)
const pause_ms = (): number => (chance.often(0.3) ? 0 : chance.between(1, LONGEST_PAUSE_MS))
const tools = toolsOf(new EffectsFile(home.effects), { pause_ms, onEffect: () => fuse('effect') })
const runs = runsOf(tools, ledger, { policy: POLICY })
await ledger.processes.register()
say({ word: 'ready', owner: ledger.processes.id })
// By itself it is kept only when a process ends in order, which none of these does.
flushCompileCache()
const onEvent = (): void => fuse('happening')

/** Gives runs to somebody who leads them. */
async function office(): Promise<(fresh: readonly string[]) => Promise<void>> {
  if (home.engine === 'postgres') {
    const worker = await startQueueWorker(runs, home.address, { concurrency: 8, onFailure: complain, onEvent })
    return async (fresh) => {
      for (const id of fresh) await worker.enqueue(id)
    }
  }
  return async () => {
    const here = new Set(runs.active)
    for (const id of await runs.pending()) if (!here.has(id)) runs.execute(id, { onEvent }).catch(complain)
  }
}

/** New ones, so that as many are at work as are wanted. Others may start some too. */
async function startSome(): Promise<string[]> {
  const open = atOnce === 0 ? [] : await ledger.runs.list({ open: true })
  const started: string[] = []
  for (let busy = open.filter(({ status }) => status === 'running').length; busy < atOnce; busy++) {
    const { id } = await runs.start(requestOf(drawKind(chance)))
    say({ word: 'started', run: id })
    started.push(id)
  }
  return started
}

const handOut = await office()
for (;;) {
  try {
    await handOut(await startSome())
  } catch (thrown) {
    complain(thrown)
  }
  await after(LOOK_EVERY_MS)
}
