/** Middleware on a real ledger: it sees every request, can refuse and replace, and goes around no gate. */

import {
  approvalOf,
  type CountedTool,
  call,
  countedTool,
  destructiveTool,
  LedgerFile,
  trust,
} from '@myrmex/testing/gated-server'
import { rawClient } from '@myrmex/testing/host/raw-client'
import { modernPeer } from '@myrmex/testing/mcp-peer'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import * as z from 'zod'
import { agent } from '../../agent/agent.ts'
import { ToolError } from '../../protocol/errors.ts'
import { createServer } from '../../server/server.ts'
import type { ServerOptions } from '../../server/server-options.ts'
import { answer } from '../../tool/answer.ts'
import type { Context } from '../../tool/context.ts'
import { prompt } from '../../tool/prompt.ts'
import { Registry } from '../../tool/registry.ts'
import { resource } from '../../tool/resource.ts'
import type { Middleware, MiddlewareCall } from '../middleware.ts'
import { Pipeline } from '../pipeline.ts'
import { middleware } from './middleware.ts'

async function serve(tools: readonly CountedTool[], use: readonly Middleware[], more: Partial<ServerOptions> = {}) {
  const file = new LedgerFile()
  onTestFinished(() => file.remove())
  const ledger = await file.open()
  const observed: unknown[] = []
  const observe = ({ thrown }: { thrown: unknown }): void => void observed.push(thrown)
  const registered = tools.map(({ tool }) => tool)
  const server = createServer({ name: 'm', version: '1.0.0', tools: registered, ledger, use, observe, ...more })
  return { server, ledger, file, observed }
}

const look = () => countedTool('shop.look', { output: z.object({ n: z.number() }), run: () => ({ n: 1 }) })
const result = (data: object) => ({ status: 'success' as const, data: data as never, error: null, explanation: null })

test('a server without middleware has no gate for it', () => {
  const next = () => {
    throw new Error('not called')
  }
  expect(middleware(look().tool, next, new Pipeline(new Registry()))).toBe(next)
})

test.each([[{}], ['x'], [[1]], [[() => {}, null]]])('use: %j is refused when the server is made', (use) => {
  expect(() => createServer({ name: 'm', version: '1.0.0', use: use as never })).toThrow(
    /use must be an array of functions/,
  )
})

describe('it sees', () => {
  test('every kind of request, in the order of the list, around the tool', async () => {
    const events: string[] = []
    const named =
      (name: string): Middleware =>
      async ({ kind, name: of }, next) => {
        events.push(`${name} ${kind} ${of}`)
        const ended = await next()
        events.push(`${name} ${ended.status}`)
        return ended
      }
    const { server } = await serve([look()], [named('outer'), named('inner')], {
      resources: [resource({ uri: 'shop://one', name: 'one', read: () => 'text' })],
      prompts: [prompt({ name: 'greet', get: () => 'Hello' })],
      methods: { 'agent/act': () => ({ result: true }) },
    })
    const ops = agent({
      name: 'ops',
      tools: [],
      critique: () => ({ verdict: 'pass', score: 1, judgements: [], summary: 'Fine.' }),
    })
    server.add({ file: 'ops', agents: [ops], tools: [], resources: [], prompts: [], scratch: undefined })
    const peer = await rawClient(server, { era: 'modern' })
    const around = (what: string) => [`outer ${what}`, `inner ${what}`, 'inner success', 'outer success']
    const requests: [string, Record<string, unknown>, string][] = [
      ['tools/call', { name: 'look', arguments: {} }, 'tool shop.look'],
      ['myrmex/batch', { calls: [{ name: 'look' }] }, 'tool shop.look'],
      ['resources/read', { uri: 'shop://one' }, 'resource resource:m:shop://one'],
      ['prompts/get', { name: 'greet' }, 'prompt prompt:m.greet'],
      ['agent/act', {}, 'method method:agent/act'],
      ['agent/critique', { task: 't', output: 'o', criteria: [] }, 'agent agent:ops.critique'],
    ]
    for (const [method, params, what] of requests) {
      events.length = 0
      await peer.request(method, params)
      expect(events, method).toEqual(around(what))
    }
  })

  test('who calls what, the calls that a tool makes, and dry runs', async () => {
    const seen: MiddlewareCall[] = []
    const note: Middleware = (one, next) => {
      seen.push(one)
      return next()
    }
    const order = destructiveTool('shop.order', {
      dryRun: async (_input: unknown, ctx: Context) => ({ got: await ctx.call('shop.look', {}) }),
    } as never)
    const { server } = await serve([look(), order], [note])
    const meta = { 'myrmex/dryRun': true, 'myrmex/context': { goal: 'g' } }
    const { call_id } = await call(server, 'shop.order', { n: 1 }, { key: 'k', meta })
    expect(seen.map(({ name, isDryRun, changesState }) => [name, isDryRun, changesState])).toEqual([
      ['shop.order', true, false],
      ['shop.look', true, false],
    ])
    expect(seen[0]).toMatchObject({
      id: call_id,
      version: '1.0.0',
      arguments: { n: 1 },
      principal: { id: 'local' },
      client: { info: { name: 'test' } },
      transport: 'direct',
      context: { goal: 'g' },
      idempotencyKey: 'k',
      request: undefined,
    })
  })

  test('nothing that an earlier gate refuses', async () => {
    const seen = vi.fn()
    const note: Middleware = (_call, next) => {
      seen()
      return next()
    }
    const { server, ledger } = await serve([look(), destructiveTool('shop.burn')], [note])
    await call(server, 'shop.look', { n: 'x' })
    await call(server, 'shop.burn')
    await call(server, 'shop.look', {}, { principal: { id: 'bob', kind: 'bearer', scopes: [] } })
    expect(seen).not.toHaveBeenCalled()
    expect(await ledger.approvals.list()).toEqual([])
  })
})

