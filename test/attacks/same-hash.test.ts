/**
 * An approval is for one exact call, by the hash of its canonical JSON. The attacker looks for two values with one canonical text: a
 * person approves one, and the tool gets the other.
 *
 * Attacker: a remote caller
 * Attack: sends arguments or answers that have the same canonical JSON as approved ones, but that a tool can tell apart, such as -0.
 * Stopped by: a call under an approval runs with the arguments and answers that its canonical JSON says.
 */
import { destructiveTool, serve, trust } from '@myrmex/testing/gated-server'
import { rawClient } from '@myrmex/testing/host/raw-client'
import { connectDirect, type Ledger } from 'myrmex'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { plainCaller } from '../../packages/myrmex/src/server/exchange.ts'

const INPUT = z.looseObject({ n: z.unknown().optional() })

async function scene() {
  const got: unknown[] = []
  const pay = destructiveTool('bank.pay', {
    input: INPUT,
    run: (input: object) => {
      got.push(input)
      return {}
    },
  } as never)
  const { server, ledger } = await serve([pay])
  await trust(ledger, pay)
  return { server, got, approveAll: () => approveAll(ledger) }
}

async function approveAll(ledger: Ledger): Promise<void> {
  for (const { id } of await ledger.approvals.list('waiting')) await ledger.approvals.approve(id, 'ada')
}

test('-0 ran under the approval of 0, over the wire', async () => {
  const { server, got, approveAll } = await scene()
  const connection = connectDirect(server, () => {})
  const send = (n: string): unknown =>
    connection.send(
      JSON.parse(
        `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"bank.pay","arguments":{"n":${n},"deep":[{"m":${n}}]},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"x","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}}}`,
      ),
    )
  await send('0')
  await approveAll()
  await send('-1e-400')
  expect(got).toHaveLength(1)
  const [{ n, deep }] = got as [{ n: number; deep: [{ m: number }] }]
  expect([Object.is(n, 0), Object.is(deep[0].m, 0)]).toEqual([true, true])
})

describe('a value of this process ran under the approval of another one', () => {
  let reads = 0
  const proxy = (target: object): object => new Proxy(target, {})
  test.each<[string, () => object, object]>([
    ['an undefined member', () => ({ n: undefined, m: 1 }), { m: 1 }],
    ['a Date', () => ({ n: new Date(0) }), { n: '1970-01-01T00:00:00.000Z' }],
    ['an object with toJSON', () => ({ n: { toJSON: () => 5 } }), { n: 5 }],
    ['a hidden member', () => ({ n: Object.defineProperty({}, 'to', { value: 'mallory' }) }), { n: {} }],
    ['a list with a member', () => ({ n: Object.assign([1], { to: 'mallory' }) }), { n: [1] }],
    ['a Proxy', () => ({ n: proxy({ to: 'ada' }) }), { n: { to: 'ada' } }],
  ])('%s', async (_what, made, plain) => {
    const { server, got, approveAll } = await scene()
    const caller = plainCaller('direct', { id: 'local', kind: 'local' })
    await server.pipeline.call(caller, 'bank.pay', plain)
    await approveAll()
    await server.pipeline.call(caller, 'bank.pay', made())
    expect(got).toHaveLength(1)
    expect(got[0]).toStrictEqual(plain)
    expect(JSON.stringify(Object.getOwnPropertyDescriptors((got[0] as { n?: object }).n ?? {}))).not.toContain(
      'mallory',
    )
  })

  // biome-ignore lint/suspicious/noSparseArray: that is the attack
  const sparse = [, 1]
  test.each<[string, () => object, object]>([
    ['a sparse array', () => ({ n: sparse }), { n: [null, 1] }],
    ['an inherited member', () => ({ n: Object.create({ to: 'mallory' }) }), { n: {} }],
    ['an instance of a class', () => ({ n: new (class Account {})() }), { n: {} }],
    ['a Map', () => ({ n: new Map([['to', 'mallory']]) }), { n: {} }],
  ])('%s, which JSON cannot hold, is refused', async (_what, made, plain) => {
    const { server, got, approveAll } = await scene()
    const caller = plainCaller('direct', { id: 'local', kind: 'local' })
    await server.pipeline.call(caller, 'bank.pay', plain)
    await approveAll()
    expect(await server.pipeline.call(caller, 'bank.pay', made())).toMatchObject({
      error: { error_type: 'SerializationError' },
    })
    expect(got).toEqual([])
  })

  test('a getter that returns something else later', async () => {
    const { server, got, approveAll } = await scene()
    const caller = plainCaller('direct', { id: 'local', kind: 'local' })
    await server.pipeline.call(caller, 'bank.pay', { n: { to: 'ada' } })
    await approveAll()
    const n = {
      get to() {
        return reads++ < 20 ? 'ada' : 'mallory'
      },
    }
    await server.pipeline.call(caller, 'bank.pay', { n })
    reads = 100
    expect(got).toStrictEqual([{ n: { to: 'ada' } }])
  })
})

const FORM = { message: 'How many?', requestedSchema: { type: 'object', properties: { n: { type: 'number' } } } }
const QUESTIONS = { q: { method: 'elicitation/create', params: FORM } }
type Answers = Record<string, { content: { n: number } }>

test.each<[string, object]>([
  [
    'while the tool runs',
    {
      run: async (_input: object, ctx: { ask(requests: object): Promise<Answers> }) => ({
        isZero: Object.is((await ctx.ask(QUESTIONS)).q?.content.n, 0),
      }),
    },
  ],
  [
    'before it starts',
    {
      ask: () => QUESTIONS,
      run: (_input: object, { answers }: { answers: Answers }) => ({ isZero: Object.is(answers.q?.content.n, 0) }),
    },
  ],
])('an answer of -0 ran under the approval of the answer 0, asked %s', async (when, changes) => {
  const pay = destructiveTool('bank.pay', { input: INPUT, output: z.looseObject({}), ...changes } as never)
  const { server, ledger } = await serve([pay])
  await trust(ledger, pay)
  let n = 0
  const answers = { 'elicitation/create': () => ({ action: 'accept', content: { n } }) }
  const client = await rawClient(server, { era: 'legacy', answers })
  const send = (): Promise<Record<string, unknown>> => client.request('tools/call', { name: 'bank.pay', arguments: {} })
  for (let approvals = 0; approvals < 2; approvals++) {
    await send()
    await approveAll(ledger)
    // Asked before it starts, the first approval is for the call with its answer.
    if (when === 'before it starts') break
  }
  n = -0
  expect(await send()).toMatchObject({ structuredContent: { isZero: true } })
})
