/**
 * The attacker is a reader of what a server sends besides results: error messages, partial results, progress and logs end up in transcripts of
 * models, logs of clients and screens. A tool that repeats a value marked `x-secret` there gave it away.
 *
 * What stops them: what a call sends besides its data passes a filter that removes secrets of its arguments, of its result and of its
 * client's answers, by the names of their fields and wherever their texts occur.
 *
 * Attacker: a remote caller
 * Attack: reads a value marked `x-secret` in an error, a partial result, progress or a log message.
 * Stopped by: everything that a call sends besides its data passes a filter that removes secrets.
 *
 * Attack: reads the name of a member of an `x-secret` object, such as a key that is used as a name.
 * Stopped by: names below a marked field are secret texts, too, unless the schema has them. An issue there names the marked field only.
 *
 * Attack: sends so many or such long secrets that looking for them blocks the server.
 * Stopped by: a search in linear time with a limit; above it, nothing that may have a secret is shown or stored.
 *
 * Attack: sends an account or an amount as a secret, too, so that the person who approves the call sees `[secret]` in its place.
 * Stopped by: a call whose other arguments repeat a secret cannot be approved. It is refused.
 */
import { call, countedTool, destructiveTool, serve, trust } from '@myrmex/testing/gated-server'
import { rawClient } from '@myrmex/testing/host/raw-client'
import fc from 'fast-check'
import { partial, type Tool, ToolError } from 'myrmex'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'

const SECRET = 'hunter2/very "secret"'
const INPUT = z.object({ user: z.string(), password: z.string().meta({ 'x-secret': true }) })
const OUTPUT = z.looseObject({ token: z.string().meta({ 'x-secret': true }).optional() })
type Input = z.infer<typeof INPUT>
const ARGS = { user: 'bob', password: SECRET }
const login = (changes: Partial<Parameters<typeof import('myrmex').tool>[0]>) =>
  countedTool('vault.login', { input: INPUT, output: OUTPUT, ...changes } as never)

/** Any way in which somebody could write it into a text. */
const leaks = (sent: unknown, secret = SECRET): boolean => {
  const text = JSON.stringify(sent)
  const forms = [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)]
  return forms.some((form) => text.includes(form) || text.includes(JSON.stringify(form).slice(1, -1)))
}

/** Everything that a client of either era gets. */
async function everythingSent(
  tool: Tool,
  era: 'legacy' | 'modern',
  args: Record<string, unknown> = ARGS,
): Promise<unknown[]> {
  const { server } = await serve([{ tool, ran: [] }])
  const client = await rawClient(server, { era })
  if (era === 'legacy') await client.once('logging/setLevel', { level: 'debug' })
  const meta = { progressToken: 'p', 'io.modelcontextprotocol/logLevel': 'debug' }
  const ended = await client
    .request('tools/call', { name: 'vault.login', arguments: args }, meta)
    .catch((error: unknown) => error)
  return [ended, ...client.heard]
}

describe.each(['legacy', 'modern'] as const)(
  'Secrets were repeated in errors and partial results (%s client)',
  (era) => {
    test.each<[string, (input: Input, ctx: never) => unknown]>([
      [
        'an error',
        ({ password }) => {
          throw new ToolError('ToolExecutionError', `Wrong: ${password}`, {
            password,
            url: `https://x/?p=${encodeURIComponent(password)}`,
          })
        },
      ],
      [
        'the error and explanation of a partial result',
        ({ password }) => partial({}, { explanation: `Only ${password}.` }),
      ],
    ])('in %s', async (_what, run) => {
      const sent = await everythingSent(login({ run } as never).tool, era)
      expect(leaks(sent)).toBe(false)
      expect(JSON.stringify(sent)).toContain('[secret]')
    })

    test('in parts of the result, progress and logs', async () => {
      const made = login({
        run: (
          { password }: Input,
          ctx: {
            emit(part: object): void
            progress(n: number, of?: number, m?: string): void
            log(level: string, data: unknown): void
          },
        ) => {
          ctx.emit({ token: 'tok-99-secret', said: `with ${password}` })
          ctx.progress(5, 10, `trying ${password}`)
          ctx.log('info', { tried: password, deep: [{ password }] })
          return { token: 'tok-99-secret' }
        },
      } as never)
      const [ended, ...heard] = await everythingSent(made.tool, era)
      expect(heard.length).toBeGreaterThanOrEqual(3)
      expect(leaks(heard)).toBe(false)
      expect(leaks(heard, 'tok-99-secret')).toBe(false)
      // The result itself has what the caller asked for.
      expect(ended).toMatchObject({ structuredContent: { token: 'tok-99-secret' } })
    })
  },
)

