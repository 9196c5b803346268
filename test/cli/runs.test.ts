/** `myrmex run` and `myrmex runs` as people type them: real processes, real ledgers, real terminals. */

import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { hostname, userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import {
  FLEET,
  ORDER,
  openRunsFolder,
  PLAN,
  type RunsFolder,
  runIdIn,
  visibleText,
} from '@myrmex/testing/cli/run-command'
import { eventually } from '@myrmex/testing/gated-server'
import { LONG, longTest } from '@myrmex/testing/long'
import { CLI, ROOT } from '@myrmex/testing/paths'
import { freshDatabase } from '@myrmex/testing/postgres/fresh-database'
import { withTimeLimit } from '@myrmex/testing/time-limit'
import { afterAll, describe, expect, test, vi } from 'vitest'
import type { Plan } from '../../packages/myrmex/src/agent/plan/plan.ts'
import { openLedger } from '../../packages/myrmex/src/ledger/open.ts'
import {
  lockLedger,
  signDecisions,
  unlockSigner,
  unsignedDecisions,
} from '../../packages/myrmex/src/ledger/operator/operator-admin.ts'

// Every test starts several processes, and other work may share the machine.
vi.setConfig({ testTimeout: 60_000 })

const PASSPHRASE = 'correct horse battery'
const ME = `${userInfo().username}@${hostname()}`
const LINE = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z {2}\w+ +\S+ +\S/
/** Long enough that a step is never over before somebody has looked. */
const SLOW = { RUNS_SLOW_MS: '60000' }

const plan = (changes: (plan: Plan) => void): string => {
  const copy = JSON.parse(readFileSync(PLAN, 'utf8')) as Plan
  changes(copy)
  return JSON.stringify(copy)
}

/** A run that waits for the approval of its plan. */
async function waitingRun(shop: RunsFolder): Promise<{ id: string; approval: string }> {
  const { stdout } = await shop.myrmex(ORDER)
  const [approval] = await shop.ledger.approvals.list('waiting')
  return { id: runIdIn(stdout), approval: approval?.id ?? '' }
}

test('a plan is listed, shown and approved as its steps, not as JSON', async () => {
  const shop = await openRunsFolder()
  const { id, approval } = await waitingRun(shop)
  const step = [
    '  order: stock.order_goods  may cost at most 40, can be undone',
    '  │ {',
    '  │   "amount": 40,',
    '  │   "pieces": 3,',
    '  │   "product_id": the result of "find" at "/product_id"',
    '  │ }',
  ].join('\n')
  const list = await shop.myrmex(['approvals', 'list'])
  expect(list.stdout).toContain(
    `the plan of run ${id} for local\n    goal: Order coffee and announce it\n    1 step that changes something: order (`,
  )
  expect(list.stderr).toContain('to see all of a plan: npx myrmex approvals show ID')
  const shown = await shop.myrmex(['approvals', 'show', approval])
  expect(shown.stdout).toContain(step)
  expect(shown.stdout).not.toContain('"steps"')
  const approved = await shop.myrmex(['approve', approval])
  expect(approved.stdout).toContain(`${approval}: the plan of run ${id} for local\nwhy  `)
  expect(approved.stdout).toContain(`goal\n  │ Order coffee and announce it\nsteps\n${step}`)
  expect(approved.stdout).toMatch(
    new RegExp(
      `\n\nApproval ${approval}: the plan of run ${id} for local\n  1 step that changes something, \\d+ characters, hash `,
    ),
  )
  expect(approved.stdout).toMatch(new RegExp(`approved {2}${approval}: the plan of run ${id} for local; valid once`))
})

describe('--plan-only', () => {
  test('shows the plan and what it changes, and writes nothing anywhere', async () => {
    const shop = await openRunsFolder()
    const { code, stdout } = await shop.myrmex([...ORDER, '--plan-only'], { MYRMEX_LEDGER: 'none/ledger.db' })
    expect(code).toBe(0)
    expect(stdout).toContain('  order: stock.order_goods (after find, rate)\n      Buys three pieces.')
    expect(stdout).toContain(
      [
        'One step changes something:',
        '  order: stock.order_goods  may cost 40, can be undone',
        '  │ {',
        '  │   "product_id": the result of "find" at "/product_id",',
        '  │   "pieces": 3,',
        '  │   "amount": 40',
        '  │ }',
      ].join('\n'),
    )
    expect(readdirSync(shop.here)).toEqual([])
    expect(await shop.ledger.runs.list()).toEqual([])
  })

  longTest('prints JSON that --plan takes; exits 1 with what is wrong where, and 3 with questions', async () => {
    const shop = await openRunsFolder()
    const json = await shop.myrmex([...ORDER, '--plan-only', '--json'])
    expect(JSON.parse(json.stdout)).toMatchObject({ ok: true, cost: 40, by: 'the file' })
    writeFileSync(join(shop.here, 'made.json'), json.stdout)
    const wrong = plan(({ steps }) => {
      Object.assign(steps[1] as object, { tool: 'market.count_demands' })
    })
    writeFileSync(join(shop.here, 'wrong.json'), wrong)
    const asking = plan(({ questions }) => {
      questions.push({ input: 'pieces', question: 'How many pieces?' })
    })
    writeFileSync(join(shop.here, 'asking.json'), asking)
    const ran = await Promise.all(
      ['made', 'wrong', 'asking'].map((name) =>
        shop.myrmex(['run', 'x', '--fleet', FLEET, '--budget', '100', '--plan-only', '--plan', `${name}.json`]),
      ),
    )
    expect(ran.map(({ code }) => code)).toEqual([0, 1, 3])
    expect(ran[1]?.stdout).toContain('  count  /steps/1/tool  unknown-tool\n')
    expect(ran[2]?.stdout).toContain('How many pieces? (pieces)')
  })
})

longTest('what is given wrongly is said in a line, and no run is made of it', async () => {
  const shop = await openRunsFolder()
  writeFileSync(join(shop.here, 'broken.json'), '{\n  "agent": {}\n}\n')
  const wrong: [args: string[], message: string][] = [
    [['run', 'x'], 'There is no myrmex.fleet.json here. Use --fleet with'],
    [['run', 'x', '--fleet', 'nowhere'], '--fleet: nowhere does not exist'],
    [['run', 'x', '--fleet', '.'], '. has no myrmex.fleet.json and no agent file'],
    [['run', 'x', '--fleet', 'broken.json'], 'broken.json:2:3: /agent is not known here. Did you mean agents?'],
    [['run', 'x', '--fleet', FLEET, '--with', 'pieces'], '--with pieces: enter a name and a value'],
    [['run', 'x', '--fleet', FLEET, '--plan', 'broken.json'], 'broken.json:1:1: /goal is invalid'],
    [['run', 'x', '--time', 'soon'], 'Enter a time, such as 90s'],
    [['runs', 'show', 'r-'], 'There is no run r-. Give at least 3 characters of its id.'],
    [['runs', 'show', 'r-none'], 'There is no run r-none'],
    [['runs', 'cancel', 'r-none'], 'There is no run r-none'],
    [['runs', 'replay', 'r-none'], 'There is no run r-none'],
    [['runs', 'resume', 'r-none', '--fleet', FLEET], 'There is no run r-none'],
  ]
  const ran = await Promise.all(wrong.map(([args]) => shop.myrmex(args)))
  for (const [index, { code, stdout, stderr }] of ran.entries()) {
    expect(stderr).toContain(wrong[index]?.[1])
    expect(stderr).not.toMatch(/\n {4}at /)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  }
  expect(await shop.ledger.runs.list()).toEqual([])
})

describe('--with', () => {
  const ASK = ['run', 'order goods', '--fleet', FLEET]

  test('refuses an unknown name with the one that was meant, and what the plan asks for', async () => {
    const shop = await openRunsFolder()
    const { code, stdout, stderr } = await shop.myrmex([
      ...ASK,
      '--plan-only',
      '--with',
      'Pieces=3',
      '--with',
      'catgory=tea',
    ])
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain(
      'ValidationError: Unknown --with name "catgory". Did you mean category? This plan asks for: category, amount.',
    )
  })

  test('refuses a value of the wrong type, and a name that is given twice', async () => {
    const shop = await openRunsFolder()
    const wrong = await shop.myrmex([...ASK, '--plan-only', '--with', 'pieces=many'])
    expect(wrong.code).toBe(1)
    expect(wrong.stderr).toMatch(
      /ValidationError: pieces does not fit pieces of stock\.order_goods: it .*, and is "many"/,
    )
    const twice = await shop.myrmex([...ASK, '--plan-only', '--with', 'pieces=1', '--with', 'pieces=2'])
    expect(twice.code).toBe(1)
    expect(twice.stderr).toContain('--with pieces is given twice')
  })

  test('ends a run before anything runs, and does not wait for its questions', async () => {
    const shop = await openRunsFolder()
    const { code, stdout } = await shop.myrmex([...ASK, '--with', 'peices=3'])
    expect(code).toBe(1)
    expect(stdout).toContain('Unknown --with name "peices". Did you mean pieces? This plan asks for: ')
    expect(await shop.ledger.runs.list()).toMatchObject([{ status: 'refused', spent: 0 }])
    expect(shop.book).toEqual([])
  })

  test('of resume takes only what the run asks for, and the run goes on waiting', async () => {
    const shop = await openRunsFolder()
    const { stdout } = await shop.myrmex([...ASK, '--budget', '100'])
    const id = runIdIn(stdout)
    const resume = ['runs', 'resume', id, '--fleet', FLEET]
    const [unknown, wrong] = [
      await shop.myrmex([...resume, '--with', 'peices=3']),
      await shop.myrmex([...resume, '--with', 'pieces=many']),
    ]
    expect([unknown.code, wrong.code]).toEqual([1, 1])
    expect(unknown.stderr).toContain('Unknown --with name "peices". Did you mean pieces? This plan asks for: ')
    expect(wrong.stderr).toContain('pieces does not fit pieces of stock.order_goods')
    expect(await shop.ledger.runs.find(id)).toMatchObject({ status: 'waiting' })
  })

  describe('in the fleet of docs/runs.md, where a missing value leads to a shorter plan', () => {
    // Inside the repository, because the fleet imports myrmex.
    const folder = mkdtempSync(join(ROOT, '.docs-with-'))
    const fleet = join(folder, 'beans.agent.ts')
    const [, code] =
      /^```ts file=beans\.agent\.ts\n(.*?)^```$/ms.exec(readFileSync(join(ROOT, 'docs/runs.md'), 'utf8')) ?? []
    writeFileSync(fleet, code as string)
    afterAll(() => rmSync(folder, { recursive: true, force: true }))
    const label = (...values: string[]): string[] => [
      'run',
      'Print the label',
      '--fleet',
      fleet,
      '--budget',
      '50',
      ...values.flatMap((value) => ['--with', value]),
    ]

    test('only what is wrong is reported, all of it, with what was meant first', async () => {
      const shop = await openRunsFolder()
      const values = ['sugar=1', 'roast=dark', 'bgas=2', 'amount=1e400']
      const { code, stdout } = await shop.myrmex(label(...values))
      expect(code).toBe(1)
      const report = stdout.slice(stdout.indexOf('Not begun:')).replaceAll(/\s+/g, ' ')
      expect(report).toContain(
        'The plan did not pass the check: Unknown --with name "bgas". Did you mean bags? It is an input of beans.order_beans. ' +
          'amount does not fit amount of beans.order_beans: it must be number, and is "1e400". ' +
          'Unknown --with name "sugar". This plan asks for: order_id.',
      )
    })

    test.each(LONG ? [['two'], ['2.5']] : [['2.5']])('%s is no number of bags', async (bags) => {
      const shop = await openRunsFolder()
      const { stderr } = await shop.myrmex([...label('roast=dark', `bags=${bags}`, 'amount=30'), '--plan-only'])
      expect(stderr).toMatch(
        /ValidationError: bags does not fit bags of beans\.order_beans: it must be integer, and is \S+\.\n$/,
      )
    })

    longTest('a run that is answered goes on, and says which values its plan does not use', async () => {
      const shop = await openRunsFolder()
      const asked = await shop.myrmex(label('roast=dark', 'amount=30'))
      expect(asked.code).toBe(3)
      const resume = ['runs', 'resume', runIdIn(asked.stdout), '--fleet', fleet, '--with', 'order_id=o-1']
      const { stdout } = await shop.myrmex(resume)
      expect(stdout).toContain('  planned ')
      const planned = (await shop.ledger.runs.events(runIdIn(asked.stdout))).find(({ kind }) => kind === 'planned')
      expect(planned?.body).toContain('Not used: roast. This plan takes: order_id.')
    })
  })

  longTest('that a given plan does not use is reported', async () => {
    const shop = await openRunsFolder()
    const { code, stdout } = await shop.myrmex([...ORDER, '--plan-only', '--with', 'pieces=7'])
    expect(code).toBe(0)
    expect(stdout).toContain('Not used: pieces. The plan was given with its own arguments.')
  })
})

test('a piped run waits, is approved elsewhere, and is resumed to its end', async () => {
  const shop = await openRunsFolder()
  const first = await shop.myrmex(ORDER)
  const id = runIdIn(first.stdout)
  const [approval] = await shop.ledger.approvals.list('waiting')
  expect(first.code).toBe(3)
  const [lines, ...rest] = first.stdout.split('\n\n')
  for (const line of lines?.split('\n') ?? []) expect(line).toMatch(LINE)
  expect(lines).toContain(`created     -      ${id}: Order coffee`)
  expect(rest.join('\n\n')).toBe(
    [
      'Waiting for approval:',
      `  ${approval?.id}  the plan`,
      `    the plan of run ${id} has 1 step that changes something`,
      '  order: stock.order_goods  may cost at most 40, can be undone',
      '  │ {',
      '  │   "amount": 40,',
      '  │   "pieces": 3,',
      '  │   "product_id": the result of "find" at "/product_id"',
      '  │ }',
      '  with results of these steps:',
      '  find: market.find_product',
      '  │ {',
      '  │   "category": "coffee"',
      '  │ }',
      '',
      'To continue:',
      `  npx myrmex approvals approve ${approval?.id}`,
      `  npx myrmex runs resume ${id}`,
      '',
    ].join('\n'),
  )
  expect(shop.book).toEqual([])

  const shown = await shop.myrmex(['runs', 'show', id])
  expect(shown.stdout).toContain('status   waiting')
  expect(shown.stdout).toContain(`  npx myrmex approvals approve ${approval?.id}\n  npx myrmex runs resume ${id}`)
  expect((await shop.myrmex(['approvals', 'approve', approval?.id ?? ''])).code).toBe(0)

  const second = await shop.myrmex(['runs', 'resume', id, '--fleet', FLEET], { RUNS_FLAKY: '1' })
  expect(second.code).toBe(0)
  expect(second.stdout).toMatch(/retry {7}rate {3}attempt 2 in 200 ms/)
  expect(second.stdout).toContain('Done: 5 of 5 steps done.')
  expect(second.stdout).toContain('Spent 39 of 100, 6 calls')
  // The output of a tool is not its result, and its result moves no cursor.
  expect(second.stdout).not.toContain('a tool that prints')
  expect(second.stderr).toContain('a tool that prints')
  expect(second.stderr).toContain('market.rate_product threw')
  expect(second.stdout).not.toContain('\u001b')
  expect(shop.book).toEqual([`ordered 3 coffee-1 run:${id}/order`])

  const again = await shop.myrmex(['runs', 'resume', id, '--fleet', FLEET])
  expect(again.code).toBe(0)
  expect(again.stderr).toContain('has ended')
  expect(shop.book).toHaveLength(1)
})

longTest('--json is one object a line, the report last, and a run that fails takes back what it can', async () => {
  const shop = await openRunsFolder()
  const { code, stdout } = await shop.myrmex([...ORDER, '--approve', 'all', '--json'], { RUNS_FAIL: '1' })
  expect(code).toBe(1)
  const objects = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  const id = runIdIn(stdout)
  expect(objects.every(({ run }) => run === id)).toBe(true)
  expect(objects[0]).toMatchObject({ kind: 'created', body: { goal: 'Order coffee' } })
  expect(objects.at(-1)).toMatchObject({ kind: 'report', status: 'failed', report: { spent: 0, stands: [] } })
  expect(objects.filter(({ kind }) => kind === 'started').map(({ step }) => step)).toContain('order/undo')
  expect(shop.book).toEqual([`ordered 3 coffee-1 run:${id}/order`, 'returned o-coffee-1'])

  const { stdout: shown } = await shop.myrmex(['runs', 'show', id.slice(0, 8)])
  expect(shown).toMatch(/↶ order {2}stock\.order_goods +\d+ ms {2}undone\n/)
  expect(shown).toMatch(/✘ tell {3}post\.announce +\d+ ms {2}failed: NoPaper: The paper is used up\.\n/)
  const json = JSON.parse((await shop.myrmex(['runs', 'show', id, '--json'])).stdout)
  expect(json).toMatchObject({ id, status: 'failed', led: false, budget: { money: 100 }, spent: 0 })
  expect(json.timeline).toContainEqual(
    expect.objectContaining({ kind: 'finished', step: 'order', data: { order_id: 'o-coffee-1', paid: 39 } }),
  )
})

describe('cancel', () => {
  longTest('stops a run that another process executes', async () => {
    const shop = await openRunsFolder()
    const run = shop.start([...ORDER, '--approve', 'all'], SLOW)
    await run.prints('progress    count')
    const id = runIdIn(run.stdout)
    const [shown, resumed] = await Promise.all([
      shop.myrmex(['runs', 'show', id]),
      shop.myrmex(['runs', 'resume', id, '--fleet', FLEET]),
    ])
    expect(shown.stdout).toMatch(/▸ count {2}market\.count_demand +\S+ m?s\n/)
    expect(resumed.code).toBe(3)
    expect(resumed.stdout).toContain(`Run ${id} is executed by another process.`)
    const cancel = shop.start(['runs', 'cancel', id, '--reason', 'rain'])
    const row = async () => shop.ledger.runs.find(id)
    await eventually(async () => expect((await row())?.stopped_by).toBe(ME))
    await withTimeLimit(1000, () => eventually(async () => expect((await row())?.ended_at).not.toBeNull()))
    const { code, stdout } = await cancel.ended
    expect(code).toBe(0)
    expect(stdout).toContain(`cancelled  ${id}: Stopped:`)
    expect(stdout).toContain(`${ME} stopped it: rain.`)
    expect(await run.ended).toMatchObject({ code: 1 })
    expect(run.stdout).toContain('Stopped: ')
    expect((await shop.myrmex(['runs', 'show', id])).stdout).toMatch(/✘ count .* failed: CancelledError: /)
  })

  longTest('ends a run that nobody leads, and says when one is over', async () => {
    const shop = await openRunsFolder()
    const { id } = await waitingRun(shop)
    const first = await shop.myrmex(['runs', 'cancel', id])
    expect(first, first.stderr).toMatchObject({ code: 0 })
    expect(first.stdout).toContain(`cancelled  ${id}: Stopped: 0 of 5 steps done.`)
    expect((await shop.ledger.runs.find(id))?.status).toBe('cancelled')
    expect((await shop.myrmex(['runs', 'cancel', id])).stdout).toBe(`run ${id} has already ended: cancelled\n`)
  })
})

longTest('a run whose process was killed is left, and goes on where it was', async () => {
  const shop = await openRunsFolder()
  const run = shop.start([...ORDER, '--approve', 'all'], SLOW)
  await run.prints('finished    order')
  run.child.kill('SIGKILL')
  await run.ended
  const id = runIdIn(run.stdout)
  expect((await shop.myrmex(['runs', 'list'])).stdout).toMatch(new RegExp(`^${id}  left  `))
  const { code, stdout } = await shop.myrmex(['runs', 'resume', id, '--fleet', FLEET])
  expect(code).toBe(0)
  expect(stdout).toContain('Done: 5 of 5 steps done.')
  expect(shop.book).toEqual([`ordered 3 coffee-1 run:${id}/order`])
})

longTest('replay shows everything in order and once, and changes not a byte', async () => {
  const shop = await openRunsFolder()
  const id = runIdIn((await shop.myrmex([...ORDER, '--approve', 'all'], { RUNS_FLAKY: '1' })).stdout)
  const before = await contents(shop)
  const [text, json] = await Promise.all([
    shop.myrmex(['runs', 'replay', id]),
    shop.myrmex(['runs', 'replay', id, '--json', '--speed', '1000']),
  ])
  expect(await contents(shop)).toEqual(before)
  const entries = json.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(entries[0]).toMatchObject({ run: id, kind: 'created' })
  expect(entries.at(-1)).toMatchObject({ kind: 'ended', body: { status: 'succeeded' } })
  const calls = entries.filter(({ kind }) => kind === 'started' || kind === 'finished')
  expect(calls.filter(({ step, kind }) => step === 'rate' && kind === 'started')).toHaveLength(2)
  expect(new Set(calls.map(({ kind, call_id }) => `${kind} ${call_id}`)).size).toBe(12)
  expect(calls).toHaveLength(12)
  const journal = entries.filter(({ seq }) => seq !== undefined).map(({ seq }) => seq)
  expect(journal).toEqual(Array.from({ length: journal.length }, (_, index) => index + 1))
  const place = (kind: string, step: string): number =>
    entries.findIndex((entry) => entry.kind === kind && entry.step === step)
  expect(place('started', 'find')).toBeLessThan(place('finished', 'find'))
  expect(place('finished', 'find')).toBeLessThan(place('started', 'count'))
  expect(place('retry', 'rate')).toBeLessThan(place('started', 'order'))
  expect(entries[place('started', 'order')].args).toEqual({ product_id: 'coffee-1', pieces: 3, amount: 40 })
  expect(text.stdout).toMatch(/ started {5}order {2}stock\.order_goods\n {12}amount: 40\n {12}pieces: 3\n/)
  expect(text.stdout).toMatch(/ finished {4}tell {2}post\.announce success after \d+ ms\n {12}announcement: Order /)
  expect((await shop.myrmex(['runs', 'replay', id, '--step'])).stderr).toContain('no terminal to wait for Enter')
})

/** Every row of every table, and the bytes of the file and its log. */
async function contents({ ledger, address }: RunsFolder): Promise<object> {
  const tables = await ledger.db.query<{ name: string }>(
    `SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name`,
  )
  const rows = await Promise.all(tables.map(({ name }) => ledger.db.query(`SELECT * FROM ${name}`)))
  const files = readdirSync(dirname(address)).filter((name) => name === 'ledger.db' || name === 'ledger.db-wal')
  return { rows, files: files.map((name) => [name, readFileSync(join(dirname(address), name)).toString('base64')]) }
}

longTest(
  'list shows what is open and what ended lately; what needs approval is not done with --approve never',
  async () => {
    const shop = await openRunsFolder()
    expect((await shop.myrmex(['runs', 'list', '--all'])).stdout).toBe('no runs\n')
    const { id } = await waitingRun(shop)
    const refused = await shop.myrmex([...ORDER, '--approve', 'never'])
    expect(refused.code).toBe(1)
    expect(refused.stdout).toContain('Not begun: 0 of 5 steps done. The plan needs approval, but --approve is never.')
    const over = runIdIn(refused.stdout)
    await shop.ledger.db.query('UPDATE runs SET ended_at = 1 WHERE id = ?', [over])
    const { stdout } = await shop.myrmex(['runs', 'list'])
    expect(stdout).toMatch(new RegExp(`^${id}  waiting  \\d{4}-\\S+ \\S+ +\\S+ m?s  0 of 100  Order coffee\\n$`))
    const all = JSON.parse((await shop.myrmex(['runs', 'list', '--all', '--json'])).stdout)
    expect(all.map((run: { id: string; status: string }) => [run.id, run.status])).toEqual([
      [over, 'refused'],
      [id, 'waiting'],
    ])
  },
)

describe('in a terminal', () => {
  test('the plan and a reserved step are asked for, and steps are redrawn as they go', async () => {
    const shop = await openRunsFolder()
    const policy = {
      approvals: [{ name: 'dear orders', tools: ['stock.*'], when: [{ argument: '/amount', above: 30 }] }],
    }
    writeFileSync(join(shop.here, 'myrmex.policy.json'), JSON.stringify(policy))
    const run = shop.terminal(ORDER, { RUNS_SLOW_MS: '1500' })
    await run.prints('Execute this plan?')
    expect(visibleText(run.stdout)).toContain('  order: stock.order_goods  may cost 40, can be undone\n')
    expect(shop.book).toEqual([])
    run.type('y')
    await run.prints('Make this call?')
    expect(visibleText(run.stdout)).toContain(
      [
        'Step order needs its own approval: the policy asks: dear orders',
        '  stock.order_goods 1.0.0  may cost 40',
        '  │ {',
        '  │   "amount": 40,',
        '  │   "pieces": 3,',
        '  │   "product_id": "coffee-1"',
        '  │ }',
      ].join('\n'),
    )
    expect(shop.book).toEqual([])
    run.type('y')
    const { code } = await run.ended
    expect(code).toBe(0)
    const text = visibleText(run.stdout)
    // Drawn more than once, with the spinner in place of the mark.
    expect(text).toMatch(/[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏] count {2}market\.count_demand/)
    expect(text).toMatch(/count {2}market\.count_demand +\d+ ms {2}\d+ % {1,2}shop \d/)
    expect(text).toMatch(/execute · \d of 5 steps · spent \d+ of 100/)
    expect(text).toMatch(/✔ tell {3}post\.announce +\d+ ms\n\nDone: 5 of 5 steps done\./)
    expect(shop.book).toHaveLength(1)
    const [, plan] = await shop.ledger.approvals.list()
    expect(plan).toMatchObject({ status: 'used', decided_by: ME })
  })

  longTest('no is the answer to Enter, and why is kept', async () => {
    const shop = await openRunsFolder()
    const run = shop.terminal(ORDER)
    await run.prints('Execute this plan?')
    run.type('\r')
    await run.prints('Why not?')
    run.type('too dear\r')
    expect((await run.ended).code).toBe(1)
    expect(visibleText(run.stdout)).toContain(`Not begun: 0 of 5 steps done. The plan was denied by ${ME}: too dear.`)
    const [asked] = await shop.ledger.approvals.list()
    expect(asked).toMatchObject({ status: 'denied', decided_by: ME, note: 'too dear' })
  })

  longTest(
    'without the passphrase of a locked ledger the run waits, and the command says how to continue',
    async () => {
      const shop = await openRunsFolder()
      await lockLedger(shop.ledger, PASSPHRASE, 'olga', 2 ** 14)
      const locked = await openLedger(shop.address, { keyFile: join(dirname(shop.here), 'ledger.key') })
      const signer = await unlockSigner(locked.lock, PASSPHRASE)
      await signDecisions(locked, await unsignedDecisions(locked), { name: 'olga', from: 'cli', signer })
      await locked.close()
      const run = shop.terminal(ORDER)
      await run.prints('Execute this plan?')
      run.type('y')
      await run.prints("The operator's passphrase, to sign this decision: ")
      run.type('\u0003')
      expect((await run.ended).code).toBe(3)
      const text = visibleText(run.stdout)
      expect(text).toMatch(
        new RegExp(`To continue:\n {2}npx myrmex approvals approve \\w+\n {2}npx myrmex runs resume ${runIdIn(text)}`),
      )
      expect(shop.book).toEqual([])
    },
  )

  longTest('Ctrl-C lets go in order, and the run can be resumed', async () => {
    const shop = await openRunsFolder()
    const run = shop.terminal([...ORDER, '--approve', 'all'], { RUNS_SLOW_MS: '1000' })
    await run.prints('shop 2 of 10')
    run.type('\u0003')
    expect((await run.ended).code).toBe(3)
    const text = visibleText(run.stdout)
    const id = runIdIn(text)
    expect(text).toContain(`releasing run ${id}`)
    expect(text).toContain(`myrmex runs resume ${id}  to continue`)
    expect(await shop.ledger.runs.find(id)).toMatchObject({ status: 'running', leader: null })
    const { code, stdout } = await shop.myrmex(['runs', 'resume', id, '--fleet', FLEET])
    expect(code).toBe(0)
    expect(stdout).not.toContain('started     count')
    expect(shop.book).toHaveLength(1)
  })

  longTest('what the planner must know is asked for', async () => {
    const shop = await openRunsFolder()
    const run = shop.terminal(['run', 'Find a product', '--fleet', join(FLEET, 'market.agent.ts')])
    await run.prints('for market.find_product')
    run.type('tea\r')
    expect((await run.ended).code).toBe(0)
    expect(visibleText(run.stdout)).toContain('name: Finest tea')
  })
})

describe('work', () => {
  longTest('leads what was approved meanwhile, on SQLite, until SIGTERM', async () => {
    const shop = await openRunsFolder()
    const { id, approval } = await waitingRun(shop)
    const worker = shop.start(['runs', 'work', '--fleet', FLEET])
    await worker.prints('executing pending runs')
    await shop.ledger.approvals.approve(approval, 'ada')
    await worker.prints(new RegExp(`${id}  ended       -      succeeded`))
    worker.child.kill('SIGTERM')
    expect((await worker.ended).code).toBe(0)
    expect(shop.book).toHaveLength(1)
  })

  longTest('does so on PostgreSQL through the queue, where everything else works the same', async () => {
    const shop = await openRunsFolder(await freshDatabase())
    const { id, approval } = await waitingRun(shop)
    const worker = shop.start(['runs', 'work', '--fleet', FLEET, '--concurrency', '2'])
    await worker.prints('executing pending runs')
    await shop.ledger.approvals.approve(approval, 'ada')
    await worker.prints(new RegExp(`${id}  ended       -      succeeded`))
    worker.child.kill('SIGTERM')
    expect((await worker.ended).code).toBe(0)
    expect(shop.book).toEqual([`ordered 3 coffee-1 run:${id}/order`])
    const [list, replay] = await Promise.all([shop.myrmex(['runs', 'list']), shop.myrmex(['runs', 'replay', id])])
    expect(list.stdout).toMatch(new RegExp(`^${id}  succeeded  `))
    expect(replay.stdout).toContain('announcement: Order o-coffee-1')
    const { id: other } = await waitingRun(shop)
    expect((await shop.myrmex(['runs', 'cancel', other])).stdout).toContain(`cancelled  ${other}`)
    expect(existsSync(join(shop.here, '.myrmex'))).toBe(false)
  })
})

test('the CEO of the fleet is a server that any client can give a goal to', async () => {
  const shop = await openRunsFolder()
  const args = { goal: 'Find a product', known: { category: 'tea' } }
  const server = [process.execPath, CLI, 'ceo', '--fleet', FLEET]
  const { code, stdout } = await shop.myrmex(['call', 'ceo.run_goal', JSON.stringify(args), '--json', '--', ...server])
  expect(code).toBe(0)
  const { status, report, run_id } = JSON.parse(stdout).data
  expect({ status, made: report.made[0].data.name }).toEqual({ status: 'succeeded', made: 'Finest tea' })
  expect((await shop.ledger.runs.find(run_id))?.status).toBe('succeeded')
})
