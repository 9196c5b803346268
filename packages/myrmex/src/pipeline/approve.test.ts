/** The approve gate on a real ledger: one yes lets one exact call through, once, and nothing else is let through by it. */
import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import * as z from 'zod'
import {
  as,
  type Counted,
  call,
  counting,
  dangerous,
  definitionOf,
  door,
  grant,
  ledgerFile,
  type Outcome,
  trust,
} from '../../../../test/gated.ts'
import { modern, type Peer, TASKS } from '../../../../test/wire.ts'
import { createServer } from '../server/server.ts'
import { parsePolicy } from './policy.ts'

const serve = async (counted: Counted[], { policy = {}, file = ledgerFile() } = {}) => {
  const ledger = await file.open()
  const tools = counted.map(({ tool }) => tool)
  const server = createServer({
    name: 't',
    version: '1.0.0',
    tools,
    ledger,
    policy: parsePolicy(policy),
    observe: () => {},
  })
  for (const one of counted) await trust(ledger, one)
  return { file, ledger, server }
}

/** One tool that changes state, trusted, and covered by no grant. */
const shop = async (changes: Parameters<typeof dangerous>[1] = {}, policy = {}) => {
  const refund = dangerous('shop.refund', { input: z.looseObject({}), ...changes })
  return { refund, ...(await serve([refund], { policy })) }
}

const approvalOf = ({ error }: Outcome): string => {
  expect(error).toMatchObject({ error_type: 'PermissionError', error_details: { status: 'waiting' } })
  return error?.error_details.approval
}

const REFUSED = { status: 'failure', error: { error_type: 'PermissionError' } }

