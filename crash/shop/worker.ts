/**
 * A process that runs the shop until it is killed: the real agents on a real file. It resumes the runs it finds, launches
 * brands, simulates days, serves customers, and accepts order forms as the storefront does. A message can make it kill itself.
 */
import { flushCompileCache } from 'node:module'
import process from 'node:process'
import { setTimeout as after } from 'node:timers/promises'
import { openFleet } from 'myrmex/fleet'
import { type NewOrder, openShop, simulateDays } from '../../packages/dropship/src/index.ts'
import { rulesBrain } from '../../packages/myrmex/src/agent/brain/rules-brain.ts'
import { Runs, type StartRequest } from '../../packages/myrmex/src/agent/run/runs.ts'
import { openLedger } from '../../packages/myrmex/src/ledger/open.ts'
import { killSwitchFor, watchLedger } from '../runs/kill-switch.ts'
import type { WorkerMessage } from '../runs/worker.ts'
import { SeededRandom } from '../seeded-random.ts'
import { agentsOf, LAUNCHES, playbooksOf, SERVE } from './fleet.ts'
import { watchShop } from './shop-kill-switch.ts'
import type { ShopWorkerOptions } from './worker-options.ts'

/** What its parent may tell it: somebody has sent this form. */
export interface OrderForm {
  readonly key: string
  readonly order: NewOrder
}

/** What it answers. */
export interface PlacedOrder {
  readonly key: string
  readonly order_id: string
}

const LOOK_EVERY_MS = 20
const ATTEMPTS = 12
const ONLY_BUDGET = 3000

const { home, seed, atOnce, moment, only } = JSON.parse(process.argv[2] as string) as ShopWorkerOptions
const say = (word: WorkerMessage): void => void process.send?.(word)
const complain = (thrown: unknown): void =>
  say({ word: 'failure', why: thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown) })
// Without its parent it is of no use.
process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'))

const chance = new SeededRandom(seed)
const fuse = killSwitchFor(moment)
const ledger = await openLedger(home.address, { keyFile: home.key, onFailure: complain })
watchLedger(ledger, fuse)
const shop = await openShop({ file: home.effects })
const watched = watchShop(shop.db, fuse)
const source = async () => shop
const observe = ({ thrown }: { thrown: unknown }): void => complain(thrown)
const options = { ledger, agents: agentsOf(source), playbooks: playbooksOf(source), brain: rulesBrain, observe }
const fleet = await openFleet({ agents: {} }, options)
for (const { agent, message } of fleet.problems) complain(new Error(`${agent}: ${message}`))
const runs = new Runs({ fleet, ledger, brain: rulesBrain })
process.on('message', ({ key, order }: OrderForm) => {
  shop.orders.place(order, key).then(({ order_id }) => {
    const answer: PlacedOrder = { key, order_id }
    say({ word: 'answer', answer })
  }, complain)
})
await ledger.processes.register()
say({ word: 'ready', owner: ledger.processes.id })
// By itself it is kept only when a process ends in order, which none of these does.
flushCompileCache()

const WAITING = `SELECT (SELECT count(*) FROM orders WHERE status = 'paid')
  + (SELECT count(*) FROM tickets WHERE status = 'open') AS waiting`

async function start(goal: string, budget: StartRequest['budget'] = {}): Promise<void> {
  const { id } = await runs.start({
    goal,
    principal: { id: 'olga', kind: 'local' },
    approve: 'all',
    budget,
    attempts: ATTEMPTS,
  })
  say({ word: 'started', run: id })
}

/** A launch is much work: with two at once most lives would end before either gets anywhere. */
const mostLaunches = chance.often(0.3) ? 2 : 1

/** Unless somebody before has. */
async function startOnly(goal: string): Promise<void> {
  if ((await ledger.runs.list({ limit: 1 })).length === 0) await start(goal, { money: ONLY_BUDGET })
}

/** The market moves between two runs that serve; launches go on meanwhile, and are taken up on another day. */
async function startSome(): Promise<void> {
  const open = (await ledger.runs.list({ open: true })).map(({ goal }) => goal)
  if (!open.includes(SERVE)) {
    if (atOnce > 0 && chance.often(0.5)) watched.simulating(() => simulateDays(shop.db, 1))
    if (Number(shop.db.prepare(WAITING).get()?.waiting) > 0) {
      await start(SERVE)
      // Now and then two want to serve the same customers: each of them is served by one.
      if (atOnce > 0 && chance.often(0.15)) await start(SERVE)
    }
  }
  const launches = open.filter((goal) => goal !== SERVE)
  const left = LAUNCHES.filter((goal) => !launches.includes(goal))
  if (atOnce > 0 && launches.length < mostLaunches && chance.often(0.3))
    await start(chance.pick(left), { money: chance.between(300, 5000) })
}

for (;;) {
  try {
    await (only === undefined ? startSome() : startOnly(only))
    const here = new Set(runs.active)
    const onEvent = (): void => fuse('happening')
    for (const id of await runs.pending()) if (!here.has(id)) runs.execute(id, { onEvent }).catch(complain)
  } catch (thrown) {
    complain(thrown)
  }
  await after(LOOK_EVERY_MS)
}
