/** Many clients at once, each at something else, until there is no server left to ask. */
import type { Approver } from './approver.ts'
import type { Book, SeenTask } from './book.ts'
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
import { Chance } from './chance.ts'
import { pay, payInTask, race, rush } from './orders.ts'
import { Post } from './post.ts'
import { lookAt, work } from './tasks.ts'
import type { Wire } from './wire.ts'

type Flow = (post: Post) => Promise<void>

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
  readonly book: Book
  readonly wires: readonly Wire[]
  readonly approver: Approver | undefined
  /** earlier servers are known to be dead */
  readonly lapsed: boolean
  /** what chance begins with, and the names of all things */
  readonly name: string
}

export async function load(options: LoadOptions): Promise<void> {
  const clients = Array.from({ length: CLIENTS }, (_, number) => client(postAt(options, number)))
  const other = postAt(options, CLIENTS)
  const dead = new Set(options.lapsed ? options.book.tasks.values() : [])
  await Promise.all([rush(other), makeGood(other, dead), ...clients])
}

export function postAt(options: LoadOptions, number: number): Post {
  const name = `${options.name}.${number}`
  return new Post({ ...options, name, chance: new Chance(name) })
}

async function client(post: Post): Promise<void> {
  while (post.wire !== undefined) await post.chance.pick(DECK)(post)
}

/** Repeats what was never answered and what was answered last, and looks for tasks; `dead` are those of dead servers. */
export async function makeGood(post: Post, dead: ReadonlySet<SeenTask>): Promise<void> {
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
