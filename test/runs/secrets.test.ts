/**
 * A run that is given a secret uses it and leaves nothing of it in the store: not in its settings, events, plan, approvals, results, report
 * or audit, and not in another encoding. Another process continues the run with it.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { planOf, runsOf, step } from '@myrmex/testing/fleet/local-fleet'
import { EMBEDDED_FIRST, freshStore, type Store } from '@myrmex/testing/ledger/ledger-store'
import { connectDirect, createServer, type Tool, ToolError, tool } from 'myrmex'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import * as z from 'zod'
import type { Brain } from '../../packages/myrmex/src/agent/brain/brain.ts'
import { rulesBrain } from '../../packages/myrmex/src/agent/brain/rules-brain.ts'
import { ceo, trustCeo } from '../../packages/myrmex/src/agent/ceo.ts'
import { eventOf } from '../../packages/myrmex/src/agent/run/journal/events.ts'
import { checkProposal } from '../../packages/myrmex/src/agent/run/planning/plan-run.ts'
import type { Runs, StartRequest } from '../../packages/myrmex/src/agent/run/runs.ts'
import type { Ledger } from '../../packages/myrmex/src/ledger/ledger.ts'
import { openLedger } from '../../packages/myrmex/src/ledger/open.ts'
import type { RunRow } from '../../packages/myrmex/src/ledger/runs.ts'
import { parsePolicy } from '../../packages/myrmex/src/pipeline/rules/policy.ts'

const ME = { id: 'ann', kind: 'local' as const }
const PASSWORD = 'hunter2-9f3a"é/\\ ü'
const PIN = 48_151_623
/** What the password looks like in any text, and what both begin with. */
const TRACES = ['hunter2', String(PIN), Buffer.from(PASSWORD).toString('base64').slice(0, 12)]

/** The arguments that tools were called with. */
let calls: unknown[] = []
const secret = { 'x-secret': true }
const common = { version: '1.0.0', idempotent: false, security: 'none', examples: [] } as const
const INPUT = z.object({
  user: z.string(),
  password: z.string().min(12).meta(secret),
  card: z.object({ pin: z.number().meta({ ...secret, type_id: 'card_pin' }) }).optional(),
})

const login = (changes: object = {}): Tool =>
  tool({
    ...common,
    name: 'door.login',
    description: 'Logs in.',
    errors: { Refused: 'when refused' },
    destructive: false,
    input: INPUT,
    output: z.object({ session: z.string(), token: z.string().meta(secret) }),
    run: (input: z.infer<typeof INPUT>) => {
      calls.push(input)
      return { session: 's-1', token: input.password }
    },
    ...changes,
  } as never)

const enter = tool({
  ...common,
  name: 'door.enter',
  description: 'Enters with a session.',
  errors: {},
  destructive: false,
  input: z.object({ session: z.string() }),
  output: z.object({ room: z.string() }),
  run: ({ session }) => ({ room: `behind ${session}` }),
})

const ARGS = { user: 'ada', password: PASSWORD, card: { pin: PIN } }
const PLAN = planOf(
  step('in', 'door.login', ARGS),
  step('go', 'door.enter', { session: { $from: 'in', path: '/session' } }, ['in']),
)