describe('one call, one approval', () => {
  test('the refusal names the approval, the reason, and how to go on', async () => {
    const { server, file } = await shop()
    const refused = await call(server, 'shop.refund', { n: 1 })
    const id = approvalOf(refused)
    expect(refused.error?.error_message).toContain(`myrmex approvals approve ${id}`)
    expect(refused.error?.error_message).toMatch(/changes state.*same arguments, as the same principal/)
    expect(Date.parse(refused.error?.error_details.expires_at)).toBeGreaterThan(Date.now())
    expect(file.rows('SELECT id, tool, args, principal, status FROM approvals')).toEqual([
      { id, tool: 'shop.refund', args: '{"n":1}', principal: 'local', status: 'waiting' },
    ])
    expect(file.lines()).toMatchObject([{ tool: 'shop.refund', outcome: 'failure', error_type: 'PermissionError' }])
  })

  test('a yes lets exactly this call through, once, and the audit names it', async () => {
    const { server, ledger, refund, file } = await shop()
    const id = approvalOf(await call(server, 'shop.refund', { n: 1 }))
    await ledger.approvals.approve(id, 'ada')
    expect(await call(server, 'shop.refund', { n: 2 })).toMatchObject(REFUSED)
    const ran = await call(server, 'shop.refund', { n: 1 })
    expect(ran).toMatchObject({ status: 'success' })
    const again = approvalOf(await call(server, 'shop.refund', { n: 1 }))
    expect(again).not.toBe(id)
    expect(refund.ran).toEqual([{ n: 1 }])
    expect(await ledger.approvals.find(id)).toMatchObject({ status: 'used', used_by: ran.call_id, decided_by: 'ada' })
    expect(file.lines().map(({ approval }) => approval)).toEqual([undefined, undefined, id, undefined])
  })

  test('asking again while it waits makes no second request', async () => {
    const { server, file } = await shop()
    const ids = await Promise.all(
      Array.from({ length: 20 }, () => call(server, 'shop.refund', { n: 1 }).then(approvalOf)),
    )
    expect(new Set(ids).size).toBe(1)
    expect(file.rows('SELECT id FROM approvals')).toHaveLength(1)
  })

  test('of twenty identical calls at the same instant one uses it', async () => {
    const { server, ledger, refund } = await shop()
    const id = approvalOf(await call(server, 'shop.refund', { n: 1 }))
    await ledger.approvals.approve(id, 'ada')
    const all = await Promise.all(Array.from({ length: 20 }, () => call(server, 'shop.refund', { n: 1 })))
    expect(all.filter(({ status }) => status === 'success')).toHaveLength(1)
    expect(refund.ran).toHaveLength(1)
  })

  test('two servers on one file do not use it twice either', async () => {
    const { server, ledger, refund, file } = await shop()
    const other = await serve([refund], { file })
    const id = approvalOf(await call(server, 'shop.refund', { n: 1 }))
    await ledger.approvals.approve(id, 'ada')
    const all = await Promise.all(
      Array.from({ length: 20 }, (_, i) => call(i % 2 === 0 ? server : other.server, 'shop.refund', { n: 1 })),
    )
    expect(all.filter(({ status }) => status === 'success')).toHaveLength(1)
    expect(refund.ran).toHaveLength(1)
  })

  test('a yes given before a restart is good after it', async () => {
    const { server, ledger, refund, file } = await shop()
    const id = approvalOf(await call(server, 'shop.refund', { n: 1 }))
    await ledger.approvals.approve(id, 'ada')
    await ledger.close()
    const after = await serve([refund], { file })
    expect(await call(after.server, 'shop.refund', { n: 1 })).toMatchObject({ status: 'success' })
    expect(await call(after.server, 'shop.refund', { n: 1 })).toMatchObject(REFUSED)
  })

  test('one that has expired, waiting or approved, lets nothing through', async () => {
    const { server, ledger, refund, file } = await shop()
    const waiting = approvalOf(await call(server, 'shop.refund', { n: 1 }))
    file.exec(`UPDATE approvals SET expires_at = requested_at - 1`)
    await expect(ledger.approvals.approve(waiting, 'ada')).rejects.toThrow(/expired/)
    const approved = approvalOf(await call(server, 'shop.refund', { n: 1 }))
    expect(approved).not.toBe(waiting)
    await ledger.approvals.approve(approved, 'ada')
    file.exec(`UPDATE approvals SET expires_at = requested_at - 1 WHERE id = '${approved}'`)
    expect(approvalOf(await call(server, 'shop.refund', { n: 1 }))).not.toBe(approved)
    expect(refund.ran).toEqual([])
  })

  test('a no lets nothing through, and cannot become a yes', async () => {
    const { server, ledger, refund } = await shop()
    const id = approvalOf(await call(server, 'shop.refund', { n: 1 }))
    await ledger.approvals.deny(id, 'ada', 'too much')
    await expect(ledger.approvals.approve(id, 'ada')).rejects.toThrow(/denied/)
    expect(approvalOf(await call(server, 'shop.refund', { n: 1 }))).not.toBe(id)
    expect(refund.ran).toEqual([])
  })

  test('it is for one principal', async () => {
    const { server, ledger, refund } = await shop()
    const id = approvalOf(await call(server, 'shop.refund', { n: 1 }, { principal: as('bob') }))
    await ledger.approvals.approve(id, 'ada')
    expect(await call(server, 'shop.refund', { n: 1 }, { principal: as('eve') })).toMatchObject(REFUSED)
    expect(await call(server, 'shop.refund', { n: 1 })).toMatchObject(REFUSED)
    expect(refund.ran).toEqual([])
    expect(await call(server, 'shop.refund', { n: 1 }, { principal: as('bob') })).toMatchObject({ status: 'success' })
  })

  test('it is for one version', async () => {
    const one = dangerous('shop.refund')
    const two = dangerous('shop.refund', { version: '1.1.0' })
    const { server, ledger } = await serve([one, two])
    const id = approvalOf(await call(server, 'shop.refund', { n: 1 }))
    await ledger.approvals.approve(id, 'ada')
    const old = { meta: { 'myrmex/version': '1.0.0' } }
    expect(await call(server, 'shop.refund', { n: 1 }, old)).toMatchObject(REFUSED)
    expect([one.ran, two.ran]).toEqual([[], []])
  })

  test('it is for one definition', async () => {
    const { server, ledger, file } = await shop()
    const id = approvalOf(await call(server, 'shop.refund', { n: 1 }))
    await ledger.approvals.approve(id, 'ada')
    const changed = dangerous('shop.refund', { input: z.looseObject({}), description: 'Pays twice.' })
    const after = await serve([changed], { file })
    expect(await call(after.server, 'shop.refund', { n: 1 })).toMatchObject(REFUSED)
    expect(changed.ran).toEqual([])
  })

  test('a call that is turned away behind the gate has not used it', async () => {
    const { server, ledger, refund } = await shop({ limit: { calls: 1, per_ms: 400 } })
    await grant(ledger, refund)
    expect(await call(server, 'shop.refund', { n: 0 })).toMatchObject({ status: 'success' })
    await ledger.grants.revoke('shop.refund', 'ada')
    const id = approvalOf(await call(server, 'shop.refund', { n: 1 }))
    await ledger.approvals.approve(id, 'ada')
    const limited = await call(server, 'shop.refund', { n: 1 })
    expect(limited).toMatchObject({ error: { error_type: 'ApiLimitExceeded' } })
    await vi.waitFor(async () =>
      expect(await call(server, 'shop.refund', { n: 1 })).toMatchObject({ status: 'success' }),
    )
    expect(refund.ran).toEqual([{ n: 0 }, { n: 1 }])
    expect(await ledger.approvals.find(id)).toMatchObject({ status: 'used' })
  })

  test('a call that ran and failed has used it', async () => {
    const { server, ledger } = await shop({
      run: () => {
        throw new Error('half done')
      },
    })
    const id = approvalOf(await call(server, 'shop.refund', { n: 1 }))
    await ledger.approvals.approve(id, 'ada')
    expect(await call(server, 'shop.refund', { n: 1 })).toMatchObject({ error: { error_type: 'ToolExecutionError' } })
    expect(await call(server, 'shop.refund', { n: 1 })).toMatchObject(REFUSED)
  })
})

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
  if (Number.isSafeInteger(value) && !Object.is(value, -0)) forms.push(`${value}.0`, `${value}e0`, `${value}0e-1`)
  const form = forms[pick(forms.length - 1)] as string
  return JSON.parse(form) === value ? form : String(value)
}

