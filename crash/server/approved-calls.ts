/** Calls that need an approval each: many callers for one yes, given from outside while the server is busy. */

import { slow } from './calls.ts'
import { type Order, RECENT } from './client-record.ts'
import { type SimulatedClient, toolQuestion } from './simulated-client.ts'
import { follow } from './tasks.ts'

export async function pay(post: SimulatedClient): Promise<void> {
  const order = chosen(post)
  await payNow(post, order)
  if (post.approver !== undefined && post.chance.often(0.7)) {
    await post.approver.decide(order, post.chance.often(0.9))
    await Promise.all([1, 2, 3].map(() => payNow(post, order)))
  }
}

export const race = (post: SimulatedClient): Promise<void> => raceFor(post, chosen(post))

/** Calls approved while no server was running are made by many clients as soon as one runs. */
export async function rush(post: SimulatedClient): Promise<void> {
  const open = [...post.book.orders.values()].filter(({ approved, ran }) => approved > ran.size)
  await Promise.all(open.slice(-RECENT).map((order) => raceFor(post, order)))
}

async function raceFor(post: SimulatedClient, order: Order): Promise<void> {
  await Promise.all([1, 2, 3, 4].map(() => payNow(post, order)))
}

function chosen(post: SimulatedClient): Order {
  const { book, chance } = post
  const known = [...book.orders.values()].slice(-RECENT)
  if (known.length > 0 && chance.often(0.6)) return chance.pick(known)
  const id = post.fresh()
  return book.order(id, slow(post, id), chance.often(0.3) ? `key of ${id}` : undefined)
}

async function payNow(post: SimulatedClient, order: Order): Promise<void> {
  const told = await post.call('crash.pay', order.args, order.key)
  if (told !== undefined) post.book.paid(order, told)
}

/** A client that speaks tasks waits for the human in one. */
export async function payInTask(post: SimulatedClient): Promise<void> {
  const { book, approver, chance } = post
  const order = chosen(post)
  const response = await post.ask({ ...toolQuestion('crash.pay', order.args, order.key), tasks: true })
  if (response === undefined) return
  const followed = follow(post, response, 'crash.pay', order.id)
  const asked = /approval (\w+)/.exec(String(response.result?.statusMessage))?.[1]
  if (asked !== undefined) order.waiting.add(asked)
  if (approver !== undefined && chance.often(0.7)) await approver.decide(order, chance.often(0.9))
  const told = await followed
  if (told !== undefined) book.paid(order, told)
}