describe.each(EMBEDDED_FIRST)('a secret of a run on %s', (engine) => {
  let store: Store
  let ledger: Ledger
  beforeEach(async () => {
    store = await freshStore(engine)
    ledger = await store.open()
    calls = []
  })
  afterEach(() => store.remove())

  const run = async (runs: Runs, more: Partial<StartRequest>): Promise<RunRow> => {
    const { id } = await runs.start({ goal: 'Enter the room', principal: ME, approve: 'all', ...more })
    return (await runs.execute(id)) as RunRow
  }

  /** Every byte of the folder, and every row of the database, while it is open and after it is closed. */
  const expectNoTrace = async (): Promise<void> => {
    await ledger.journal.flush()
    const check = (where: string, text: string): void => {
      for (const trace of TRACES) expect(text.includes(trace), `${trace} is in ${where}`).toBe(false)
    }
    if (engine === 'postgres') {
      const tables = await ledger.db.query<{ name: string }>(
        "SELECT table_name AS name FROM information_schema.tables WHERE table_schema NOT IN ('pg_catalog', 'information_schema')",
      )
      expect(tables.length).toBeGreaterThan(10)
      for (const { name } of tables) check(name, JSON.stringify(await ledger.db.query(`SELECT * FROM ${name}`)))
    }
    const files = (): string[] =>
      readdirSync(store.folder, { recursive: true, encoding: 'utf8' })
        .map((name) => join(store.folder, name))
        .filter((name) => statSync(name).isFile())
    const bytes = (): void => {
      for (const name of files()) check(name, readFileSync(name, 'latin1') + readFileSync(name, 'utf8'))
    }
    bytes()
    await store.close()
    bytes()
    expect(files().length).toBeGreaterThan(engine === 'sqlite' ? 1 : 0)
  }

  test('that is known by name and by type is used, and shown nowhere', async () => {
    const known = { user: 'ada', password: PASSWORD, card_pin: PIN }
    const want = ['room']
    const { status, report } = await run(runsOf([login(), enter], ledger), {
      goal: 'Log in and enter the room with the session',
      context: { known, want },
    })
    expect(report).toContain('behind s-1')
    expect(status).toBe('succeeded')
    expect(calls).toMatchObject([{ user: 'ada', password: PASSWORD }])
    await expectNoTrace()
  })

  test('that is known under a name that only means the same is found too', async () => {
    const known = { User: 'ada', 'Pass-Word': 'x', Passwords: [PASSWORD], password: PASSWORD }
    const runs = runsOf([login(), enter], ledger)
    const { status } = await run(runs, { goal: 'Log in', context: { known, want: ['door.login'] } })
    expect(status).toBe('succeeded')
    await expectNoTrace()
  })

  test('that is in a given plan is used, at any place of the arguments', async () => {
    const { status, id } = await run(runsOf([login(), enter], ledger), { plan: PLAN })
    expect(status).toBe('succeeded')
    expect(calls).toEqual([ARGS])
    const events = (await ledger.runs.events(id)).map(eventOf)
    const planned = events.find((event) => event.kind === 'planned')
    expect(planned?.body.plan.steps[0]?.arguments).toEqual({
      user: 'ada',
      password: '[secret]',
      card: { pin: '[secret]' },
    })
    await expectNoTrace()
  })

  test('that is the answer to a question is used', async () => {
    const runs = runsOf([login(), enter], ledger)
    const want = ['door.login']
    const { id, status } = await run(runs, { goal: 'Log in', context: { known: { user: 'ada' }, want } })
    expect(status).toBe('waiting')
    await runs.answer(id, { password: PASSWORD })
    expect(await runs.execute(id)).toMatchObject({ status: 'succeeded' })
    expect(calls).toMatchObject([{ password: PASSWORD }])
    const answered = (await ledger.runs.events(id)).map(eventOf).find((event) => event.kind === 'answered')
    expect(answered?.body).toEqual({ names: ['user', 'password'], by: 'ann' })
    await expectNoTrace()
  })

  test('is there for the process that continues after an approval, a retry and an undo', async () => {
    let refuse = 1
    const risky = login({
      destructive: true,
      keyed: true,
      run: (input: z.infer<typeof INPUT>) => {
        calls.push(['login', input])
        if (refuse-- > 0)
          throw new ToolError('UnavailableError', `no answer for ${input.password}`, { retry_after_ms: 1 })
        return { session: 's-1', token: input.password }
      },
      undo: (input: z.infer<typeof INPUT>) => {
        calls.push(['undo', input])
      },
    })
    const broken = tool({
      ...common,
      name: 'door.break',
      description: 'Breaks.',
      errors: { Refused: 'always' },
      destructive: false,
      input: z.object({}),
      output: z.object({}),
      run: () => Promise.reject(new ToolError('Refused', 'It is broken.')),
    })
    const policy = parsePolicy({
      approvals: [{ name: 'logins', tools: ['door.login'], when: [{ argument: '/user', present: true }] }],
    })
    await ledger.trustTool(risky, 'ann', { ask: true })
    const plan = planOf(step('in', 'door.login', ARGS), step('out', 'door.break', {}, ['in']))
    const runs = runsOf([risky, broken], ledger, { policy })
    const { id } = await runs.start({ goal: 'Enter', principal: ME, plan })
    // Waits for the approval of the plan, then for that of the call; each is decided while nobody executes the run.
    for (let round = 0; round < 2; round++) {
      const process = await store.open()
      expect(await runsOf([risky, broken], process, { policy }).execute(id)).toMatchObject({ status: 'waiting' })
      const [asked] = await process.approvals.list('waiting')
      expect(asked?.args).toContain('[secret]')
      await process.approvals.approve(asked?.id ?? '', 'ben')
      await process.runs.resume(id)
      await process.close()
    }
    const last = await store.open()
    const ended = await runsOf([risky, broken], last, { policy }).execute(id)
    expect(ended).toMatchObject({ status: 'failed' })
    expect(calls).toEqual([
      ['login', ARGS],
      ['login', ARGS],
      ['undo', ARGS],
    ])
    await last.close()
    await expectNoTrace()
  })

  test('is not shown to those who judge and revise a step', async () => {
    const seen: unknown[] = []
    const strict: Brain = {
      ...rulesBrain,
      critique: async (request) => {
        seen.push(request)
        return rulesBrain.critique(request)
      },
      revise: async (request) => {
        seen.push(request)
        return { value: { ...request.arguments, user: 'bob' } as never, by: 'strict', notes: [] }
      },
    }
    const criteria = [{ name: 'keyword_coverage', keywords: ['nowhere'] }]
    const [first] = PLAN.steps
    const plan = planOf({ ...(first as (typeof PLAN.steps)[0]), criteria })
    const runs = runsOf([login()], ledger, { brain: strict })
    const { id } = await runs.start({ goal: 'Enter', principal: ME, plan })
    for (const agent of runs.environment.fleet.agents)
      Object.assign(agent, { critique: (request: never) => strict.critique(request).then(({ value }) => value) })
    await runs.execute(id)
    expect(seen.length).toBeGreaterThan(1)
    for (const trace of TRACES) expect(JSON.stringify(seen)).not.toContain(trace)
    // The second attempt has the secrets of the first.
    expect(calls).toEqual([ARGS, { ...ARGS, user: 'bob' }])
    await expectNoTrace()
  })

  test('is not in the problems and notes of a plan that does not pass', async () => {
    const notes = [`I took ${PASSWORD} as the password.`]
    const wordy: Brain = {
      ...rulesBrain,
      plan: async () => ({
        value: {
          ...planOf({ ...step('in', 'door.login', { ...ARGS, user: PASSWORD }), why: `because of ${PASSWORD}` }),
          assumptions: [`${PASSWORD} is right`],
        },
        by: 'wordy',
        notes,
      }),
    }
    const ended = await run(runsOf([login()], ledger, { brain: wordy }), { context: { known: { password: PASSWORD } } })
    expect(ended.status).toBe('succeeded')
    const wrong = planOf(step('in', 'door.login', { ...ARGS, user: 7, more: PASSWORD }))
    expect(await run(runsOf([login()], ledger), { plan: wrong })).toMatchObject({ status: 'refused' })
    // The caller put it where nobody said that it is secret: into an argument of its own.
    await expectNoTraceExceptArgument()
  })

  /** The first plan has the password as an argument that is not marked: there it stays. */
  const expectNoTraceExceptArgument = async (): Promise<void> => {
    for (const { id } of await ledger.runs.list()) {
      for (const event of (await ledger.runs.events(id)).map(eventOf)) {
        const { plan, ...body } = event.kind === 'planned' ? event.body : { ...event.body, plan: undefined }
        const texts = plan && [
          plan.assumptions,
          plan.steps.map(({ why }) => why),
          plan.steps.map((one) => one.arguments.password),
        ]
        for (const trace of TRACES) expect(JSON.stringify([body, texts])).not.toContain(trace)
      }
    }
  }

  test('sent to the CEO over MCP is not in the audit of that call', async () => {
    const runs = runsOf([login(), enter], ledger)
    const chief = ceo(runs)
    await trustCeo(ledger, chief, 'ann')
    const server = createServer({ name: 'ceo', version: '1.0.0', ledger, tools: chief.tools })
    const connection = connectDirect(server, () => {})
    const clientInfo = { name: 'test', version: '1.0.0' }
    const opening = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo }
    await connection.send({ jsonrpc: '2.0', id: 1, method: 'initialize', params: opening })
    const known = { user: 'ada', password: PASSWORD, card_pin: PIN }
    const params = {
      name: 'run_goal',
      arguments: { goal: 'Log in and enter the room with the session', known },
      _meta: { 'myrmex/idempotencyKey': 'k' },
    }
    const reply = await connection.send({ jsonrpc: '2.0', id: 2, method: 'tools/call', params })
    expect(JSON.stringify(reply)).toContain('succeeded')
    expect(calls).toMatchObject([{ password: PASSWORD }])
    await expectNoTrace()
  })

  test('can be opened only with the key of the ledger, and only for its run', async () => {
    const runs = runsOf([login(), enter], ledger)
    const one = await runs.start({ goal: 'Enter', principal: ME, plan: PLAN })
    const other = await runs.start({
      goal: 'Enter',
      principal: ME,
      plan: planOf(step('go', 'door.enter', { session: 's' })),
    })
    const stranger = await openLedger(store.address, { keyFile: join(store.folder, 'other.key') })
    await expect(runsOf([login(), enter], stranger).execute(one.id)).rejects.toThrow(/need the same key file/)
    await stranger.close()
    await ledger.runs.updateSettings(other.id, one.settings)
    await expect(runs.execute(other.id)).rejects.toThrow(/cannot be opened/)
    expect(calls).toEqual([])
  })
})

test('a plan with [secret] in the place of a secret is filled from what is known, and refused otherwise', async () => {
  const store = await freshStore('sqlite')
  const { environment } = runsOf([login()], await store.open())
  const plan = planOf(step('in', 'door.login', { user: 'ada', password: '[secret]' }))
  const check = (known: Record<string, unknown>) => checkProposal(environment, plan, 'me', [], { known })
  const { checked, secrets } = check({ password: PASSWORD })
  expect(checked.ok && checked.plan.steps[0]?.arguments).toEqual({ user: 'ada', password: '[secret]' })
  expect([...secrets]).toEqual([['in', { '/password': PASSWORD }]])
  expect(check({}).checked).toMatchObject({
    ok: false,
    problems: [{ code: 'bad-argument', path: '/steps/0/arguments/password', message: expect.stringMatching(/--with/) }],
  })
  await store.remove()
})
