/** Nothing that a caller adds to its arguments hides what a call did: payee and amount are in its record, and the hash covers everything. */
import { createHash } from 'node:crypto'
import { call, countedTool, destructiveTool, grant, serve } from '@myrmex/testing/gated-server'
import { LONG } from '@myrmex/testing/long'
import { describe, expect, test } from 'vitest'
import { verifyLedger } from '../../ledger/journal/verify.ts'
import { canonical } from '../../protocol/canonical.ts'
import { answer } from '../../tool/answer.ts'

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
const nested = (depth: number, open = '[', inside = '', close = ']'): string =>
  `${open.repeat(depth)}${inside}${close.repeat(depth)}`

const manyMembers = (count: number): string => Array.from({ length: count }, (_, index) => `"k${index}":1`).join(',')

/** What is put beside payee and amount, as the JSON that is sent. */
const NOISE: [string, string][] = [
  ['70 KB of a member that the tool ignores', `"junk":"${'x'.repeat(70_000)}"`],
  ['such a member whose name comes first', `"A":"${'x'.repeat(70_000)}"`],
  ['2,000 levels of lists', `"junk":${nested(2000)}`],
  ['2,000 levels of objects', `"junk":${nested(2000, '{"z":', '1', '}')}`],
  ['100,000 levels', `"junk":${nested(100_000)}`],
  ['deep objects whose members are out of order', `"z":1,"junk":${nested(5000, '{"b":1,"a":', '1', '}')}`],
  ['50,000 small members', manyMembers(50_000)],
  ['names of 60 KB', Array.from({ length: 5 }, (_, index) => `"${'k'.repeat(60_000)}${index}":1`).join(',')],
  ['a list of 100,000 items', `"junk":[${'1,'.repeat(99_999)}1]`],
  ['70 KB of characters that JSON escapes', `"junk":"${'\\u0001'.repeat(20_000)}"`],
  ['70 KB in a member that the tool knows', `"note":"${'x'.repeat(70_000)}"`],
  ['both halves of a character where it is cut', `"note":"${'😀'.repeat(40_000)}"`],
  ['members that look like ours', `"cut":[{"at":"/args/payee"}],"args_hash":"0","junk":"${'x'.repeat(70_000)}"`],
]

const INPUT = {
  type: 'object',
  properties: { payee: { type: 'string' }, amount: { type: 'number' }, note: { type: 'string' } },
  required: ['payee', 'amount'],
} as const
const SECRET_INPUT = { ...INPUT, properties: { ...INPUT.properties, pin: { type: 'string', 'x-secret': true } } }

const payTool = (input: object) => destructiveTool('shop.pay', { input: input as never, run: () => ({ paid: true }) })

describe.each([
  ['a tool', INPUT, ''],
  ['a tool with a secret', SECRET_INPUT, '"pin":"hunter2-9f3a",'],
])('the record of %s that changed state has payee and amount', (_which, input, extra) => {
  test.each(LONG ? NOISE : NOISE.slice(0, 2))('beside %s', async (_what, noise) => {
    const pay = payTool(input)
    const { server, ledger, file } = await serve([pay])
    await grant(ledger, pay)
    const args = JSON.parse(`{${noise},${extra}"payee":"mallory","amount":9000}`)
    const ended = await call(server, 'shop.pay', args)
    expect(ended.status).toBe('success')
    const [line] = file.lines()
    expect(line).toMatchObject({ outcome: 'success', args: { payee: 'mallory', amount: 9000 } })
    if (extra === '') expect(line?.args_hash).toBe(sha256(canonical(args)))
    else expect(line?.args_hash).toBe(ledger.key.mac(canonical(args)))
    // The list of cuts is in a field that no caller can write to.
    expect(line?.cut?.length).toBeGreaterThan(0)
    for (const { at } of line?.cut ?? []) expect(at).toMatch(/^\/args/)
    expect(JSON.stringify(line).length).toBeLessThan(80_000)
    expect(file.bytes().includes('hunter2')).toBe(false)
    await ledger.journal.flush()
    expect(await verifyLedger(ledger, { key: ledger.key })).toMatchObject({ ok: true, records: 1 })
  })
})

const MANY = LONG ? 1_000_000 : 60_000

test(`${MANY} small members hide nothing`, async () => {
  const pay = payTool(INPUT)
  const { server, ledger, file } = await serve([pay])
  await grant(ledger, pay)
  const args = JSON.parse(`{${manyMembers(MANY)},"payee":"mallory","amount":9000}`)
  expect((await call(server, 'shop.pay', args)).status).toBe('success')
  const [line] = file.lines()
  const { payee, amount } = (line?.args ?? {}) as typeof args
  expect([payee, amount, line?.args_hash]).toEqual(['mallory', 9000, sha256(canonical(args))])
  expect(line?.cut?.[0]).toMatchObject({ at: '/args', members: MANY + 2 })
})