describe('it can', () => {
  test('refuse a call before a person is asked', async () => {
    const burn = destructiveTool('shop.burn')
    const closed: Middleware = () => {
      throw new ToolError('ClosedError', 'The shop is closed.', { until: 'nine' })
    }
    const { server, ledger, file } = await serve([burn], [closed])
    await trust(ledger, burn)
    expect(await call(server, 'shop.burn')).toMatchObject({
      status: 'failure',
      error: { error_type: 'ClosedError', error_details: { until: 'nine' } },
    })
    expect([await ledger.approvals.list(), burn.ran]).toEqual([[], []])
    expect(file.lines()).toMatchObject([{ outcome: 'failure', error_type: 'ClosedError' }])
  })

  test('refuse other requests too', async () => {
    const { server } = await serve([], [() => Promise.reject(new ToolError('ClosedError', 'Closed.'))], {
      resources: [resource({ uri: 'shop://one', name: 'one', read: () => 'text' })],
    })
    const { error } = await modernPeer(server).request('resources/read', { uri: 'shop://one' })
    expect(error).toMatchObject({ message: 'Closed.', data: { error_type: 'ClosedError' } })
  })

  test('hand something to the tool', async () => {
    const whose = countedTool('shop.whose', { run: (_input: unknown, { state }: Context) => ({ ...state }) } as never)
    const { server } = await serve(
      [whose],
      [
        (one, next) => {
          one.state.tenant = `tenant of ${one.principal.id}`
          return next()
        },
      ],
    )
    expect(await call(server, 'shop.whose')).toMatchObject({ data: { tenant: 'tenant of local' } })
  })

  test('hand it to the dry run before an approval, too', async () => {
    const seen: unknown[] = []
    const dryRun = (_input: unknown, { state }: Context) => ({ n: seen.push(state.tenant) })
    const burn = destructiveTool('shop.burn', { dryRun } as never)
    const { server, ledger } = await serve(
      [burn],
      [
        (one, next) => {
          one.state.tenant = 'north'
          return next()
        },
      ],
    )
    await trust(ledger, burn)
    approvalOf(await call(server, 'shop.burn'))
    expect(seen).toEqual(['north'])
  })

  test('answer in the place of the tool, and replace its result', async () => {
    const one = look()
    const { server, file } = await serve(
      [one],
      [
        async ({ arguments: { n } }, next) => {
          if (n === 0) return result({ n: 0 })
          const ended = await next()
          return { ...ended, data: { n: 2 }, explanation: 'Doubled.' }
        },
      ],
    )
    expect(await call(server, 'shop.look', { n: 0 })).toMatchObject({ status: 'success', data: { n: 0 } })
    expect(one.ran).toEqual([])
    expect(await call(server, 'shop.look', { n: 1 })).toMatchObject({ data: { n: 2 }, explanation: 'Doubled.' })
    expect(file.lines()).toMatchObject([{ data: { n: 0 } }, { data: { n: 2 } }])
  })

  test('turn a failure into a result, and a result into a failure', async () => {
    const fails = countedTool('shop.fails', {
      output: z.object({ n: z.number() }),
      run: () => {
        throw ToolError.of('UnavailableError', 'down')
      },
    })
    const turn: Middleware = async (_call, next) => {
      const ended = await next()
      if (ended.status === 'failure') return result({ n: -1 })
      return {
        status: 'failure',
        data: null,
        error: { error_type: 'NoError', error_message: 'No.', error_details: null },
        explanation: null,
      }
    }
    const { server } = await serve([fails, look()], [turn])
    expect(await call(server, 'shop.fails')).toMatchObject({ status: 'success', data: { n: -1 } })
    expect(await call(server, 'shop.look')).toMatchObject({ status: 'failure', error: { error_type: 'NoError' } })
  })

  test('let questions to the client pass', async () => {
    const requestedSchema = { type: 'object', properties: {} }
    const form = { method: 'elicitation/create', params: { mode: 'form', message: 'Sure?', requestedSchema } }
    const asks = countedTool('shop.asks', { ask: () => ({ form }) } as never)
    const times: string[] = []
    const { server } = await serve(
      [asks],
      [
        async (_call, next) => {
          try {
            return await next()
          } finally {
            times.push('over')
          }
        },
      ],
    )
    const peer = modernPeer(server, { elicitation: { form: {} } })
    const { result: asked } = await peer.request('tools/call', { name: 'shop.asks', arguments: {} })
    expect([asked.resultType, times]).toEqual(['input_required', ['over']])
  })
})