test('Secrets were repeated by an article of the constitution that names what it found', async () => {
  const made = login({})
  const forbid = [{ argument: '/password', equals: SECRET }]
  const articles = [{ name: 'a', text: 'Not that one.', tools: ['vault.login'], forbid }]
  const { server } = await serve([made], { constitution: { articles } })
  const refused = await call(server, 'vault.login', ARGS)
  expect(refused.error?.error_details).toMatchObject({ article: 'a' })
  expect(leaks(refused)).toBe(false)
})

test('Secrets were repeated in the error of an undo', async () => {
  const made = destructiveTool('vault.login', {
    input: INPUT,
    output: OUTPUT,
    run: () => ({ token: 'tok-99-secret' }),
    undo: ({ password }: Input, { token }: { token: string }) => {
      throw new ToolError('ToolExecutionError', `Neither ${password} nor ${token}.`)
    },
  } as never)
  const { server, ledger } = await serve([made])
  await trust(ledger, made)
  await ledger.trustTool(made.tool, 'ada')
  const done = await call(server, 'vault.login', ARGS)
  const undone = await call(server, 'vault.login', {}, { meta: { 'myrmex/undo': done.call_id } })
  expect(undone.error?.error_message).toBe('Neither [secret] nor [secret].')
})

test('no secret of four characters or more is left in an error, whatever it is and wherever it stands', async () => {
  const made = login({
    errors: { WrongPassword: 'when it is wrong' },
    run: ({ password }: Input) => {
      throw new ToolError('WrongPassword', `«${password}» and ${JSON.stringify({ p: password })}`, {
        at: [password],
      })
    },
  } as never)
  const { server } = await serve([made])
  await fc.assert(
    fc.asyncProperty(fc.string({ minLength: 4, maxLength: 40 }), async (password) => {
      fc.pre(!'[secret] and {"p":""}«»'.includes(password))
      const { error } = await call(server, 'vault.login', { user: 'bob', password })
      expect(error?.error_message).not.toContain(password)
      expect(error?.error_details).toEqual({ at: ['[secret]'] })
    }),
    { numRuns: 60 },
  )
})

test.each([
  ['a Zod schema', z.object({ login: z.object({ pin: z.string().meta({ 'x-secret': true }) }) })],
  [
    'a plain schema',
    {
      type: 'object',
      properties: { login: { type: 'object', properties: { pin: { type: 'string', 'x-secret': true } } } },
    },
  ],
])(
  'Secrets were repeated in the error of %s if they were sent in place of the object that has them',
  async (_, input) => {
    const { server } = await serve([countedTool('vault.login', { input } as never)])
    for (const login of [SECRET, [SECRET], [[SECRET]]]) {
      const { error } = await call(server, 'vault.login', { login })
      expect(error?.error_type).toBe('SchemaError')
      expect(leaks(error)).toBe(false)
    }
  },
)

