/** Many clients at once, each at something else, until there is no server left to ask. */

import { SeededRandom } from '../seeded-random.ts'
import { pay, payInTask, race, rush } from './approved-calls.ts'
import type { Approver } from './approver.ts'
import {
  batch,
  chargeWithKey,
  chargeWithoutKey,
  look,
  relay,
  repeat,
  sendBatch,
  sendKeyed,
  think,
  unknownTool,
  wrongArguments,
} from './calls.ts'
import type { ClientRecord, SeenTask } from './client-record.ts'
import type { CrashConnection } from './connection.ts'
import { SimulatedClient } from './simulated-client.ts'
import { lookAt, work } from './tasks.ts'

type Flow = (post: SimulatedClient) => Promise<void>

/** How often each comes. */
const FLOWS: readonly (readonly [number, Flow])[] = [
  [24, look],
  [12, think],
  [5, relay],
  [2, wrongArguments],
  [2, unknownTool],
  [6, chargeWithoutKey],
  [18, chargeWithKey],
  [8, repeat],
  [6, batch],
  [5, pay],
  [3, race],
  [3, payInTask],
  [8, work],
]
const DECK = FLOWS.flatMap(([times, flow]) => Array.from({ length: times }, () => flow))

const CLIENTS = 48
/** What was answered last, right before the server died, is the most easily lost: so much of it is asked for again. */
const NEWEST = 24

export interface LoadOptions {
  readonly book: ClientRecord
  readonly wires: readonly CrashConnection[]
  readonly approver: Approver | undefined
  /** earlier servers are known to be dead */
  readonly lapsed: boolean
  /** what chance begins with, and the names of all things */
  readonly name: string
}

export async function load(options: LoadOptions): Promise<void> {
  const clients = Array.from({ length: CLIENTS }, (_, number) => client(clientAt(options, number)))
  const other = clientAt(options, CLIENTS)
  const dead = new Set(options.lapsed ? options.book.tasks.values() : [])
  await Promise.all([rush(other), finishPending(other, dead), ...clients])
}

export function clientAt(options: LoadOptions, number: number): SimulatedClient {
  const name = `${options.name}.${number}`
  return new SimulatedClient({ ...options, name, chance: new SeededRandom(name) })
}

async function client(post: SimulatedClient): Promise<void> {
  while (post.wire !== undefined) await post.chance.pick(DECK)(post)
}

/** Repeats what was never answered and what was answered last, and looks for tasks; `dead` are those of dead servers. */
export async function finishPending(post: SimulatedClient, dead: ReadonlySet<SeenTask>): Promise<void> {
  const { book } = post
  const { calls, batches } = book.unanswered
  const tasks = [...book.tasks.values()]
  const working = tasks.filter(({ status }) => status === 'working')
  const over = tasks.filter(({ status }) => status !== 'working')
  await Promise.all([
    ...[...calls, ...book.answeredKeys.slice(-NEWEST)].map((call) => sendKeyed(post, call)),
    ...batches.map((one) => sendBatch(post, one)),
    ...[...working, ...over.slice(-NEWEST)].map((task) => lookAt(post, task, dead.has(task))),
  ])
}
