/**
 * The attacker is a client, or a model behind one, that answers the questions of a tool. A person approves `{amount: 100}`. The tool then asks
 * the client which account to pay, and the answer steers the effect unseen. The same holds for an upstream that asks while its call runs.
 *
 * What stops them: answers are part of the exact call. They are shown to the operator, hashed and recorded, and they reach a tool that
 * runs under an approval only if the approval is for the call with these answers.
 *
 * Attacker: a remote caller
 * Attack: answers the question of a tool after a person approved the call, so that the answer steers the effect unseen.
 * Stopped by: answers are part of the exact call: shown, hashed and recorded. They reach a tool only if the approval is for the
 * call with these answers.
 *
 * Attacker: an upstream server over the wire
 * Attack: asks the client while its approved call runs.
 * Stopped by: the same: the call waits until it is approved with the answers.
 */

import { tmpdir } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { eventually, grant, serveRefundTool } from '@myrmex/testing/gated-server'
import { rawClient } from '@myrmex/testing/host/raw-client'
import { serverSettings } from '@myrmex/testing/host/server-settings'
import { LedgerFolder } from '@myrmex/testing/ledger/journal-fixture'
import { modernPeer, TASKS_CAPABILITY } from '@myrmex/testing/mcp-peer'
import { fixturePath } from '@myrmex/testing/paths'
import { describe, expect, onTestFinished, test } from 'vitest'
import * as z from 'zod'
import { openHost } from '../../packages/myrmex/src/host/host.ts'
import type { Approval } from '../../packages/myrmex/src/ledger/decisions/approvals.ts'
import type { Ledger } from '../../packages/myrmex/src/ledger/ledger.ts'

const ERAS = ['legacy', 'modern'] as const
const FORM = { type: 'object', properties: { account: { type: 'string' } }, required: ['account'] }
const question = (message: string) =>
  ({ method: 'elicitation/create', params: { message, requestedSchema: FORM } }) as const
const accountOf = ({ content }: { content?: unknown }): string => (content as { account: string }).account
const accept = (content: object) => ({ action: 'accept', content })

/** Asks which account to pay while it runs. */
async function asking() {
  const paid: string[] = []
  const served = await serveRefundTool({
    input: z.object({ amount: z.number() }),
    run: async ({ amount }: { amount: number }, ctx: { ask: (questions: object) => Promise<{ to: object }> }) => {
      const { to } = await ctx.ask({ to: question('Which account?') })
      paid.push(`${accountOf(to)} ${amount}`)
      return {}
    },
  } as never)
  return { ...served, paid }
}

/** The definition asks, before the tool starts. */
async function askingFirst() {
  const paid: string[] = []
  const served = await serveRefundTool({
    input: z.object({ amount: z.number() }),
    ask: () => ({ to: question('Which account?') }),
    run: ({ amount }: { amount: number }, { answers }: { answers: { to: object } }) => {
      paid.push(`${accountOf(answers.to)} ${amount}`)
      return {}
    },
  } as never)
  return { ...served, paid }
}

const waiting = (ledger: Ledger): Promise<Approval[]> => ledger.approvals.list('waiting')
const shown = ({ args }: Approval): unknown => JSON.parse(args)
async function approveAll(ledger: Ledger): Promise<void> {
  for (const { id } of await waiting(ledger)) await ledger.approvals.approve(id, 'ada')
}

/** A client of either era whose user answers with this account. */
function clientOf(server: Parameters<typeof rawClient>[0], era: 'legacy' | 'modern', name = 'shop.refund') {
  let account = ''
  const opened = rawClient(server, {
    era,
    answers: { 'elicitation/create': () => accept({ account, name: account }) },
  })
  return async (
    args: object,
    answer: string,
  ): Promise<{ isError?: boolean; structuredContent?: { error_message?: string } }> => {
    account = answer
    return (await opened).request('tools/call', { name, arguments: args })
  }
}
const PAY = { amount: 100 }

describe.each(ERAS)('An answer that came after the approval chose the account (%s client)', (era) => {
  test.each([
    ['while the tool runs', asking],
    ['before it starts', askingFirst],
  ])('asked %s: the call with these answers waits for its own approval', async (_when, make) => {
    const { server, ledger, paid } = await make()
    const call = clientOf(server, era)
    await call(PAY, 'ada')
    await approveAll(ledger)
    // The approved call is another one than this.
    expect((await call(PAY, 'mallory')).isError).toBe(true)
    expect((await call(PAY, 'mallory')).structuredContent?.error_message).toMatch(/approval/)
    expect(paid).toEqual([])
    const requests = await waiting(ledger)
    expect(requests.map(shown)).toEqual([
      { arguments: PAY, answers: { to: accept({ account: 'mallory', name: 'mallory' }) } },
    ])
  })

  test.each([
    ['while the tool runs', asking],
    ['before it starts', askingFirst],
  ])('asked %s: a call that was approved with its answers runs once', async (_when, make) => {
    const { server, ledger, paid, file } = await make()
    const call = clientOf(server, era)
    for (let n = 0; n < 4 && paid.length === 0; n++) {
      await call(PAY, 'ada')
      await approveAll(ledger)
    }
    expect(paid).toEqual(['ada 100'])
    // Every approval of this call is used: it does not run again without a new one.
    for (const answer of ['ada', 'mallory']) expect((await call(PAY, answer)).isError).toBe(true)
    expect(paid).toEqual(['ada 100'])
    const done = file.lines().find(({ outcome }) => outcome === 'success')
    expect(done).toMatchObject({
      args: { arguments: PAY, answers: { to: accept({ account: 'ada', name: 'ada' }) } },
      args_hash: expect.any(String),
      approval: expect.any(String),
    })
    const approval = await ledger.approvals.find(String(done?.approval))
    expect(approval).toMatchObject({ status: 'used', args_hash: done?.args_hash })
    await ledger.close()
    expect((await new LedgerFolder(file.folder).verify()).defect).toBeNull()
  })

  test('a standing grant covers every answer, as it covers every argument', async () => {
    const { server, ledger, paid, refund } = await asking()
    await grant(ledger, refund)
    await clientOf(server, era)(PAY, 'ada')
    expect(paid).toEqual(['ada 100'])
  })

  test('a secret in an answer is shown and stored nowhere', async () => {
    const { server, ledger, file } = await asking()
    const opened = await rawClient(server, {
      era,
      answers: { 'elicitation/create': () => accept({ account: 'ada', password: 'hunter2-hunter2' }) },
    })
    for (let n = 0; n < 4; n++) {
      await opened.request('tools/call', { name: 'shop.refund', arguments: PAY })
      await approveAll(ledger)
    }
    const approvals = (await ledger.approvals.list()).map(({ args }) => args)
    expect(approvals.join()).toContain('"password":"[secret]"')
    await ledger.close()
    expect(file.bytes().includes('hunter2-hunter2')).toBe(false)
  })
})

