/** The rendering of one record, whatever is in it: bounded, canonical, with the hash of everything, and what the schema names first. */
import { createHash } from 'node:crypto'
import { auditLine } from '@myrmex/testing/ledger/audit-chain'
import { propertyRuns } from '@myrmex/testing/long'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { canonical } from '../../protocol/canonical.ts'
import { type JsonObject, pointerSteps, valueAtPath } from '../../protocol/json.ts'
import { type AuditRecord, type CallRecord, renderRecord } from './call-record.ts'

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
const schemas = (properties: JsonObject) => ({
  input_schema: { type: 'object', properties },
  output_schema: { type: 'object', properties },
})

const rendered = (changes: Partial<CallRecord>): { text: string; record: AuditRecord } => {
  const text = renderRecord(auditLine('call', changes))
  expect(text.endsWith('}\n')).toBe(true)
  const record = JSON.parse(text) as AuditRecord
  expect(`${canonical(record)}\n`).toBe(text)
  return { text, record }
}

/** Describes a large value in a few words, so that values are drawn, shrunk and printed quickly. */
type Shape =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'text' | 'name'; readonly text: string; readonly times: number }
  | { readonly kind: 'deep'; readonly open: string; readonly times: number }
  | { readonly kind: 'list'; readonly items: readonly Shape[] }
  | { readonly kind: 'copies'; readonly item: Shape; readonly count: number }
  | { readonly kind: 'members'; readonly members: Readonly<Record<string, Shape>> }
  | { readonly kind: 'many'; readonly name: string; readonly item: Shape; readonly count: number }

const times = (max: number) => fc.integer({ min: 0, max })
const names = fc.oneof(fc.string(), fc.constantFrom('payee', 'amount', '__proto__', 'toJSON'))
/** Long texts, long names, long lists, many members and deep nesting, in any mixture. */
const { shape } = fc.letrec<{ shape: Shape }>((tie) => ({
  shape: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.record({ kind: fc.constant('value' as const), value: fc.jsonValue({ maxDepth: 2 }) }),
    fc.record({ kind: fc.constant('text' as const), text: fc.string(), times: times(40_000) }),
    fc.record({
      kind: fc.constant('name' as const),
      text: fc.string({ minLength: 1, maxLength: 3 }),
      times: times(30_000),
    }),
    fc.record({ kind: fc.constant('deep' as const), open: fc.constantFrom('[', '{"a":', '[0,'), times: times(3000) }),
    fc.record({ kind: fc.constant('list' as const), items: fc.array(tie('shape'), { maxLength: 4 }) }),
    fc.record({ kind: fc.constant('copies' as const), item: tie('shape'), count: times(5000) }),
    fc.record({ kind: fc.constant('members' as const), members: fc.dictionary(names, tie('shape'), { maxKeys: 5 }) }),
    fc.record({
      kind: fc.constant('many' as const),
      name: fc.string({ maxLength: 3 }),
      item: tie('shape'),
      count: times(5000),
    }),
  ),
}))

/** The value that a shape describes, of about 300,000 characters at most: what would be longer is null. */
class Grower {
  #left = 300_000

