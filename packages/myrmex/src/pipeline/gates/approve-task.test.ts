/** Waiting for a human as a task: found meanwhile, run after approval, ended by a denial, given up, and never run twice. */

import { definitionOf, eventually, latch, principalNamed, serveRefundTool } from '@myrmex/testing/gated-server'
import { modernPeer, type Peer, TASKS_CAPABILITY } from '@myrmex/testing/mcp-peer'
import { describe, expect, test } from 'vitest'

describe('a client that speaks tasks', () => {
  const until = async (peer: Peer, taskId: string, status: string) => {
    let task: Record<string, unknown> = {}
    await eventually(async () => {
      task = (await peer.request('tasks/get', { taskId })).result
      expect(task.status).toBe(status)
    })
    return task
  }
  const start = async (peer: Peer, args: object = { n: 1 }, name = 'shop.refund') => {
    const { result } = await peer.request('tools/call', { name, arguments: args })
    expect(result).toMatchObject({ resultType: 'task', status: 'working' })
    const approval = /approval (\w+)/.exec(result.statusMessage)?.[1] as string
    return { taskId: result.taskId as string, approval, statusMessage: result.statusMessage as string }
  }

  test('gets a task that waits, is found meanwhile, and runs when somebody else says yes', async () => {
    const { server, refund, file } = await serveRefundTool()
    const peer = modernPeer(server, TASKS_CAPABILITY)
    const { taskId, approval, statusMessage } = await start(peer)
    expect(statusMessage).toMatch(/^Waiting for a human: approval \w+ \(it changes state\)\.$/)
    expect((await peer.request('tasks/get', { taskId })).result).toMatchObject({ status: 'working', statusMessage })
    expect(file.rows('SELECT id, status FROM tasks')).toEqual([{ id: taskId, status: 'working' }])
    peer.close()
    expect(refund.ran).toEqual([])
    await (await file.open()).approvals.approve(approval, 'ada')
    const later = modernPeer(server, TASKS_CAPABILITY)
    const done = await until(later, taskId, 'completed')
    expect(done).toMatchObject({ result: { structuredContent: {} } })
    expect(done).not.toHaveProperty('statusMessage')
    expect(refund.ran).toEqual([{ n: 1 }])
    expect(file.lines()).toMatchObject([{ tool: 'shop.refund', outcome: 'success', approval }])
  })

  test('ends with a PermissionError, and the note, when somebody says no', async () => {
    const { server, ledger, refund } = await serveRefundTool()
    const peer = modernPeer(server, TASKS_CAPABILITY)
    const { taskId, approval } = await start(peer)
    await ledger.approvals.deny(approval, 'ada', 'ask finance first')
    const { result } = await until(peer, taskId, 'completed')
    expect(result).toMatchObject({
      isError: true,
      structuredContent: {
        error_type: 'PermissionError',
        error_message: expect.stringMatching(/denied by ada: ask finance first/),
        error_details: { approval },
      },
    })
    expect(refund.ran).toEqual([])
  })

  test('can give up waiting', async () => {
    const { server, ledger, refund, file } = await serveRefundTool()
    const peer = modernPeer(server, TASKS_CAPABILITY)
    const { taskId, approval } = await start(peer)
    await peer.request('tasks/cancel', { taskId })
    await until(peer, taskId, 'cancelled')
    await ledger.approvals.approve(approval, 'ada')
    expect(file.lines()).toMatchObject([{ outcome: 'failure', error_type: 'CancelledError' }])
    expect(refund.ran).toEqual([])
  })

  test('does not run what was given up in the same moment as it was approved', async () => {
    const { server, ledger, refund } = await serveRefundTool()
    const peer = modernPeer(server, TASKS_CAPABILITY)
    const { taskId, approval } = await start(peer)
    const cancelling = peer.request('tasks/cancel', { taskId })
    const approving = ledger.approvals.approve(approval, 'ada')
    await Promise.all([cancelling, approving])
    await until(peer, taskId, 'cancelled')
    expect(refund.ran).toEqual([])
  })

  test('does not run a tool that has lost its trust before the approval', async () => {
    const { server, ledger, refund, file } = await serveRefundTool()
    const peer = modernPeer(server, TASKS_CAPABILITY)
    const { taskId, approval } = await start(peer)
    const elsewhere = await file.open()
    await elsewhere.trust.set(definitionOf(refund.tool), 'untrusted', 'ada')
    await ledger.approvals.approve(approval, 'ada')
    expect((await until(peer, taskId, 'completed')).result).toMatchObject({
      isError: true,
      structuredContent: { error_type: 'PermissionError', error_details: { level: 'untrusted' } },
    })
    expect(refund.ran).toEqual([])
  })

  test('fails when the request has expired', async () => {
    const { server, refund, file } = await serveRefundTool()
    const peer = modernPeer(server, TASKS_CAPABILITY)
    const { taskId } = await start(peer)
    file.exec('UPDATE approvals SET expires_at = requested_at - 1')
    expect((await until(peer, taskId, 'completed')).result).toMatchObject({
      structuredContent: { error_type: 'PermissionError', error_message: expect.stringMatching(/has expired/) },
    })
    expect(refund.ran).toEqual([])
  })

  test('of two tasks that wait for the same approval one runs', async () => {
    const { server, ledger, refund } = await serveRefundTool()
    const peer = modernPeer(server, TASKS_CAPABILITY)
    const [one, two] = await Promise.all([start(peer), start(peer)])
    expect(one.approval).toBe(two.approval)
    await ledger.approvals.approve(one.approval, 'ada')
    const ended = await Promise.all([one, two].map(({ taskId }) => until(peer, taskId, 'completed')))
    expect(ended.filter(({ result }) => (result as { isError?: boolean }).isError)).toHaveLength(1)
    expect(refund.ran).toHaveLength(1)
  })

  test('hears that it no longer waits for a human once one has said yes', async () => {
    const { open, opened } = latch()
    const started = latch()
    const { server, ledger } = await serveRefundTool({
      run: async () => {
        started.open()
        await opened
        return {}
      },
    })
    const peer = modernPeer(server, TASKS_CAPABILITY)
    const { taskId, approval } = await start(peer)
    await ledger.approvals.approve(approval, 'ada')
    await started.opened
    const { result } = await peer.request('tasks/get', { taskId })
    expect(result.status).toBe('working')
    expect(result.statusMessage ?? '').not.toMatch(/Waiting for a human/)
    open()
    await until(peer, taskId, 'completed')
  })

  test('is answered at once where a grant covers the call, and where the tool is not trusted', async () => {
    const { server, ledger, refund } = await serveRefundTool()
    const peer = modernPeer(server, TASKS_CAPABILITY)
    await ledger.grants.give(definitionOf(refund.tool), 'ada')
    const call = { name: 'shop.refund', arguments: {} }
    expect((await peer.request('tools/call', call)).result).toMatchObject({ resultType: 'complete' })
    await ledger.trust.set(definitionOf(refund.tool), 'untrusted', 'ada')
    expect((await peer.request('tools/call', call)).result).toMatchObject({ resultType: 'complete', isError: true })
  })

  test('finds nothing of a task that waits for somebody else', async () => {
    const { server } = await serveRefundTool()
    const { taskId } = await start(modernPeer(server, TASKS_CAPABILITY))
    await expect(server.tasks.find(taskId, principalNamed('eve'))).rejects.toThrow(/Unknown task/)
  })
})