const textForm = (text: string, pick: (most: number) => number): string =>
  pick(1) === 0
    ? JSON.stringify(text)
    : `"${Array.from({ length: text.length }, (_, i) => `\\u${text.charCodeAt(i).toString(16).padStart(4, '0')}`).join('')}"`

const jsonObject = fc.dictionary(fc.string({ maxLength: 6 }), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 5 })

describe('exactly this call', () => {
  test('the order of members and the form of numbers and texts do not matter', async () => {
    const { server, ledger, refund } = await shop()
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
    const { server, ledger, refund } = await shop()
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
    const { server, ledger, refund } = await shop()
    const asked = await call(server, 'shop.refund', JSON.parse(approved))
    const id = asked.error?.error_details?.approval
    // What cannot be told apart may be refused outright: then nobody was asked.
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
    const { server, ledger, refund } = await shop()
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

describe('standing grants', () => {
  test('one covers calls of everybody until it is taken back, and the audit names it', async () => {
    const { server, ledger, refund, file } = await shop()
    const { id } = await ledger.grants.give(definitionOf(refund.tool), 'ada')
    expect(await call(server, 'shop.refund', { n: 1 })).toMatchObject({ status: 'success' })
    expect(await call(server, 'shop.refund', { n: 2 }, { principal: as('bob') })).toMatchObject({ status: 'success' })
    expect(file.lines().map(({ approval }) => approval)).toEqual([id, id])
    expect(await ledger.grants.revoke('shop.refund', 'ada')).toBe(1)
    expect(await call(server, 'shop.refund', { n: 1 })).toMatchObject(REFUSED)
    expect(refund.ran).toHaveLength(2)
  })

  test('one taken back in another process covers nothing from the next call on', async () => {
    const { server, ledger, refund, file } = await shop()
    await ledger.grants.give(definitionOf(refund.tool), 'ada')
    expect(await call(server, 'shop.refund', { n: 1 })).toMatchObject({ status: 'success' })
    await (await file.open()).grants.revoke('shop.refund', 'ada')
    expect(await call(server, 'shop.refund', { n: 1 })).toMatchObject(REFUSED)
  })

  test('one with an end covers nothing after it', async () => {
    const { server, ledger, refund, file } = await shop()
    const { id } = await ledger.grants.give(definitionOf(refund.tool), 'ada', { until: Date.now() + 60_000 })
    expect(await call(server, 'shop.refund', { n: 1 })).toMatchObject({ status: 'success' })
    file.exec(`UPDATE grants SET expires_at = ${Date.now() - 1} WHERE id = '${id}'`)
    expect(await call(server, 'shop.refund', { n: 1 })).toMatchObject(REFUSED)
  })

  test('one for a principal covers nobody else', async () => {
    const { server, ledger, refund } = await shop()
    await ledger.grants.give(definitionOf(refund.tool), 'ada', { principal: 'bob' })
    expect(await call(server, 'shop.refund', {}, { principal: as('bob') })).toMatchObject({ status: 'success' })
    for (const principal of [as('Bob'), as('bob '), as('eve'), undefined]) {
      expect(await call(server, 'shop.refund', {}, { ...(principal && { principal }) })).toMatchObject(REFUSED)
    }
    expect(refund.ran).toHaveLength(1)
  })

  test('one for a version or a definition covers no other', async () => {
    const one = dangerous('shop.refund')
    const two = dangerous('shop.refund', { version: '1.0.1' })
    const { server, ledger } = await serve([one, two])
    await ledger.grants.give({ ...definitionOf(two.tool), hash: one.tool.hash }, 'ada')
    await ledger.grants.give({ ...definitionOf(two.tool), version: '1.0.0' }, 'ada')
    expect(await call(server, 'shop.refund')).toMatchObject(REFUSED)
    expect(two.ran).toEqual([])
  })

  test('a grant does not stand in for trust', async () => {
    const { server, ledger, refund } = await shop()
    await ledger.grants.give(definitionOf(refund.tool), 'ada')
    await ledger.trust.set(definitionOf(refund.tool), 'verified', 'ada')
    expect(await call(server, 'shop.refund')).toMatchObject({ error: { error_details: { needs: 'trusted' } } })
    expect(refund.ran).toEqual([])
  })
})

describe('rules of the policy', () => {
  const above = (otherwise = 'default') => ({
    approvals: [{ name: 'large sums', tools: ['shop.*'], when: [{ argument: '/n', above: 100 }], otherwise }],
  })

  test('a rule asks in spite of a standing grant, and says its name', async () => {
    const { server, ledger, refund } = await shop({}, above())
    await ledger.grants.give(definitionOf(refund.tool), 'ada')
    expect(await call(server, 'shop.refund', { n: 100 })).toMatchObject({ status: 'success' })
    const asked = await call(server, 'shop.refund', { n: 101 })
    expect(asked.error?.error_message).toContain('the policy asks: large sums')
    await ledger.approvals.approve(approvalOf(asked), 'ada')
    expect(await call(server, 'shop.refund', { n: 101 })).toMatchObject({ status: 'success' })
    expect(await call(server, 'shop.refund', { n: 101 })).toMatchObject(REFUSED)
    expect(refund.ran).toHaveLength(2)
  })

  test('a rule asks for a tool that changes nothing too', async () => {
    const look = counting('shop.look')
    const { server, ledger } = await serve([look], { policy: above() })
    expect(await call(server, 'shop.look', { n: 1 })).toMatchObject({ status: 'success' })
    const id = approvalOf(await call(server, 'shop.look', { n: 101 }))
    expect(look.ran).toHaveLength(1)
    await ledger.approvals.approve(id, 'ada')
    expect(await call(server, 'shop.look', { n: 101 })).toMatchObject({ status: 'success' })
  })

  test('a rule that allows otherwise lets small calls through without a grant, but never without trust', async () => {
    const { server, ledger, refund } = await shop({}, above('allow'))
    expect(await call(server, 'shop.refund', { n: 100 })).toMatchObject({ status: 'success' })
    expect(await call(server, 'shop.refund', { n: 101 })).toMatchObject(REFUSED)
    // What cannot be judged is asked about.
    for (const args of [{}, { n: '5' }, { n: null }, { n: [1] }, { N: 1 }]) {
      expect(await call(server, 'shop.refund', args), JSON.stringify(args)).toMatchObject(REFUSED)
    }
    await ledger.trust.set(definitionOf(refund.tool), 'untrusted', 'ada')
    expect(await call(server, 'shop.refund', { n: 1 })).toMatchObject(REFUSED)
    expect(refund.ran).toHaveLength(1)
  })

  test('a rule is judged by what the tool will get, too: the schema may make one value of another', async () => {
    const input = z.object({ to: z.string().trim().toLowerCase(), n: z.coerce.number().catch(1_000_000) })
    const { server, refund } = await shop(
      { input },
      {
        approvals: [
          {
            name: 'production',
            tools: ['shop.refund'],
            when: [{ argument: '/to', equals: 'production' }],
            otherwise: 'allow',
          },
        ],
      },
    )
    expect(await call(server, 'shop.refund', { to: 'test', n: 1 })).toMatchObject({ status: 'success' })
    for (const to of ['production', ' production', 'PRODUCTION']) {
      expect(await call(server, 'shop.refund', { to, n: 1 }), to).toMatchObject(REFUSED)
    }
    expect(refund.ran).toHaveLength(1)
  })
})

describe('a client that speaks tasks', () => {
  const until = async (peer: Peer, taskId: string, status: string) => {
    let task: Record<string, unknown> = {}
    await vi.waitFor(async () => {
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
    const { server, refund, file } = await shop()
    const peer = modern(server, TASKS)
    const { taskId, approval, statusMessage } = await start(peer)
    expect(statusMessage).toMatch(/^Waiting for a human: approval \w+ \(it changes state\)\.$/)
    expect((await peer.request('tasks/get', { taskId })).result).toMatchObject({ status: 'working', statusMessage })
    expect(file.rows('SELECT id, status FROM tasks')).toEqual([{ id: taskId, status: 'working' }])
    peer.close()
    expect(refund.ran).toEqual([])
    await (await file.open()).approvals.approve(approval, 'ada')
    const later = modern(server, TASKS)
    const done = await until(later, taskId, 'completed')
    expect(done).toMatchObject({ result: { structuredContent: {} } })
    expect(done).not.toHaveProperty('statusMessage')
    expect(refund.ran).toEqual([{ n: 1 }])
    expect(file.lines()).toMatchObject([{ tool: 'shop.refund', outcome: 'success', approval }])
  })

  test('ends with a PermissionError, and the note, when somebody says no', async () => {
    const { server, ledger, refund } = await shop()
    const peer = modern(server, TASKS)
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
    const { server, ledger, refund, file } = await shop()
    const peer = modern(server, TASKS)
    const { taskId, approval } = await start(peer)
    await peer.request('tasks/cancel', { taskId })
    await until(peer, taskId, 'cancelled')
    await ledger.approvals.approve(approval, 'ada')
    expect(file.lines()).toMatchObject([{ outcome: 'failure', error_type: 'CancelledError' }])
    expect(refund.ran).toEqual([])
  })

  test('does not run what was given up in the same moment as it was approved', async () => {
    const { server, ledger, refund } = await shop()
    const peer = modern(server, TASKS)
    const { taskId, approval } = await start(peer)
    const cancelling = peer.request('tasks/cancel', { taskId })
    const approving = ledger.approvals.approve(approval, 'ada')
    await Promise.all([cancelling, approving])
    await until(peer, taskId, 'cancelled')
    expect(refund.ran).toEqual([])
  })

  test('does not run what is trusted no more when the yes comes', async () => {
    const { server, ledger, refund, file } = await shop()
    const peer = modern(server, TASKS)
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

  test('is told when the request has lapsed', async () => {
    const { server, refund, file } = await shop()
    const peer = modern(server, TASKS)
    const { taskId } = await start(peer)
    file.exec('UPDATE approvals SET expires_at = requested_at - 1')
    expect((await until(peer, taskId, 'completed')).result).toMatchObject({
      structuredContent: { error_type: 'PermissionError', error_message: expect.stringMatching(/has expired/) },
    })
    expect(refund.ran).toEqual([])
  })

  test('of two tasks that wait for the same approval one runs', async () => {
    const { server, ledger, refund } = await shop()
    const peer = modern(server, TASKS)
    const [one, two] = await Promise.all([start(peer), start(peer)])
    expect(one.approval).toBe(two.approval)
    await ledger.approvals.approve(one.approval, 'ada')
    const ended = await Promise.all([one, two].map(({ taskId }) => until(peer, taskId, 'completed')))
    expect(ended.filter(({ result }) => (result as { isError?: boolean }).isError)).toHaveLength(1)
    expect(refund.ran).toHaveLength(1)
  })

  test('hears that it no longer waits for a human once one has said yes', async () => {
    const { open, opened } = door()
    const started = door()
    const { server, ledger } = await shop({
      run: async () => {
        started.open()
        await opened
        return {}
      },
    })
    const peer = modern(server, TASKS)
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
    const { server, ledger, refund } = await shop()
    const peer = modern(server, TASKS)
    await ledger.grants.give(definitionOf(refund.tool), 'ada')
    const call = { name: 'shop.refund', arguments: {} }
    expect((await peer.request('tools/call', call)).result).toMatchObject({ resultType: 'complete' })
    await ledger.trust.set(definitionOf(refund.tool), 'untrusted', 'ada')
    expect((await peer.request('tools/call', call)).result).toMatchObject({ resultType: 'complete', isError: true })
  })

  test('finds nothing of a task that waits for somebody else', async () => {
    const { server } = await shop()
    const { taskId } = await start(modern(server, TASKS))
    await expect(server.tasks.find(taskId, as('eve'))).rejects.toThrow(/Unknown task/)
  })
})

test('a tool that asks its client keeps its approval for the next round', async () => {
  const question = {
    method: 'elicitation/create',
    params: { message: '?', requestedSchema: { type: 'object', properties: {} } },
  }
  const { server, ledger, refund } = await shop({
    run: async (_input, ctx) => {
      const { sure } = await ctx.ask({ sure: question as never })
      return { sure: sure.action }
    },
  })
  const peer = modern(server, { elicitation: { form: {} } })
  const request = { name: 'shop.refund', arguments: { n: 1 } }
  const asked = (await peer.request('tools/call', request)).result
  const id = asked.structuredContent.error_details.approval
  await ledger.approvals.approve(id, 'ada')
  const first = (await peer.request('tools/call', request)).result
  expect(first.resultType).toBe('input_required')
  expect(await ledger.approvals.find(id)).toMatchObject({ status: 'approved', used_by: null })
  const answers = { requestState: first.requestState, inputResponses: { sure: { action: 'accept', content: {} } } }
  const second = (await peer.request('tools/call', { ...request, ...answers })).result
  expect(second).toMatchObject({ resultType: 'complete', structuredContent: { sure: 'accept' } })
  expect(await ledger.approvals.find(id)).toMatchObject({ status: 'used' })
  expect((await peer.request('tools/call', { ...request, ...answers })).result).toMatchObject({ isError: true })
  expect(refund.ran).toHaveLength(2)
})

test('secrets in the arguments never reach the table of approvals', async () => {
  const input = z.looseObject({
    user: z.string(),
    password: z.string().meta({ 'x-secret': true }),
    card: z.object({ pin: z.number().meta({ 'x-secret': true }) }),
  })
  const { server, ledger, refund, file } = await shop({ input })
  const args = {
    user: 'bob',
    password: 'hunter2-secret',
    card: { pin: 48_291_377 },
    url: 'https://bob:hunter2-secret@shop.example/',
    note: ['my pin is 48291377'],
  }
  const id = approvalOf(await call(server, 'shop.refund', args))
  expect(file.rows<{ args: string }>('SELECT args FROM approvals')[0]?.args).toContain('"user":"bob"')
  await ledger.approvals.approve(id, 'ada', 'fine')
  const other = { ...args, password: 'hunter3-secret', url: 'https://shop.example/' }
  expect(await call(server, 'shop.refund', other)).toMatchObject(REFUSED)
  expect(await call(server, 'shop.refund', args)).toMatchObject({ status: 'success' })
  expect(refund.ran).toHaveLength(1)
  await ledger.close()
  for (const secret of ['hunter2-secret', 'hunter3-secret', '48291377']) {
    expect(file.bytes().includes(secret), secret).toBe(false)
  }
})

test('where the ledger cannot say who was approved nothing runs', async () => {
  const { server, ledger, refund, file } = await shop()
  await ledger.grants.give(definitionOf(refund.tool), 'ada')
  file.exec('ALTER TABLE grants RENAME TO gone')
  expect(await call(server, 'shop.refund')).toMatchObject({ error: { error_type: 'UnavailableError' } })
  file.exec('ALTER TABLE gone RENAME TO grants; ALTER TABLE approvals RENAME TO gone')
  await ledger.grants.revoke('shop.refund', 'ada')
  expect(await call(server, 'shop.refund')).toMatchObject({ error: { error_type: 'UnavailableError' } })
  expect(refund.ran).toEqual([])
})
