/** An approval is for one exact call: how it is written does not matter, and everything else does. */

import { approvalOf, call, serveRefundTool } from '@myrmex/testing/gated-server'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

const REFUSED = { status: 'failure', error: { error_type: 'PermissionError' } }

/** A JSON value as somebody else might write it: members in another order, numbers in another form, spaces, escapes. */
function rewritten(value: unknown, pick: (most: number) => number): string {
  const space = (): string => ['', ' ', '\n\t'][pick(2)] as string
  if (typeof value === 'number') return space() + numberForm(value, pick)
  if (typeof value === 'string') return space() + textForm(value, pick)
  if (typeof value !== 'object' || value === null) return space() + JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map((item) => rewritten(item, pick)).join(',')}${space()}]`
  const members = Object.entries(value).map(([key, item]) => `${textForm(key, pick)}:${rewritten(item, pick)}`)
  const order = members.map((member) => ({ member, at: pick(1000) })).sort((a, b) => a.at - b.at)
  return `{${order.map(({ member }) => member).join(`${space()},`)}}`
}

function numberForm(value: number, pick: (most: number) => number): string {
  const forms = [String(value), value.toExponential(), `${value.toExponential()}`.toUpperCase()]
  if (Number.isSafeInteger(value) && !Object.is(value, -0)) forms.push(`${value}.0`, `${value}e0`)
  // 00e-1 is no number.
  if (Number.isSafeInteger(value) && value !== 0) forms.push(`${value}0e-1`)
  const form = forms[pick(forms.length - 1)] as string
  return JSON.parse(form) === value ? form : String(value)
}

const textForm = (text: string, pick: (most: number) => number): string =>
  pick(1) === 0
    ? JSON.stringify(text)
    : `"${Array.from({ length: text.length }, (_, i) => `\\u${text.charCodeAt(i).toString(16).padStart(4, '0')}`).join('')}"`

const jsonObject = fc
  .dictionary(fc.string({ maxLength: 6 }), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 5 })
  // Refused before anybody is asked.
  .filter((args) => !JSON.stringify(args).includes('"__proto__"'))

describe('exactly this call', () => {
  test('the order of members and the form of numbers and texts do not matter', async () => {
    const { server, ledger, refund } = await serveRefundTool()
    let runs = 0
    await fc.assert(
      fc.asyncProperty(jsonObject, fc.infiniteStream(fc.nat(1000)), async (args, stream) => {
        const pick = (most: number): number => (stream.next().value as number) % (most + 1)
        const send = () => call(server, 'shop.refund', JSON.parse(rewritten(args, pick)))
        await ledger.approvals.approve(approvalOf(await send()), 'ada')
        expect(await send()).toMatchObject({ status: 'success' })
        expect(refund.ran).toHaveLength(++runs)
      }),
      { numRuns: 60 },
    )
  })

  test('anything else does', async () => {
    const { server, ledger, refund } = await serveRefundTool()
    const plainly = (value: unknown): unknown => JSON.parse(JSON.stringify(value))
    await fc.assert(
      fc.asyncProperty(jsonObject, jsonObject, async (args, other) => {
        fc.pre(!isSame(plainly(args), plainly(other)))
        const id = approvalOf(await call(server, 'shop.refund', args))
        await ledger.approvals.approve(id, 'ada')
        expect(await call(server, 'shop.refund', other)).toMatchObject(REFUSED)
        expect(refund.ran).toEqual([])
        await ledger.db.query('DELETE FROM approvals')
      }),
      { numRuns: 60 },
    )
  })

  test.each([
    ['a member more', '{"n":1}', '{"n":1,"m":1}'],
    ['a member less', '{"n":1,"m":1}', '{"n":1}'],
    ['null for nothing', '{"n":1}', '{"n":1,"m":null}'],
    ['nothing for null', '{"n":1,"m":null}', '{"n":1}'],
    ['a text for a number', '{"n":1}', '{"n":"1"}'],
    ['true for 1', '{"n":1}', '{"n":true}'],
    ['another order of a list', '{"l":[1,2]}', '{"l":[2,1]}'],
    ['a list for its only item', '{"l":1}', '{"l":[1]}'],
    ['a deeper list', '{"l":[1]}', '{"l":[[1]]}'],
    ['an empty list for an empty object', '{"l":[]}', '{"l":{}}'],
    ['another case', '{"to":"Ada"}', '{"to":"ada"}'],
    ['another case of a name', '{"to":1}', '{"To":1}'],
    ['a space', '{"to":"ada"}', '{"to":"ada "}'],
    ['another unicode form', '{"to":"\u00e9"}', '{"to":"e\u0301"}'],
    ['another unicode form of a name', '{"\u00e9":1}', '{"e\u0301":1}'],
    ['a look-alike', '{"to":"ada"}', '{"to":"\u0430da"}'],
    ['a hidden character', '{"to":"ada"}', '{"to":"ada\u200b"}'],
    ['another half of a surrogate', '{"to":"\\ud800"}', '{"to":"\\ud801"}'],
    ['the sign of a replaced character', '{"to":"\\ud800"}', '{"to":"\ufffd"}'],
    ['the next number', '{"n":0.1}', '{"n":0.10000000000000002}'],
    ['the other sign', '{"n":1}', '{"n":-1}'],
    ['a number too large to be one', '{"n":null}', '{"n":1e400}'],
    ['two numbers too large to be one', '{"n":1e400}', '{"n":-1e400}'],
    ['a member called __proto__', '{"n":1}', '{"n":1,"__proto__":{"m":1}}'],
    ['another __proto__', '{"__proto__":{"m":1}}', '{"__proto__":{"m":2}}'],
    ['a member called toJSON', '{"n":1}', '{"n":1,"toJSON":1}'],
    ['a member moved one level down', '{"a":{"n":1},"m":2}', '{"a":{"n":1,"m":2}}'],
    ['text that looks like the end of a member', '{"a":"1","b":"2"}', '{"a":"1\\",\\"b\\":\\"2"}'],
  ])('%s is another call', async (_what, approved, sent) => {
    const { server, ledger, refund } = await serveRefundTool()
    const asked = await call(server, 'shop.refund', JSON.parse(approved))
    const id = asked.error?.error_details?.approval
    // Calls that cannot be distinguished may be refused outright: then nobody was asked.
    if (id !== undefined) await ledger.approvals.approve(id, 'ada')
    const other = await call(server, 'shop.refund', JSON.parse(sent))
    expect(other.status).toBe('failure')
    expect(other.error?.error_details?.approval).not.toBe(id ?? '')
    expect(refund.ran).toEqual([])
  })

  test.each([
    ['1.0', '{"n":1}', '{"n":1.0}'],
    ['1e0', '{"n":1}', '{"n":1e0}'],
    ['10e-1', '{"n":1}', '{"n":10e-1}'],
    ['-0', '{"n":0}', '{"n":-0}'],
    ['a large number', '{"n":1e21}', '{"n":1000000000000000000000}'],
    ['an escape', '{"n":"/"}', '{"n":"\\u002f"}'],
    ['members that look like numbers', '{"10":1,"9":2,"a":3}', '{"a":3,"9":2,"10":1}'],
  ])('%s is the same call', async (_what, approved, sent) => {
    const { server, ledger, refund } = await serveRefundTool()
    await ledger.approvals.approve(approvalOf(await call(server, 'shop.refund', JSON.parse(approved))), 'ada')
    expect(await call(server, 'shop.refund', JSON.parse(sent))).toMatchObject({ status: 'success' })
    expect(refund.ran).toHaveLength(1)
  })
})

/** Of JSON: zero has no sign there. */
function isSame(a: unknown, b: unknown): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const keys = Object.keys(a)
  if (keys.length !== Object.keys(b).length) return false
  return keys.every((key) => Object.hasOwn(b, key) && isSame(a[key as never], b[key as never]))
}