describe('An answer that came after the approval chose the account (task)', () => {
  const CAPABILITIES = { elicitation: { form: {} }, ...TASKS_CAPABILITY }

  async function started() {
    const made = await asking()
    const peer = modernPeer(made.server, CAPABILITIES)
    const { result } = await peer.request('tools/call', { name: 'shop.refund', arguments: PAY })
    expect(result.resultType).toBe('task')
    await approveAll(made.ledger)
    const task = async () => (await peer.request('tasks/get', { taskId: result.taskId })).result
    const open = await eventually(async () => {
      const now = await task()
      expect(now.status).toBe('input_required')
      return now.inputRequests
    })
    const [key = ''] = Object.keys(open)
    const answer = (account: string) =>
      peer.request('tasks/update', { taskId: result.taskId, inputResponses: { [key]: accept({ account }) } })
    const cancel = () => peer.request('tasks/cancel', { taskId: result.taskId })
    return { ...made, task, answer, cancel }
  }

  test('the task waits until the answers are approved, and the tool gets them only then', async () => {
    const { ledger, task, answer, paid } = await started()
    await answer('mallory')
    const [asked] = await eventually(async () => {
      const requests = await waiting(ledger)
      expect(requests).toHaveLength(1)
      return requests
    })
    expect(shown(asked as Approval)).toEqual({ arguments: PAY, answers: { to: accept({ account: 'mallory' }) } })
    await pause(100)
    expect(paid).toEqual([])
    await ledger.approvals.deny((asked as Approval).id, 'ada', 'not that account')
    await eventually(async () => expect((await task()).status).toBe('completed'))
    expect((await task()).result).toMatchObject({ isError: true, structuredContent: { error_type: 'PermissionError' } })
    expect(paid).toEqual([])
  })

  test('a task that is cancelled while its answers wait ends without them', async () => {
    const { ledger, task, answer, cancel, paid } = await started()
    await answer('mallory')
    await eventually(async () => expect(await waiting(ledger)).toHaveLength(1))
    await cancel()
    await eventually(async () => expect((await task()).status).toBe('cancelled'))
    await approveAll(ledger)
    await pause(300)
    expect(paid).toEqual([])
  })

  test('once they are approved it ends as it should', async () => {
    const { ledger, task, answer, paid } = await started()
    await answer('ada')
    await eventually(async () => {
      await approveAll(ledger)
      expect((await task()).status).toBe('completed')
    })
    expect(paid).toEqual(['ada 100'])
  })
})

describe.each(ERAS)('An answer steered the call of an upstream after its approval (%s client)', (era) => {
  async function hosted(upstream: string, tool: string) {
    const endpoint = {
      where: 'child',
      command: process.execPath,
      args: [fixturePath(`host/${upstream}`)],
      env: {},
      cwd: tmpdir(),
    } as const
    const tools = [['*', { destructive: true }]] as const
    const settings = serverSettings('up', endpoint, { openMs: 20_000, trust: 'ask', tools })
    const host = await openHost({ settings: [settings], log: () => {} })
    onTestFinished(() => host.close())
    const { server } = host
    return { server, ledger: server.ledger, call: clientOf(server, era, `up.${tool}`) }
  }
  const ASK = { methods: ['elicitation/create'] }

  test.each([
    ['legacy', 'asking-upstream.ts', 'ask', ASK],
    ['modern', 'modern-upstream.ts', 'modern.ask_in_turn', {}],
  ])('a %s upstream gets an answer only under an approval of the call with it', async (_era, file, tool, args) => {
    const { ledger, call } = await hosted(file, tool)
    expect((await call(args, 'ada')).structuredContent?.error_message).toMatch(/approval/)
    await approveAll(ledger)
    const answered = await call(args, 'mallory')
    // An upstream may go on without the answer, and then says how that ended. It has not seen the answer.
    expect(JSON.stringify(answered)).not.toContain('mallory')
    expect(JSON.stringify(answered)).toContain('approval')
    const [asked] = await waiting(ledger)
    expect(JSON.stringify(shown(asked as Approval))).toContain('"account":"mallory"')
    expect(shown(asked as Approval)).toMatchObject({ arguments: args })
  })

  test('a call whose answers were approved reaches its end', async () => {
    const { ledger, call } = await hosted('asking-upstream.ts', 'ask')
    let ended = ''
    for (let n = 0; n < 6 && !ended.includes('ada'); n++) {
      ended = JSON.stringify(await call(ASK, 'ada'))
      await approveAll(ledger)
    }
    expect(ended).toContain('ada')
  })
})
