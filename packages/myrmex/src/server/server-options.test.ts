/** Options of public functions that are misspelled, invalid or missing are refused, all at once: a server without them would be open. */
import { add, toolDefaults } from '@myrmex/testing/sample-tools'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { connect } from '../client/connect.ts'
import { openLedger } from '../ledger/open.ts'
import { parseConstitution } from '../pipeline/rules/constitution.ts'
import { parsePolicy } from '../pipeline/rules/policy.ts'
import { Registry } from '../tool/registry.ts'
import { tool } from '../tool/tool.ts'
import { listenHttp } from '../transport/listen-http.ts'
import { serveStdio } from '../transport/stdio.ts'
import { createServer } from './server.ts'
import type { ServerOptions } from './server-options.ts'

const named = { name: 'test', version: '1.0.0' }
const server = (options: object) => createServer({ ...named, ...options } as ServerOptions)

function faultsOf(thrown: unknown): readonly string[] {
  expect(thrown).toMatchObject({ error_type: 'RegistrationError' })
  return (thrown as { error_details: { faults: string[] } | null }).error_details?.faults ?? [(thrown as Error).message]
}

function faultsOfServer(options: object): readonly string[] {
  try {
    server(options)
  } catch (thrown) {
    return faultsOf(thrown)
  }
  return []
}

describe('createServer', () => {
  test.each<[object, string[]]>([
    [{ tool: [add] }, ['"tool" is not a known option. Did you mean tools?']],
    [
      { use: 5, polcy: {}, constitutio: {} },
      [
        '"polcy" is not a known option. Did you mean policy?',
        '"constitutio" is not a known option. Did you mean constitution?',
        'use must be an array of functions (call, next) => result',
      ],
    ],
    [
      { tools: [{ name: 'x.y' }, 5, null], resources: [{}], prompts: [{}] },
      [
        'tools[0] is a plain object "x.y". Wrap it in tool({…}); tools[1] must be what tool({…}) returns, not 5; ' +
          'tools[2] must be what tool({…}) returns, not null',
        'resources[0] is a plain object. Wrap it in resource({…})',
        'prompts[0] is a plain object. Wrap it in prompt({…})',
      ],
    ],
    [
      { version: 'x', pageSize: -1, listTtlMs: 'x' },
      [
        'version must be a semantic version, such as 1.0.0, not "x"',
        'pageSize must be a whole number of at least 1, not -1',
        'listTtlMs must be a number of milliseconds from 0 to 2147483647, not "x"',
      ],
    ],
    [
      { policy: {}, constitution: { articles: [] } },
      [
        'policy must be what parsePolicy() returns, not {}',
        'constitution must be what parseConstitution() returns, not {"articles":[]}',
      ],
    ],
    [
      { tools: Promise.resolve([add]) },
      ['tools must be a list of what tool({…}) returns, not a Promise. Was an await forgotten?'],
    ],
    [{ methods: [] }, ['methods must be an object, not []']],
    [{ stateKey: 'secret' }, ['stateKey must be a Uint8Array, not "secret"']],
    [
      { observe: 'log', recorder: () => {} },
      ['recorder must be an object with a function record, not a function', 'observe must be a function, not "log"'],
    ],
  ])('refuses %j', (options, faults) => {
    expect(faultsOfServer(options)).toEqual(faults)
  })

  test('refuses a ledger that is not open yet', async () => {
    const ledger = openLedger(':memory:')
    expect(faultsOfServer({ ledger })).toEqual([
      'ledger must be what openLedger() returns, not a Promise. Was an await forgotten?',
    ])
    await (await ledger).close()
  })

  test.each([undefined, null, 5, 'x', [], Promise.resolve(named)])('refuses %j for the options', (options) => {
    expect(() => createServer(options as never)).toThrow(/^The options of createServer\(\) must be an object, not /)
  })

  test('takes options that are undefined, and tools that can be read once', () => {
    const rules = { policy: parsePolicy({}), constitution: parseConstitution({}) }
    const made = server({ ...rules, title: undefined, use: undefined, ledger: undefined, tools: [add].values() })
    expect(made.registry.list()).toHaveLength(1)
    expect(server({ tools: new Registry([add]) }).registry.list()).toHaveLength(1)
  })
})

