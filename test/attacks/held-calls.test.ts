/**
 * Calls that wait for a person can be held open, which keeps memory and a connection for as long as the operator said.
 *
 * Attacker: a remote caller
 * Attack: sends calls that need approval by the thousand, so that the host holds all of them, has no place for others, and asks the store for
 * each again and again. Or repeats a denied call, written in another way, until a person approves by mistake.
 * Stopped by: so many calls are held of each caller, and of all; the others fail at once. One query looks for the decisions of all. A denial
 * answers the same call for a while, by its canonical hash.
 */
import { approvalOf, call, eventually, principalNamed, serveRefundTool } from '@myrmex/testing/gated-server'
import { expect, test } from 'vitest'

test('a caller with a thousand calls holds its share, others are held still, and the store is asked as for one', async () => {
  const { server, ledger } = await serveRefundTool({}, { waiting: { hold: '60 s', max_held_each: 10 } })
  const ask = (n: number, id: string) => call(server, 'shop.refund', { n }, { principal: principalNamed(id) })
  const ended: string[] = []
  const all = Array.from({ length: 300 }, (_, n) =>
    ask(n, 'mallory').then(({ error }) => void ended.push(error?.error_details.status)),
  )
  await eventually(() => expect(ended).toHaveLength(290))
  expect(server.pipeline.heldCalls.size).toBe(10)
  const ann = ask(1, 'ann')
  await eventually(() => expect(server.pipeline.heldCalls.size).toBe(11))
  let asked = 0
  const { db } = ledger
  const query = db.query.bind(db)
  db.query = ((...args: Parameters<typeof query>) => {
    asked++
    return query(...args)
  }) as typeof db.query
  // Two looks by each, and one of the watch four times a second.
  await new Promise((resolve) => setTimeout(resolve, 1000))
  db.query = query as typeof db.query
  expect(asked).toBeLessThan(25)
  for (const { id } of await ledger.approvals.list('waiting', 1000)) await ledger.approvals.deny(id, 'ada')
  await Promise.all([...all, ann])
  expect(server.pipeline.heldCalls.size).toBe(0)
})

test('a denied call is the same call in another spelling, and opens no other request', async () => {
  const { server, ledger } = await serveRefundTool()
  await ledger.approvals.deny(approvalOf(await call(server, 'shop.refund', { n: 100, text: 'é' })), 'ada', 'never')
  for (const text of ['{"text":"\\u00e9","n":1e2}', '{ "n" : 100.0, "text":"é" }'])
    expect((await call(server, 'shop.refund', JSON.parse(text))).error?.error_details.status).toBe('denied')
  expect(await ledger.approvals.list()).toHaveLength(1)
})
