/**
 * A task lives longer than the request and the session that began it, and is known by its id from then on.
 *
 * Attacker: another caller with a token of its own
 * Attack: lists tasks, makes up cursors, and reads, cancels or answers the task of another caller whose id it has seen.
 * Stopped by: a task is found for its own caller only, in both eras, and a cursor says nothing but where a page of one's own ended.
 */
import { countedTool, latch, serve } from '@myrmex/testing/gated-server'
import { type RawClient, rawClient } from '@myrmex/testing/host/raw-client'
import { TASKS_CAPABILITY } from '@myrmex/testing/mcp-peer'
import { expect, test, vi } from 'vitest'

const QUESTION = {
  who: {
    method: 'elicitation/create' as const,
    params: { message: 'Who?', requestedSchema: { type: 'object', properties: { name: { type: 'string' } } } },
  },
}

test('the tasks of one caller are nothing to another', async () => {
  const { open: finish, opened } = latch()
  const job = countedTool('job.long', {
    task: true,
    idempotent: false,
    run: async (_input, ctx) => {
      await ctx.ask(QUESTION)
      await opened
      return { done: true }
    },
  })
  const { server } = await serve([job])
  const client = (id: string, era: 'legacy' | 'modern', capabilities = {}): Promise<RawClient> =>
    rawClient(server, {
      era,
      version: '2025-11-25',
      capabilities: { elicitation: { form: {} }, ...capabilities },
      principal: { id, kind: 'bearer', scopes: ['*'] },
      answers: { 'elicitation/create': () => ({ action: 'accept', content: { name: id } }) },
    })
  const ann = await client('ann', 'legacy')
  const { task } = (await ann.request('tools/call', { name: 'long', arguments: {}, task: {} })) as {
    task: { taskId: string }
  }
  const { taskId } = task
  await vi.waitFor(async () => expect((await ann.request('tasks/get', { taskId })).status).toBe('input_required'))
  const eve = await client('eve', 'legacy')
  const modernEve = await client('eve', 'modern', TASKS_CAPABILITY)
  for (const method of ['tasks/get', 'tasks/result', 'tasks/cancel'])
    await expect(eve.once(method, { taskId })).rejects.toMatchObject({ code: -32602 })
  for (const method of ['tasks/get', 'tasks/cancel', 'tasks/update'])
    await expect(
      modernEve.once(method, { taskId, inputResponses: { who: { action: 'accept', content: { name: 'eve' } } } }),
    ).rejects.toMatchObject({ code: -32602 })
  expect(await eve.request('tasks/list')).toEqual({ tasks: [] })
  for (const cursor of ['', 'x', Buffer.from(`after:9999999999999 ${taskId}`).toString('base64url')]) {
    const listed = await eve.once('tasks/list', { cursor }).catch(({ code }) => ({ code }))
    expect([{ tasks: [] }, { code: -32602 }]).toContainEqual(listed)
  }
  expect([eve.asked, modernEve.asked]).toEqual([[], []])
  const fetched = ann.request('tasks/result', { taskId })
  await vi.waitFor(() => expect(ann.asked).toEqual(['elicitation/create']))
  finish()
  expect(await fetched).toMatchObject({ structuredContent: { done: true } })
})