describe('listenHttp', () => {
  const faultsOfListening = async (options: object): Promise<readonly string[]> => {
    const listening = await listenHttp(server({}), options).catch((thrown: unknown) => thrown)
    if (listening instanceof Error) return faultsOf(listening)
    await (listening as { close(): Promise<void> }).close()
    return []
  }

  test.each<[object, string[]]>([
    [
      { prt: 5, trustproxy: ['loopback'], tokn: 'x', authentcate: () => undefined },
      ['prt: port', 'trustproxy: trustProxy', 'tokn: token', 'authentcate: authenticate'].map((pair) => {
        const [wrong, right] = pair.split(': ')
        return `"${wrong}" is not a known option. Did you mean ${right}?`
      }),
    ],
    [{ trustProxy: true }, ['trustProxy must be a list of texts, not true']],
    [
      { trustProxy: 5, allowedOrigins: 'https://a', allowedHosts: [5] },
      [
        'allowedHosts must be a list of texts, not [5]',
        'allowedOrigins must be a list of texts, not "https://a"',
        'trustProxy must be a list of texts, not 5',
      ],
    ],
    [{ authenticate: 5 }, ['authenticate must be a function, not 5']],
    [{ port: 'x' }, ['port must be a whole number from 0 to 65535, not "x"']],
    [{ port: 65_536 }, ['port must be a whole number from 0 to 65535, not 65536']],
    [{ localUsers: 'everybody' }, ['localUsers must be "own" or "all", not "everybody"']],
    [{ pages: {} }, ['pages must be an object with the functions has and serve, not {}']],
  ])('refuses %j', async (options, faults) => {
    expect(await faultsOfListening(options)).toEqual(faults)
  })

  test('refuses a token that is no text, and does not show it', async () => {
    expect(await faultsOfListening({ token: ['secret'] })).toEqual(['token must be a text'])
  })

  test('keeps a limit whose option is undefined', async () => {
    const listening = await listenHttp(server({ tools: [add] }), { maxBodyBytes: undefined } as never)
    const body = JSON.stringify({ tool_name: 'math.add', arguments: { a: 'x'.repeat(17 * 1024 * 1024) } })
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(new URL('/call', listening.url), { method: 'POST', body, headers })
    expect(answer.status).toBe(413)
    await listening.close()
  })
})

describe('others that take options', () => {
  test('openLedger opens no other ledger than was meant', async () => {
    const wrong = { mustExists: true, durability: 'disk', keyFile: '' }
    const thrown = await openLedger(':memory:', wrong as never).catch((error: unknown) => error)
    expect(faultsOf(thrown)).toEqual([
      '"mustExists" is not a known option. Did you mean mustExist?',
      'keyFile is empty',
      'durability must be "process" or "power", not "disk"',
    ])
    await expect(openLedger(5 as never)).rejects.toThrow('The address of a ledger must be a text, not 5')
  })

  test('serveStdio', () => {
    expect(() => serveStdio(server({}), { drianMs: 5, input: 'x' } as never)).toThrow(
      'serveStdio() has 2 faults: "drianMs" is not a known option. Did you mean drainMs?; input must be a readable stream, not "x"',
    )
  })

  test('connect, without showing a secret', async () => {
    for (const [target, options, message] of [
      [server({}), { timoutMs: 5 }, 'connect(): "timoutMs" is not a known option. Did you mean timeoutMs?'],
      [
        { comand: 'x', env: { KEY: 'hunter2' } },
        {},
        'connect() takes a server, { command } or { url }, not an object with comand, env in it',
      ],
      [{ command: 'x', arg: [] }, {}, 'the target of connect(): "arg" is not a known option. Did you mean args?'],
      [
        { url: 'http://127.0.0.1:1/mcp', tokne: 'hunter2' },
        {},
        'the target of connect(): "tokne" is not a known option. Did you mean token?',
      ],
      [{ url: 'x', headers: { a: ['hunter2'] } }, {}, 'headers must be an object of texts'],
    ] as const) {
      const thrown: unknown = await connect(target as never, options as never).catch((error: unknown) => error)
      expect(thrown).toMatchObject({ error_type: 'RegistrationError', message: expect.stringContaining(message) })
      expect(String(thrown)).not.toContain('hunter2')
    }
  })

  test('a call with a misspelled option is not sent', async () => {
    let calls = 0
    const counted = tool({
      ...toolDefaults,
      name: 'test.counted',
      input: z.object({}),
      output: z.object({ n: z.number() }),
      run: () => ({ n: ++calls }),
    })
    const connection = await connect(server({ tools: [counted] }))
    for (const options of [{ dryrun: true }, { idempotencykey: 'x' }, { dryRun: 'yes' }, 5])
      expect(await connection.call('test.counted', {}, options as never)).toMatchObject({
        status: 'failure',
        error: { error_type: 'ValidationError', error_message: expect.stringMatching(/call\(\)/) },
      })
    await expect(connection.request('tools/list', {}, { timeoutms: 5 } as never)).rejects.toThrow(
      /Did you mean timeoutMs/,
    )
    expect(calls).toBe(0)
    await connection.close()
  })
})
