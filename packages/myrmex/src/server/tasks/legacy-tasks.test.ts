/** Tasks of 2025-11-25 that a server of our own runs: what their clients see of them, also in another process and page by page. */
import { countedTool, eventually, latch, serve, serveRefundTool } from '@myrmex/testing/gated-server'
import { legacyPeer, type Peer } from '@myrmex/testing/mcp-peer'
import { expect, test } from 'vitest'

const job = () => {
  const { open, opened } = latch()
  const counted = countedTool('job.long', {
    task: true,
    idempotent: false,
    run: () => opened.then(() => ({ done: true })),
  })
  return { ...counted, finish: open }
}
const start = async (peer: Peer, name = 'long'): Promise<string> =>
  (await peer.request('tools/call', { name, arguments: {}, task: {} })).result.task.taskId
const get = async (peer: Peer, taskId: string) => (await peer.request('tasks/get', { taskId })).result
const until = (peer: Peer, taskId: string, status: string) =>
  eventually(async () => expect((await get(peer, taskId)).status).toBe(status))

test('is found by another process while it works, and its result after a restart', async () => {
  const long = job()
  const { server, ledger, file } = await serve([long])
  const peer = await legacyPeer(server)
  const taskId = await start(peer)
  const beside = await serve([long], { file })
  const other = await legacyPeer(beside.server)
  expect(await get(other, taskId)).toMatchObject({ status: 'working' })
  expect((await other.request('tasks/list')).result.tasks).toMatchObject([{ taskId, status: 'working' }])
  for (const method of ['tasks/cancel', 'tasks/result'])
    expect((await other.request(method, { taskId })).error?.message).toMatch(/another process/)
  long.finish()
  await until(peer, taskId, 'completed')
  server.close()
  await ledger.close()
  const after = await legacyPeer((await serve([long], { file })).server)
  expect((await after.request('tasks/result', { taskId })).result).toMatchObject({ structuredContent: { done: true } })
})

test('has failed when its process is gone, and the result says that nobody knows what it did', async () => {
  const long = job()
  const { server, file } = await serve([long])
  const taskId = await start(await legacyPeer(server))
  const other = await legacyPeer((await serve([long], { file })).server)
  file.exec('DELETE FROM owners')
  expect(await get(other, taskId)).toMatchObject({ status: 'failed' })
  expect((await other.request('tasks/result', { taskId })).error).toMatchObject({
    code: -32603,
    message: expect.stringContaining('Whether job.long took effect is unknown'),
  })
  expect((await other.request('tasks/cancel', { taskId })).error?.code).toBe(-32602)
})

test('all of them are listed, page by page, the newest first', async () => {
  const long = job()
  const { server } = await serve([long])
  const peer = await legacyPeer(server)
  const started: string[] = []
  for (let count = 0; count < 120; count++) started.push(await start(peer))
  const first = (await peer.request('tasks/list')).result
  expect(first.tasks).toHaveLength(100)
  const second = (await peer.request('tasks/list', { cursor: first.nextCursor })).result
  expect(second).not.toHaveProperty('nextCursor')
  const listed = [...first.tasks, ...second.tasks]
  expect(listed.map(({ taskId }) => taskId).sort()).toEqual([...started].sort())
  const times = listed.map(({ createdAt }) => createdAt)
  expect(times).toEqual([...times].sort().reverse())
  // One that a client made up.
  const cursor = Buffer.from("after:1 x' OR 1=1").toString('base64url')
  expect((await peer.request('tasks/list', { cursor })).error?.code).toBe(-32602)
  long.finish()
})

test('a cancelled one stays cancelled, whatever its tool does', async () => {
  const long = job()
  const { server } = await serve([long])
  const peer = await legacyPeer(server)
  const taskId = await start(peer)
  const fetched = peer.request('tasks/result', { taskId })
  expect((await peer.request('tasks/cancel', { taskId })).result).toMatchObject({ taskId, status: 'cancelled' })
  long.finish()
  expect((await fetched).error?.message).toContain('was cancelled')
  expect(await get(peer, taskId)).toMatchObject({ status: 'cancelled' })
})

test('a call that waits for a person is one that works, and runs after the approval', async () => {
  const { server, ledger, refund: pay } = await serveRefundTool({ task: true })
  const peer = await legacyPeer(server)
  const taskId = await start(peer, 'refund')
  const [waiting] = await eventually(async () => {
    const found = await ledger.approvals.list('waiting')
    expect(found).toHaveLength(1)
    return found
  })
  expect(await get(peer, taskId)).toMatchObject({
    status: 'working',
    statusMessage: expect.stringContaining(`approval ${waiting?.id}`),
  })
  expect(pay.ran).toEqual([])
  await ledger.approvals.approve(String(waiting?.id), 'ada')
  await until(peer, taskId, 'completed')
  expect(pay.ran).toHaveLength(1)
})

test('a tool that does not run as a task says so, and does not run', async () => {
  const { server, ledger, refund } = await serveRefundTool()
  const peer = await legacyPeer(server)
  expect((await peer.request('tools/call', { name: 'refund', arguments: {}, task: {} })).error).toMatchObject({
    code: -32601,
    message: expect.stringContaining('does not run as a task'),
  })
  expect(await ledger.approvals.list('waiting')).toEqual([])
  expect(refund.ran).toEqual([])
})
