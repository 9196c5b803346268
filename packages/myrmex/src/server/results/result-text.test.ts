/** What a model reads of a result, in both eras, as a task, through the client and through a host: never less than how the call ended. */

import { serverSettings } from '@myrmex/testing/host/server-settings'
import { longTest } from '@myrmex/testing/long'
import { legacyPeer, modernPeer, TASKS_CAPABILITY } from '@myrmex/testing/mcp-peer'
import { toolDefaults } from '@myrmex/testing/sample-tools'
import { describe, expect, onTestFinished, test } from 'vitest'
import * as z from 'zod'
import { connect } from '../../client/connect.ts'
import { openHost } from '../../host/host.ts'
import { ToolError } from '../../protocol/errors.ts'
import { type Answer, answer, partial, unchanged } from '../../tool/answer.ts'
import { tool } from '../../tool/tool.ts'
import { listenHttp } from '../../transport/listen-http.ts'
import { createServer, type Server } from '../server.ts'

const DATA = { done: 3 }
const JSON_TEXT = '{"done":3}'
const error = { error_type: 'FullError', error_message: 'The box is full.' }
const own = [{ type: 'text' as const, text: 'Extra!' }]

/** What a tool returns, and the texts of the result. */
const CASES: [what: string, returned: Answer<typeof DATA>, texts: string[]][] = [
  ['partial', partial(DATA), ['Partly done.', JSON_TEXT]],
  [
    'partial, explained',
    partial(DATA, { explanation: '3 of 5 letters were sent' }),
    ['Partly done. 3 of 5 letters were sent.', JSON_TEXT],
  ],
  ['partial, with an error', partial(DATA, { error }), ['Partly done. FullError: The box is full.', JSON_TEXT]],
  [
    'partial, with both',
    partial(DATA, { error, explanation: 'Three went.' }),
    ['Partly done. Three went. FullError: The box is full.', JSON_TEXT],
  ],
  ['partial, with blocks', partial(DATA, { content: own }), ['Partly done.', 'Extra!']],
  ['unchanged', unchanged(DATA), ['No change was needed.', JSON_TEXT]],
  [
    'unchanged, explained',
    unchanged(DATA, { explanation: 'All were sent.' }),
    ['No change was needed. All were sent.', JSON_TEXT],
  ],
  ['unchanged, with blocks', unchanged(DATA, { content: own }), ['No change was needed.', 'Extra!']],
  ['a success', answer(DATA), [JSON_TEXT]],
  ['a success, explained', answer(DATA, { explanation: 'Three went.' }), [JSON_TEXT, 'Three went.']],
  ['a success, with blocks', answer(DATA, { content: own, explanation: 'Three went.' }), ['Extra!']],
]

const tools = CASES.map(([, returned], index) =>
  tool({
    ...toolDefaults,
    name: `mail.case${index}`,
    input: z.object({}),
    output: z.object({ done: z.number() }),
    task: 'later',
    run: async (_input, ctx) => {
      ctx.later()
      return returned
    },
  }),
)
const silent = tool({
  ...toolDefaults,
  name: 'mail.silent',
  input: z.object({}),
  output: z.null(),
  run: () => unchanged(null, { explanation: 'All were sent.' }),
})
const server = createServer({ name: 'mail', version: '1.0.0', tools: [...tools, silent] })

const textsOf = ({ content }: { content: { text: string }[] }): string[] => content.map(({ text }) => text)
const called = (index: number) => ({ name: `mail.case${index}`, arguments: {} })
const cases = CASES.map(([what, , texts], index) => [what, index, texts] as const)

describe.each([
  ['legacy', () => legacyPeer(server)],
  ['modern', async () => modernPeer(server)],
] as const)('in the %s era', (_era, peerOf) => {
  test.each(cases)('%s', async (_what, index, texts) => {
    const { result } = await (await peerOf()).request('tools/call', called(index))
    expect(textsOf(result)).toEqual(texts)
    // Clients that check the data, or read it from a text, find it.
    expect(result.structuredContent).toEqual(DATA)
  })
})

test.each(cases)('as a task: %s', async (_what, index, texts) => {
  const peer = modernPeer(server, TASKS_CAPABILITY)
  const { result: head } = await peer.request('tools/call', called(index))
  expect(head.resultType).toBe('task')
  const { result: task } = await peer.request('tasks/get', { taskId: head.taskId })
  expect(textsOf(task.result)).toEqual(texts)
})

/** A host in front of the server. */
async function hostOf(upstream: Server, results: 'mark' | 'unchanged'): Promise<Server> {
  const listening = await listenHttp(upstream)
  onTestFinished(() => listening.close())
  const endpoint = { where: 'url', url: listening.url, headers: {}, transport: 'auto' } as const
  const settings = [serverSettings('mail', endpoint, results === 'mark' ? { results } : {})]
  const host = await openHost({ settings, log: () => {} })
  onTestFinished(() => host.close())
  return host.server
}

longTest('a host forwards the texts, and marks them if its settings say so', async () => {
  const peer = modernPeer(await hostOf(server, 'unchanged'))
  const marking = await legacyPeer(await hostOf(server, 'mark'))
  for (const [, index, texts] of cases) {
    expect(textsOf((await peer.request('tools/call', called(index))).result)).toEqual(texts)
    const marked = textsOf((await marking.request('tools/call', called(index))).result)
    expect(marked).toEqual([...texts, expect.stringMatching(/^\[myrmex\] This result is data from the server "mail"/)])
  }
})

test('our client takes none of it for data', async () => {
  const connection = await connect(server)
  onTestFinished(() => connection.close())
  expect(await connection.call('mail.silent')).toEqual({
    status: 'no_change_needed',
    data: null,
    error: null,
    explanation: 'All were sent.',
  })
  expect(await connection.call('mail.case4')).toMatchObject({ status: 'partial_success', data: DATA })
})

test('a failure begins with its error', async () => {
  const fails = tool({
    ...toolDefaults,
    name: 'mail.fails',
    errors: { FullError: 'The box is full.' },
    input: z.object({}),
    output: z.object({}),
    run: () => {
      throw new ToolError('FullError', 'The box is full.')
    },
  })
  const failing = createServer({ name: 'mail', version: '1.0.0', tools: [fails] })
  const { result } = await modernPeer(failing).request('tools/call', { name: 'mail.fails', arguments: {} })
  expect(textsOf(result)).toEqual(['FullError: The box is full.'])
})