describe('what is cut', () => {
  const recorded = async (args: object, changes: Parameters<typeof countedTool>[1] = {}) => {
    const open = countedTool('shop.open', { input: INPUT as never, ...changes })
    const { server, file } = await serve([open])
    await call(server, 'shop.open', { payee: 'ada', amount: 1, ...args })
    const [line] = file.lines()
    if (line === undefined) throw new Error('nothing was recorded')
    return line as typeof line & { args: Record<string, unknown> }
  }

  test('of a text its beginning stays, with its length and its hash', async () => {
    const note = 'n'.repeat(100_000)
    const { args, cut } = await recorded({ note })
    const kept = args.note as string
    expect(kept.length).toBeGreaterThan(60_000)
    expect(note.startsWith(kept)).toBe(true)
    expect(cut).toContainEqual({ at: '/args/note', characters: 100_000, sha256: sha256(note) })
  })

  test('of a list the first items stay, with their number', async () => {
    const { args, cut } = await recorded({ list: Array.from({ length: 100_000 }, (_, index) => index) })
    const list = args.list as number[]
    expect(list.length).toBeGreaterThan(5000)
    expect(list).toEqual(Array.from({ length: list.length }, (_, index) => index))
    expect(cut).toContainEqual({ at: '/args/list', items: 100_000 })
  })

  test('of an object the members that the schema names stay, with the number of all', async () => {
    const many = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`k${index}`, index]))
    const { args, cut } = await recorded({ ...many })
    expect(args).toMatchObject({ payee: 'ada', amount: 1 })
    expect(cut?.[0]).toMatchObject({ at: '/args', members: 100_002 })
  })

  test('a large member does not push out a small one, and one large item no other', async () => {
    const big = 'x'.repeat(70_000)
    const input = {
      type: 'object',
      properties: { payments: { type: 'array', items: INPUT }, note: { type: 'string' } },
    }
    const payments = [
      { payee: 'bob', amount: 2, junk: big },
      { payee: 'eve', amount: 3 },
    ]
    const { args } = await recorded({ note: big, payments }, { input: input as never })
    expect(args.payments).toMatchObject([
      { payee: 'bob', amount: 2 },
      { payee: 'eve', amount: 3 },
    ])
    expect((args.note as string).length).toBeGreaterThan(20_000)
  })

  test('nested objects are cut by their part of the schema, through references and alternatives', async () => {
    const input = {
      type: 'object',
      properties: {
        to: { $ref: '#/$defs/to' },
        by: { anyOf: [{ type: 'null' }, { allOf: [{ $ref: '#/$defs/to' }] }] },
      },
      $defs: { to: { type: 'object', properties: { payee: { type: 'string' } } } },
    }
    const junk = Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`a${index}`, index]))
    const { args } = await recorded(
      { to: { ...junk, payee: 'bob' }, by: { ...junk, payee: 'eve' } },
      { input: input as never },
    )
    expect(args).toMatchObject({ to: { payee: 'bob' }, by: { payee: 'eve' } })
  })

  test('deep values are cut at a depth', async () => {
    const { args, cut } = await recorded({ junk: JSON.parse(nested(2000)) })
    expect(JSON.stringify(args.junk).length).toBeLessThan(500)
    expect(cut).toContainEqual({ at: expect.stringMatching(/^\/args\/junk(\/0)+$/), left_out: 'array' })
  })

  test('a result is cut like arguments, and its hash is kept', async () => {
    const data = { a: 'x'.repeat(70_000), payee: 'ada', z: [1, 2, 3] }
    const { data: kept, cut } = await recorded({}, { run: () => answer(data as never) })
    expect(kept).toMatchObject({ payee: 'ada', z: [1, 2, 3] })
    expect(cut).toContainEqual({
      at: '/data',
      characters: canonical(data).length,
      sha256: sha256(canonical(data)),
    })
    expect(cut).toContainEqual({ at: '/data/a', characters: 70_000, sha256: sha256(data.a) })
  })

  test('a record that was not cut says nothing of it', async () => {
    expect(await recorded({ note: 'short' })).not.toHaveProperty('cut')
  })
})

describe('arguments that have no hash', () => {
  const CYCLE: Record<string, unknown> = {}
  CYCLE.self = CYCLE

  test.each<[string, object]>([
    ['a number too large to be one', JSON.parse('{"junk":1e400}')],
    ['such a number, deep inside', JSON.parse(`{"junk":${nested(50_000, '[', '1e400')}}`)],
    ['a BigInt', { junk: 1n }],
    ['a value that contains itself', CYCLE],
  ])('never reach a tool that changes state: %s', async (_what, junk) => {
    // A rule of the operator lets the call through without a person.
    const policy = {
      approvals: [
        { name: 'free', tools: ['shop.pay'], when: [{ argument: '/amount', above: 1e9 }], otherwise: 'allow' },
      ],
    }
    const pay = payTool(INPUT)
    const { server, ledger, file } = await serve([pay], { policy })
    await grant(ledger, pay)
    const ended = await call(server, 'shop.pay', { payee: 'ada', amount: 1, ...junk })
    expect(pay.ran).toEqual([])
    expect(ended).toMatchObject({ status: 'failure', error: { error_type: 'SerializationError' } })
    expect(file.lines()).toMatchObject([{ outcome: 'failure', args: { payee: 'ada', amount: 1 } }])
  })
})