describe('Many or long secrets blocked the server while it looked for them', () => {
  const KEYS = z.object({ keys: z.array(z.string()).meta({ 'x-secret': true }), note: z.string() })
  const MANY = { keys: Array.from({ length: 30_000 }, (_, n) => `key-${n}/"x"`), note: 'harmless' }

  test('a long one is found in linear time, and removed', async () => {
    const made = login({
      run: ({ user }: Input) => {
        throw new ToolError('ToolExecutionError', user)
      },
    } as never)
    const { server } = await serve([made])
    const long = 'a'.repeat(500_000)
    const { error } = await call(server, 'vault.login', { user: `${long}${long}`, password: long })
    expect(error?.error_message).toBe('[secret]')
  })

  test.each(['legacy', 'modern'] as const)(
    'many: the tool runs, and its words are not shown (%s client)',
    async (era) => {
      const made = countedTool('vault.login', {
        input: KEYS,
        run: ({ keys }: z.infer<typeof KEYS>, ctx: { [method: string]: (...given: unknown[]) => void }) => {
          ctx.emit?.({ said: keys[7] })
          ctx.progress?.(5, 10, `trying ${keys[7]}`)
          ctx.log?.('info', { tried: keys[7] })
          throw new ToolError('ToolExecutionError', `Not ${keys[7]}`)
        },
      } as never)
      const sent = await everythingSent(made.tool, era, MANY)
      expect(sent.length).toBeGreaterThanOrEqual(4)
      expect(leaks(sent, MANY.keys[7])).toBe(false)
      for (const one of sent)
        expect(JSON.stringify(one)).toContain('[not shown: the call has too many secrets to look for]')
    },
  )

  test('many: the result of an idempotency key is stored without them, and the call counts as done', async () => {
    const made = countedTool('vault.login', {
      input: KEYS,
      output: z.looseObject({}),
      idempotent: false,
      run: () => ({ done: 1 }),
    } as never)
    const { server } = await serve([made])
    const meta = { 'myrmex/idempotencyKey': 'k1' }
    expect(await call(server, 'vault.login', MANY, { meta })).toMatchObject({ status: 'success', data: { done: 1 } })
    expect(await call(server, 'vault.login', MANY, { meta })).toMatchObject({ status: 'success', data: {} })
  })

  test('many: nobody is asked to approve what cannot be shown', async () => {
    const made = destructiveTool('vault.login', { input: KEYS } as never)
    const { server, ledger } = await serve([made])
    await trust(ledger, made)
    const refused = await call(server, 'vault.login', MANY)
    expect(refused.error).toMatchObject({ error_type: 'ValidationError' })
    expect(refused.error?.error_message).toMatch(/too many secrets/)
    expect(await ledger.approvals.list()).toEqual([])
  })
})

describe('a caller makes the search for its own secrets slow', () => {
  const A = (count: number): string => 'a'.repeat(count)

  test.each<[string, string, string]>([
    ['a secret that overlaps itself', A(100_000), A(1_000_000)],
    ['a secret that nearly fits everywhere', `${A(50_000)}b${A(50_000)}`, A(1_000_000)],
    ['a short secret that overlaps itself', A(300), A(1_000_000)],
    ['a secret that is long in every form', '\u00e9"/'.repeat(100_000), A(1000)],
    ['a secret of many lines', Array.from({ length: 30_000 }, (_, n) => `a line of it, ${n}`).join('\n'), A(1000)],
  ])('%s', async (_what, password, user) => {
    const { server, file } = await serve([login({ run: () => ({}) } as never)])
    // Before, this took longer than a test may.
    await call(server, 'vault.login', { user, password })
    expect(file.bytes().includes(password.slice(0, 200))).toBe(false)
  })

  test('a secret longer than what is looked for is removed together with the rest of the text', async () => {
    const password = Array.from({ length: 3000 }, (_, n) => `${n}`).join('-')
    const run = ({ password: given }: Input) => partial({}, { explanation: `Before ${given}${given} after` })
    const sent = await everythingSent(login({ run } as never).tool, 'modern', { user: 'bob', password })
    expect(JSON.stringify(sent)).toContain('Before [secret]')
    expect(JSON.stringify(sent)).not.toContain('2998-2999')
  })
})

