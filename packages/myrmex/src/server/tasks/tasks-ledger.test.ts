/** Tasks in the ledger: nobody hears of one that is not kept, and one that is kept is found by every process, to its end. */

import { countedTool, eventually, latch, principalNamed, serve, serveRefundTool } from '@myrmex/testing/gated-server'
import { modernPeer, type Peer, TASKS_CAPABILITY } from '@myrmex/testing/mcp-peer'
import { expect, onTestFinished, test, vi } from 'vitest'

/** A tool that works until the test lets it end, as a task for clients with the extension. */
const job = () => {
  const { open, opened } = latch()
  const counted = countedTool('job.long', {
    task: true,
    idempotent: false,
    deprecatedIn: '1.0.0',
    run: () => opened.then(() => ({ done: true })),
  })
  return { ...counted, finish: open }
}

const start = async (peer: Peer, name = 'long') => {
  const { result } = await peer.request('tools/call', { name, arguments: {} })
  return result.taskId as string
}
const get = async (peer: Peer, taskId: string) => (await peer.request('tasks/get', { taskId })).result
const until = (peer: Peer, taskId: string, status: string) =>
  eventually(async () => {
    const task = await get(peer, taskId)
    expect(task.status).toBe(status)
    return task
  })
/** From now on this fails in the ledger, until `ALLOW` is executed. */
const forbid = (what: string) => `CREATE TRIGGER forbidden BEFORE ${what} BEGIN SELECT RAISE(ABORT, 'disk full'); END`
const ALLOW = 'DROP TRIGGER forbidden'

test('is found by another process while it works, which can look but not touch', async () => {
  const long = job()
  const { server, file } = await serve([long])
  const other = await serve([long], { file })
  const taskId = await start(modernPeer(server, TASKS_CAPABILITY))
  const peer = modernPeer(other.server, TASKS_CAPABILITY)
  expect(await get(peer, taskId)).toMatchObject({ taskId, status: 'working' })
  for (const method of ['tasks/cancel', 'tasks/update']) {
    const { error } = await peer.request(method, { taskId, inputResponses: {} })
    expect(error).toMatchObject({ code: -32602 })
    expect(error?.message).toMatch(/another process/)
  }
  await expect(other.server.tasks.find(taskId, principalNamed('eve'))).rejects.toThrow(/Unknown task/)
  long.finish()
  expect(await until(peer, taskId, 'completed')).toMatchObject({ result: { structuredContent: { done: true } } })
})

test('is found after a restart, with its result', async () => {
  const long = job()
  const { server, ledger, file } = await serve([long])
  const peer = modernPeer(server, TASKS_CAPABILITY)
  const taskId = await start(peer)
  const before = new Date()
  long.finish()
  const { lastUpdatedAt: _, ...done } = await until(peer, taskId, 'completed')
  server.close()
  await ledger.close()
  const after = await serve([long], { file })
  const found = await get(modernPeer(after.server, TASKS_CAPABILITY), taskId)
  expect(found).toMatchObject(done)
  expect(found.result._meta).toMatchObject({ 'myrmex/deprecatedIn': '1.0.0' })
  expect(new Date(found.lastUpdatedAt).getTime()).toBeGreaterThanOrEqual(before.getTime())
  await expect(after.server.tasks.find(taskId, principalNamed('eve'))).rejects.toThrow(/Unknown task/)
})

test('has failed when its process is gone, and says that nobody knows what it did', async () => {
  const long = job()
  const { server, file } = await serve([long])
  const taskId = await start(modernPeer(server, TASKS_CAPABILITY))
  const other = await serve([long], { file })
  file.exec('DELETE FROM owners')
  const task = await get(modernPeer(other.server, TASKS_CAPABILITY), taskId)
  expect(task).toMatchObject({ status: 'failed', error: { code: -32603 } })
  expect(task.statusMessage).toMatch(/Whether job\.long took effect is unknown/)
  expect(long.ran).toHaveLength(1)
})

test('is not begun for a caller where it cannot be kept: what waits is given up', async () => {
  const { server, ledger, refund, file } = await serveRefundTool()
  file.exec(forbid('INSERT ON tasks'))
  const { result } = await modernPeer(server, TASKS_CAPABILITY).request('tools/call', { name: 'refund', arguments: {} })
  expect(result).toMatchObject({ isError: true, structuredContent: { error_type: 'UnavailableError' } })
  file.exec(ALLOW)
  await eventually(() => expect(file.lines()).toMatchObject([{ tool: 'shop.refund', error_type: 'CancelledError' }]))
  const [waiting] = await ledger.approvals.list('waiting')
  await ledger.approvals.approve(String(waiting?.id), 'ada')
  expect(file.rows('SELECT id FROM tasks')).toEqual([])
  expect(refund.ran).toEqual([])
})

test('has not ended for anybody before its end is kept', async () => {
  const long = job()
  const { server, file } = await serve([long])
  const peer = modernPeer(server, TASKS_CAPABILITY)
  const taskId = await start(peer)
  peer.request('subscriptions/listen', { notifications: { taskIds: [taskId] } }, 'sub')
  file.exec(forbid(`UPDATE ON tasks WHEN NEW.status = 'completed'`))
  long.finish()
  await eventually(() => expect(file.lines()).toHaveLength(1))
  expect(await get(peer, taskId)).toMatchObject({ status: 'working' })
  expect(peer.received.some(({ method }) => method === 'notifications/tasks')).toBe(false)
  file.exec(ALLOW)
  expect(await until(peer, taskId, 'completed')).toMatchObject({ result: { structuredContent: { done: true } } })
  expect(file.rows('SELECT status FROM tasks')).toEqual([{ status: 'completed' }])
})

test('can be fetched for an hour after its end, however long it waited for a human', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const pass = (hours: number) => vi.setSystemTime(Date.now() + hours * 3_600_000)
  const long = job()
  const { server } = await serve([long])
  const peer = modernPeer(server, TASKS_CAPABILITY)
  const taskId = await start(peer)
  pass(20)
  expect(await get(peer, taskId)).toMatchObject({ status: 'working' })
  long.finish()
  await until(peer, taskId, 'completed')
  pass(0.9)
  expect(await get(peer, taskId)).toMatchObject({ result: { structuredContent: { done: true } } })
  pass(0.2)
  expect(await peer.request('tasks/get', { taskId })).toMatchObject({ error: { code: -32602 } })
})

test('keeps the end it had, whatever is written late', async () => {
  const long = job()
  const { server, ledger, file } = await serve([long])
  const peer = modernPeer(server, TASKS_CAPABILITY)
  const taskId = await start(peer)
  await peer.request('tasks/cancel', { taskId })
  await until(peer, taskId, 'cancelled')
  const row = await ledger.tasks.find(taskId)
  await ledger.tasks.save({ ...(row as NonNullable<typeof row>), status: 'working' })
  long.finish()
  expect(await get(peer, taskId)).toMatchObject({ status: 'cancelled' })
  expect(file.rows('SELECT status FROM tasks')).toEqual([{ status: 'cancelled' }])
})