  grow(shape: Shape): unknown {
    this.#left -= 8
    if (this.#left < 0) return null
    switch (shape.kind) {
      case 'value':
        return shape.value
      case 'text':
        return this.#repeated(shape.text, shape.times)
      case 'name':
        return { [this.#repeated(shape.text, shape.times)]: 1 }
      case 'deep': {
        const close = shape.open.startsWith('{') ? '}' : ']'
        return JSON.parse(`${this.#repeated(shape.open, shape.times)}null${close.repeat(shape.times)}`)
      }
      case 'list':
        return shape.items.map((item) => this.grow(item))
      case 'copies':
        return Array.from({ length: shape.count }, () => this.grow(shape.item))
      case 'members':
        return this.members(shape.members)
      case 'many':
        return this.members(
          Object.fromEntries(Array.from({ length: shape.count }, (_, index) => [`${shape.name}${index}`, shape.item])),
        )
    }
  }

  members(members: Readonly<Record<string, Shape>>): Record<string, unknown> {
    return Object.fromEntries(Object.entries(members).map(([name, member]) => [name, this.grow(member)]))
  }

  #repeated(text: string, times: number): string {
    this.#left -= text.length * times
    return this.#left < 0 && !/[[{]/.test(text) ? '' : text.repeat(times)
  }
}
const args = fc.dictionary(fc.string(), shape, { maxKeys: 5 })

describe('a record', () => {
  test('is bounded, canonical and has the hash of everything, whatever is sent', () => {
    fc.assert(
      fc.property(args, shape, (given, drawn) => {
        const sent = new Grower().members(given)
        const data = new Grower().grow(drawn)
        const { text, record } = rendered({ args: sent, data: { data }, ...schemas({}) })
        expect(text.length).toBeLessThan(2 * 65_536 + 25_000)
        expect(canonical(record.args).length).toBeLessThanOrEqual(65_536)
        expect(canonical(record.data).length).toBeLessThanOrEqual(65_536)
        const hash = record.args_hash ?? sha256(canonical(record.args))
        expect(hash).toBe(sha256(canonical(sent)))
      }),
      { numRuns: propertyRuns(10, 400) },
    )
  })

  test('keeps members that the schema names, and says of every difference where it is', () => {
    const known = { payee: { type: 'string' }, amount: { type: 'number' } }
    fc.assert(
      fc.property(args, fc.string(), fc.double({ noNaN: true }), (noise, payee, amount) => {
        const sent = { ...new Grower().members(noise), payee, amount }
        const { record } = rendered({ args: sent, ...schemas(known) })
        const { payee: keptPayee, amount: keptAmount } = record.args as typeof sent
        expect([keptPayee, keptAmount]).toEqual(JSON.parse(JSON.stringify([payee, amount])))
        const same = canonical(record.args) === canonical(sent)
        expect(record.cut === undefined).toBe(same)
        for (const { at } of record.cut ?? [])
          expect(valueAtPath(record as unknown as object, pointerSteps(at))).not.toBeUndefined()
      }),
      { numRuns: propertyRuns(10, 400) },
    )
  })

  test('is the same as before if nothing is cut', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (data) => {
        fc.pre(data !== null)
        const { record } = rendered({ args: { data }, data })
        expect(record).toMatchObject({ args: JSON.parse(JSON.stringify({ data })) })
        expect(record).not.toHaveProperty('cut')
      }),
      { numRuns: propertyRuns(40, 1000) },
    )
  })

  const cycle: Record<string, unknown> = { payee: 'ada' }
  cycle.one = cycle
  cycle.two = { cycle }
  const hostile = new Proxy(
    {},
    {
      ownKeys: () => {
        throw new Error('no')
      },
    },
  )

  test.each<[string, unknown, unknown]>([
    ['a cycle', cycle, expect.objectContaining({ payee: 'ada' })],
    ['a BigInt', { n: 1n, payee: 'ada' }, { n: null, payee: 'ada' }],
    ['functions and symbols', { f: () => {}, s: Symbol('x'), payee: 'ada' }, expect.objectContaining({ payee: 'ada' })],
    ['a date', { at: new Date(0) }, { at: '1970-01-01T00:00:00.000Z' }],
    ['a proxy that throws', hostile, null],
    ['a number that is none', { n: Number.NaN }, { n: null }],
    ['a hole in a list', { list: new Array(3) }, { list: [null, null, null] }],
    ['a large list with holes', { list: new Array(70_000) }, expect.objectContaining({ list: expect.any(Array) })],
  ])('never throws: %s', (_what, value, kept) => {
    const { record } = rendered({
      args: value,
      data: value,
      error: { error_type: 'E', error_message: 'm', error_details: value as never },
    })
    expect(record.args).toEqual(kept)
    expect(record.data).toEqual(kept)
    expect(record.error).toMatchObject({ error_type: 'E', error_message: 'm' })
  })

  test('keeps type and message of an error whose details are large, and the beginning of a large message', () => {
    const details = Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`a${index}`, index]))
    const error = { error_type: 'FullError', error_message: 'm'.repeat(100_000), error_details: details }
    const { record } = rendered({ error })
    expect(record.error?.error_type).toBe('FullError')
    expect(record.error?.error_message.length).toBeGreaterThan(50_000)
    expect(canonical(record.error).length).toBeLessThanOrEqual(65_536)
  })

  test('lists no more places than fit, and says how many there are', () => {
    const list = Array.from({ length: 200 }, () => 'x'.repeat(5000))
    const { record } = rendered({ args: { list } })
    expect(record.cut?.length).toBeLessThan(50)
    expect(record.cut?.[0]).toMatchObject({ at: '/args', places: expect.any(Number) })
    const listed = record.cut?.filter(({ at }) => at.startsWith('/args/list/')).length ?? 0
    expect(listed + (record.cut?.[0]?.places ?? 0)).toBe((record.args as { list: string[] }).list.length)
  })

  test('of an undo keeps what both schemas name', () => {
    const junk = Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`a${index}`, index]))
    const input_schema = { properties: { to: { $ref: '#/$defs/to' } }, $defs: { to: { properties: { payee: {} } } } }
    const output_schema = { properties: { id: {} } }
    const sent = { arguments: { to: { ...junk, payee: 'ada' } }, undo: { ...junk, id: 'r1' } }
    const { record } = rendered({ args: sent, input_schema, output_schema, nested_args: true })
    expect(record.args).toMatchObject({ arguments: { to: { payee: 'ada' } }, undo: { id: 'r1' } })
  })
})