describe('a secret hides other arguments from the person who approves', () => {
  const PAY = z.object({ to: z.string(), amount: z.number(), pin: z.string().meta({ 'x-secret': true }) })

  test.each([
    ['an account', { to: 'mallory', amount: 1, pin: 'mallory' }],
    ['a part of one', { to: 'account of mallory', amount: 1, pin: 'mallory' }],
    ['an amount', { to: 'ada', amount: 4000, pin: '4000' }],
  ])('%s', async (_what, args) => {
    const pay = destructiveTool('bank.pay', { input: PAY } as never)
    const { server, ledger } = await serve([pay])
    await trust(ledger, pay)
    expect(await call(server, 'bank.pay', args)).toMatchObject({
      error: { error_type: 'ValidationError', error_message: expect.stringMatching(/repeat a secret/) },
    })
    expect(await ledger.approvals.list('waiting')).toEqual([])
    await call(server, 'bank.pay', { ...args, pin: 'another' })
    const [waiting] = await ledger.approvals.list('waiting')
    expect(JSON.parse(waiting?.args ?? '')).toEqual({ ...args, pin: '[secret]' })
  })
})

describe('a name within a secret was repeated', () => {
  const KEY = 'sk_live_KEYNAME'
  const CREDS = z.object({ creds: z.record(z.string(), z.string()).meta({ 'x-secret': true }) })

  test.each(['legacy', 'modern'] as const)('in progress and in the error (%s client)', async (era) => {
    const run = (
      input: { creds: Record<string, string> },
      ctx: { progress(n: number, of?: number, m?: string): void },
    ) => {
      ctx.progress(1, 2, JSON.stringify(input))
      throw new ToolError('ToolExecutionError', `bad ${JSON.stringify(input)}`, { input })
    }
    const made = login({ input: CREDS, run } as never)
    const sent = await everythingSent(made.tool, era, { creds: { [KEY]: 'sk_live_VALUE' } })
    expect(sent.length).toBeGreaterThanOrEqual(2)
    expect(JSON.stringify(sent)).not.toMatch(/sk_live/)
  })

  const FIELDS = { a: z.string(), b: z.object({ c: z.string() }).optional() }
  test.each([
    ['a Zod schema', z.object({ cred: z.strictObject(FIELDS).meta({ 'x-secret': true }) })],
    [
      'a plain schema',
      {
        type: 'object',
        properties: {
          cred: {
            type: 'object',
            'x-secret': true,
            additionalProperties: false,
            properties: { a: { type: 'string' }, b: { type: 'object', properties: { c: { type: 'string' } } } },
          },
        },
      },
    ],
  ])('in an issue of %s, and in the audit', async (_what, input) => {
    const { server, file } = await serve([countedTool('vault.login', { input } as never)])
    for (const cred of [{ S3CRETKEY: 1 }, { a: 'x', k2: 1 }, { a: 778 }, { a: 'x', b: { S3CRETKEY: 'x', c: 5 } }]) {
      const { error } = await call(server, 'vault.login', { cred })
      expect(error?.error_type).toBe('SchemaError')
      expect(JSON.stringify(error)).not.toMatch(/S3CRET|k2|778/)
      for (const issue of (error as unknown as { error_details: { issues: object[] } }).error_details.issues)
        expect(issue).toMatchObject({ path: '/cred', value: '[secret]' })
    }
    expect(file.bytes().includes('S3CRETKEY')).toBe(false)
  })

  test('names that the schema has are no secrets', async () => {
    const input = z.object({ note: z.string(), cred: z.object({ username: z.string() }).meta({ 'x-secret': true }) })
    const run = () => {
      throw new ToolError('ToolExecutionError', 'The username is unknown.')
    }
    const { server } = await serve([login({ input, run } as never)])
    const { error } = await call(server, 'vault.login', { note: 'x', cred: { username: 'ann-of-x' } })
    expect(error?.error_message).toBe('The username is unknown.')
  })
})