describe('it cannot', () => {
  test('change the arguments, the result or who calls', async () => {
    const burn = destructiveTool('shop.burn', { input: z.looseObject({ to: z.looseObject({}) }) })
    const tries: string[] = []
    const attempt = (what: string, change: () => void): void => {
      try {
        change()
        tries.push(what)
      } catch (thrown) {
        expect(thrown, what).toBeInstanceOf(TypeError)
      }
    }
    const { server, ledger } = await serve(
      [burn],
      [
        async (one, next) => {
          const open = one as unknown as Record<string, Record<string, Record<string, unknown>>>
          attempt('an argument', () => Object.assign(open.arguments?.to ?? {}, { account: 'mallory' }))
          attempt('all arguments', () => Object.assign(one, { arguments: {} }))
          attempt('the principal', () => Object.assign(one, { principal: { id: 'ada' } }))
          const ended = await next()
          attempt('the status', () => Object.assign(ended, { status: 'success' }))
          attempt('the data', () => Object.assign(ended.data ?? Object.freeze({}), { n: 2 }))
          return ended
        },
      ],
    )
    await trust(ledger, burn)
    const args = { to: { account: 'bob' } }
    await ledger.approvals.approve(approvalOf(await call(server, 'shop.burn', args)), 'ada')
    expect(await call(server, 'shop.burn', args)).toMatchObject({ status: 'success' })
    expect(tries).toEqual([])
    expect(burn.ran).toEqual([args])
  })

  test('give data that breaks the output schema, or something that is no result', async () => {
    let returned: unknown
    const { server, observed } = await serve([look()], [async () => returned as never])
    returned = result({ n: 'one' })
    const broken = await call(server, 'shop.look')
    expect(broken.error).toMatchObject({
      error_type: 'ToolExecutionError',
      error_message: expect.stringMatching(
        /A middleware of the server gave shop.look data that breaks its output schema: \/n/,
      ),
    })
    for (returned of [undefined, { n: 1 }, { status: 'failure', data: null, error: null, explanation: null }]) {
      const { error, call_id } = await call(server, 'shop.look')
      expect(error?.error_details).toEqual({ call_id })
      expect(String(observed.at(-1))).toMatch(/returned no ToolResult for shop.look/)
    }
  })

  test('replace the result of anything but a tool', async () => {
    const { server, observed } = await serve([], [async () => result({ contents: 'no' })], {
      resources: [resource({ uri: 'shop://one', name: 'one', read: () => 'text' })],
    })
    expect((await modernPeer(server).request('resources/read', { uri: 'shop://one' })).error?.code).toBe(-32603)
    expect(String(observed[0])).toMatch(/Only results of tools can be replaced/)
  })

  test('run a tool twice, after the call, or without a record', async () => {
    const one = look()
    const late: Promise<unknown>[] = []
    const modes: Record<string, Middleware> = {
      twice: async (_call, next) => {
        await next()
        return next()
      },
      later: async (_call, next) => {
        late.push(new Promise((resolve) => setImmediate(() => resolve(next().catch(String)))))
        return result({ n: 5 })
      },
      unawaited: async (_call, next) => {
        void next()
        return result({ n: 6 })
      },
    }
    let mode = 'twice'
    const { server, file, observed } = await serve([one], [(seen, next) => (modes[mode] as Middleware)(seen, next)])
    expect((await call(server, 'shop.look')).status).toBe('failure')
    expect([one.ran.length, String(observed[0])]).toEqual([1, expect.stringMatching(/called next\(\) twice/)])
    mode = 'later'
    expect(await call(server, 'shop.look')).toMatchObject({ data: { n: 5 } })
    expect([await Promise.all(late), one.ran.length]).toEqual([[expect.stringMatching(/after it had returned/)], 1])
    mode = 'unawaited'
    expect(await call(server, 'shop.look')).toMatchObject({ data: { n: 6 } })
    expect(one.ran).toHaveLength(2)
    expect(file.lines()).toHaveLength(3)
  })

  test('end a call before its tool has ended', async () => {
    const released = Promise.withResolvers<void>()
    const ended: string[] = []
    const slow = countedTool('shop.slow', {
      run: async () => {
        await released.promise
        ended.push('tool')
        return {}
      },
    })
    const { server } = await serve(
      [slow],
      [
        async (_call, next) => {
          void next()
          return result({})
        },
      ],
    )
    const calling = call(server, 'shop.slow').then(() => ended.push('call'))
    await vi.waitFor(() => expect(slow.ran).toHaveLength(1))
    released.resolve()
    await calling
    expect(ended).toEqual(['tool', 'call'])
  })

  test('show a secret in an error or an explanation, or put one into the audit', async () => {
    const login = countedTool('shop.login', {
      input: z.object({ password: z.string().meta({ 'x-secret': true }) }),
      output: z.object({ token: z.string().meta({ 'x-secret': true }) }),
      run: () => ({ token: 'tok-99-secret' }),
    })
    let isOpen = true
    const { server, file } = await serve(
      [login],
      [
        async ({ arguments: { password } }, next) => {
          if (!isOpen) throw new ToolError('ClosedError', `Closed for ${password}.`)
          return { ...(await next()), explanation: `In with ${password}.` }
        },
      ],
    )
    const args = { password: 'hunter2-hunter2' }
    const { explanation, data } = await call(server, 'shop.login', args)
    expect([explanation, data]).toEqual(['In with [secret].', { token: 'tok-99-secret' }])
    isOpen = false
    expect((await call(server, 'shop.login', args)).error?.error_message).toBe('Closed for [secret].')
    const audit = file.bytes().toString('latin1')
    expect(audit).not.toContain('hunter2')
    expect(audit).not.toContain('tok-99')
  })
})

test('a replaced result keeps no blocks of the tool, which might show what was taken out', async () => {
  const shows = countedTool('shop.shows', {
    output: z.object({ card: z.string() }),
    run: () => answer({ card: '4242' }, { content: [{ type: 'text', text: 'Card 4242' }] }),
  })
  const { server } = await serve([shows], [async (_call, next) => ({ ...(await next()), data: { card: '****' } })])
  const { result: wire } = await modernPeer(server).request('tools/call', { name: 'shop.shows', arguments: {} })
  expect(JSON.stringify(wire)).not.toContain('4242')
})
