/**
 * A process that leads runs until it is killed: on SQLite by itself, on PostgreSQL as one of several workers. It takes up what
 * it finds, keeps starting new ones, and says what it starts. It may be told to die by its own hand at a certain moment.
 */
import { flushCompileCache } from 'node:module'
import process from 'node:process'
import { setTimeout as after } from 'node:timers/promises'
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
  | { readonly word: 'answer'; readonly answer: unknown }
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

/** Gives runs to somebody who leads them. */
async function office(): Promise<(fresh: readonly string[]) => Promise<void>> {
  if (home.engine === 'postgres') {
    const worker = await startWorker(runs, home.address, { concurrency: 8, onFailure: complain, onHappening })
    return async (fresh) => {
      for (const id of fresh) await worker.enqueue(id)
    }
  }
  return async () => {
    const here = new Set(runs.leading)
    for (const id of await runs.toLead()) if (!here.has(id)) runs.lead(id, { onHappening }).catch(complain)
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
