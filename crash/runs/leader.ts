/**
 * A process that leads runs until it is killed: on SQLite by itself, on PostgreSQL as one of several workers. It takes up what
 * it finds, keeps starting new ones, and says what it starts. It may be told to die by its own hand at a certain moment.
 */
import { flushCompileCache } from 'node:module'
import process from 'node:process'
import { setTimeout as after } from 'node:timers/promises'
import type { Runs } from '../../packages/myrmex/src/agent/run/runs.ts'
import { startWorker } from '../../packages/myrmex/src/agent/run/worker.ts'
import { openLedger } from '../../packages/myrmex/src/ledger/open.ts'
import { runsOf } from '../../test/fleet.ts'
import { Chance } from '../chance.ts'
import type { Home } from '../server-process.ts'
import { fuseOf, watchStatements } from './fuse.ts'
import type { Moment } from './moment.ts'
import { drawKind, requestOf } from './plans.ts'
import { POLICY, toolsOf } from './tools.ts'
import { World } from './world.ts'

export interface Orders {
  readonly home: Home
  readonly seed: string
  /** so many runs are kept going; 0: what is there is brought to its end */
  readonly atOnce: number
  readonly moment: Moment
}

/** What it tells its parent. */
export type Word =
  | { readonly word: 'ready'; readonly owner: string }
  | { readonly word: 'started'; readonly run: string }
  | { readonly word: 'failure'; readonly why: string }

const LOOK_EVERY_MS = 20
const LONGEST_PAUSE_MS = 12

const { home, seed, atOnce, moment } = JSON.parse(process.argv[2] as string) as Orders
const say = (word: Word): void => void process.send?.(word)
const complain = (thrown: unknown): void =>
  say({ word: 'failure', why: thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown) })
// Without its parent it is of no use.
process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'))

const chance = new Chance(seed)
const fuse = fuseOf(moment)
const ledger = await openLedger(home.address, { keyFile: home.key, onFailure: complain })
watchStatements(ledger.db, fuse)
const pause_ms = (): number => (chance.often(0.3) ? 0 : chance.between(1, LONGEST_PAUSE_MS))
const tools = toolsOf(new World(home.effects), { pause_ms, onEffect: () => fuse('effect') })
const runs = runsOf(tools, ledger, { policy: POLICY })
await ledger.owners.announce()
say({ word: 'ready', owner: ledger.owners.id })
// By itself it is kept only when a process ends in order, which none of these does.
flushCompileCache()
const onHappening = (): void => fuse('happening')

/** Gives every run to somebody who leads it. */
async function office(): Promise<(runs: Runs, isNew: string | undefined) => Promise<void>> {
  if (home.engine === 'postgres') {
    const worker = await startWorker(runs, home.address, { concurrency: 8, onFailure: complain, onHappening })
    return async (_runs, isNew) => {
      if (isNew !== undefined) await worker.enqueue(isNew)
    }
  }
  return async ({ leading }) => {
    const here = new Set(leading)
    for (const id of await runs.toLead()) if (!here.has(id)) runs.lead(id, { onHappening }).catch(complain)
  }
}

const isWanted = async (): Promise<boolean> =>
  atOnce > 0 && (await ledger.runs.list({ open: true })).filter(({ status }) => status === 'running').length < atOnce

const handOut = await office()
for (;;) {
  const isNew = (await isWanted()) ? (await runs.start(requestOf(drawKind(chance)))).id : undefined
  if (isNew !== undefined) say({ word: 'started', run: isNew })
  try {
    await handOut(runs, isNew)
  } catch (thrown) {
    complain(thrown)
  }
  await after(LOOK_EVERY_MS)
}
