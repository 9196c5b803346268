/**
 * The switch that stops everything, and runs: they wait, lose nothing, do nothing twice, and go on when the operator switches back. On
 * either engine.
 */
import { planOf, runsOf, step } from '@myrmex/testing/fleet/local-fleet'
import { EMBEDDED_FIRST, ENGINES, type EngineName, freshStore } from '@myrmex/testing/ledger/ledger-store'
import { toolDefaults } from '@myrmex/testing/sample-tools'
import { type Context, type Tool, ToolError, tool } from 'myrmex'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import * as z from 'zod'
import type { Report } from '../../packages/myrmex/src/agent/run/journal/report.ts'
import type { Ledger } from '../../packages/myrmex/src/ledger/ledger.ts'
import type { RunRow } from '../../packages/myrmex/src/ledger/runs.ts'

/** What tools started and did, in order. */
let started: string[] = []
let done: string[] = []

beforeEach(() => {
  started = []
  done = []
})

const define = (name: string, definition: object): Tool =>
  tool({
    ...toolDefaults,
    name,
    idempotent: false,
    input: z.object({ what: z.string() }),
    output: z.object({}),
    run: ({ what }: { what: string }) => {
      done.push(what)
      return {}
    },
    ...definition,
  } as never)

const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('asked to stop'))))

/** Its first call ends when it is asked to stop, and has done nothing by then. */
const listening = (name: string, definition: object = {}): Tool =>
  define(name, {
    ...definition,
    run: async ({ what }: { what: string }, { signal }: Context) => {
      const isFirst = !started.includes(what)
      started.push(what)
      if (isFirst) await aborted(signal)
      done.push(what)
      return {}
    },
  })

/** It does its work when the test says, and hears nothing before. */
let letGo: () => void = () => {}
const deaf = define('shop.deaf', {
  run: async ({ what }: { what: string }) => {
    started.push(what)
    await new Promise<void>((resolve) => {
      letGo = resolve
    })
    done.push(what)
    return {}
  },
})
const note = define('shop.note', {})
const again = listening('shop.again', { idempotent: true })
const once = listening('shop.once')

const ME = { id: 'ann', kind: 'local' as const }

async function open(engine: EngineName): Promise<Ledger> {
  const store = await freshStore(engine)
  onTestFinished(() => store.remove())
  return store.open()
}

const stop = (ledger: Ledger) => ledger.switches.set('stop', '', 'on', 'ada', 'incident 7')
const resume = (ledger: Ledger) => ledger.switches.set('stop', '', 'off', 'ada')
const isWaiting = async (ledger: Ledger, id: string): Promise<void> =>
  vi.waitFor(async () => {
    const { kind, body } = (await ledger.runs.events(id)).at(-1) ?? {}
    expect(kind).toBe('waiting')
    expect(JSON.parse(body ?? '')).toEqual({ for: ['the operator, who has stopped all calls (incident 7)'] })
  })
const reportOf = (row: RunRow | undefined): Report => JSON.parse(row?.report ?? '{}') as Report

describe.each(ENGINES)('on %s', (engine) => {
  test('a run waits while everything is stopped, and then does every step once', async () => {
    const ledger = await open(engine)
    const runs = runsOf([note], ledger)
    const plan = planOf(step('a', 'shop.note', { what: 'a' }), step('b', 'shop.note', { what: 'b' }, ['a']))
    await stop(ledger)
    const { id } = await runs.start({ goal: 'Note', principal: ME, plan })
    const ended = runs.execute(id)
    await isWaiting(ledger, id)
    expect(done).toEqual([])
    await resume(ledger)
    expect(await ended).toMatchObject({ status: 'succeeded' })
    expect(done).toEqual(['a', 'b'])
  })

  test('steps in flight are repeated where that is harmless, and otherwise keep what their tools did', async () => {
    const ledger = await open(engine)
    const runs = runsOf([again, deaf, note], ledger)
    const plan = planOf(
      step('a', 'shop.again', { what: 'a' }),
      step('b', 'shop.deaf', { what: 'b' }),
      step('c', 'shop.note', { what: 'c' }, ['a', 'b']),
    )
    const { id } = await runs.start({ goal: 'Note', principal: ME, plan })
    const ended = runs.execute(id)
    await vi.waitFor(() => expect(started.toSorted()).toEqual(['a', 'b']))
    await stop(ledger)
    await isWaiting(ledger, id)
    await resume(ledger)
    // The repeated one does not wait for the other, which still works.
    await vi.waitFor(() => expect(done).toEqual(['a']))
    letGo()
    expect(await ended).toMatchObject({ status: 'succeeded' })
    expect(started.toSorted()).toEqual(['a', 'a', 'b'])
    expect(done).toEqual(['a', 'b', 'c'])
  })

  test('a call that the switch overtakes before its tool starts is made later', async () => {
    const ledger = await open(engine)
    const runs = runsOf([note], ledger)
    const claim = ledger.idempotency.claim.bind(ledger.idempotency)
    vi.spyOn(ledger.idempotency, 'claim').mockImplementationOnce(async (...args) => {
      await stop(ledger)
      return claim(...args)
    })
    const { id } = await runs.start({
      goal: 'Note',
      principal: ME,
      plan: planOf(step('a', 'shop.note', { what: 'a' })),
    })
    const ended = runs.execute(id)
    await isWaiting(ledger, id)
    await resume(ledger)
    expect(await ended).toMatchObject({ status: 'succeeded' })
    expect(done).toEqual(['a'])
  })
})

describe.each(EMBEDDED_FIRST)('with a store of %s', (engine) => {
  test('a step that must not be repeated fails with the reason of the operator', async () => {
    const ledger = await open(engine)
    const runs = runsOf([once], ledger)
    const { id } = await runs.start({
      goal: 'Note',
      principal: ME,
      plan: planOf(step('a', 'shop.once', { what: 'a' })),
    })
    const ended = runs.execute(id)
    await vi.waitFor(() => expect(started).toEqual(['a']))
    await stop(ledger)
    await isWaiting(ledger, id)
    await resume(ledger)
    const row = await ended
    expect(row).toMatchObject({ status: 'failed' })
    expect(reportOf(row).summary).toContain('CancelledError: The operator has stopped all calls (incident 7).')
    expect(started).toEqual(['a'])
  })

  test('an answer of its own that a tool gives while it is stopped is its answer', async () => {
    const ledger = await open(engine)
    const refusing = define('shop.refusing', {
      idempotent: true,
      errors: { OutOfStock: 'there is none' },
      run: async ({ what }: { what: string }, { signal }: Context) => {
        started.push(what)
        await aborted(signal).catch(() => {})
        throw new ToolError('OutOfStock', 'none left')
      },
    })
    const runs = runsOf([refusing], ledger)
    const plan = planOf(step('a', 'shop.refusing', { what: 'a' }))
    const { id } = await runs.start({ goal: 'Note', principal: ME, plan })
    const ended = runs.execute(id)
    await vi.waitFor(() => expect(started).toEqual(['a']))
    await stop(ledger)
    await resume(ledger)
    expect(reportOf(await ended).summary).toContain('OutOfStock: none left')
    expect(started).toEqual(['a'])
  })

  test('an undo waits too, and is done once', async () => {
    const ledger = await open(engine)
    const sell = define('shop.sell', {
      idempotent: true,
      undo: async ({ what }: { what: string }, _data: unknown, { signal }: Context) => {
        started.push(`undo ${what}`)
        if (started.length === 1) await aborted(signal)
        done.push(`undo ${what}`)
      },
      destructive: true,
    })
    const fail = define('shop.fail', {
      run: () => {
        throw new ToolError('Broken', 'broken')
      },
      errors: { Broken: 'it is' },
    })
    await ledger.trustTool(sell, 'ada', { ask: true })
    const runs = runsOf([sell, fail], ledger)
    const plan = planOf(step('a', 'shop.sell', { what: 'a' }), step('b', 'shop.fail', { what: 'b' }, ['a']))
    const { id } = await runs.start({ goal: 'Sell', principal: ME, plan, approve: 'all' })
    const ended = runs.execute(id)
    await vi.waitFor(() => expect(started).toEqual(['undo a']))
    await stop(ledger)
    await isWaiting(ledger, id)
    await resume(ledger)
    expect(reportOf(await ended)).toMatchObject({ status: 'failed', stands: [] })
    expect(done).toEqual(['a', 'undo a'])
  })

  test('a run is released while it waits for the operator, and another process goes on with it', async () => {
    const ledger = await open(engine)
    const first = runsOf([again, note], ledger)
    const plan = planOf(step('a', 'shop.again', { what: 'a' }), step('b', 'shop.note', { what: 'b' }, ['a']))
    const { id } = await first.start({ goal: 'Note', principal: ME, plan })
    const left = first.execute(id)
    await vi.waitFor(() => expect(started).toEqual(['a']))
    await stop(ledger)
    await isWaiting(ledger, id)
    await first.close()
    expect(await left).toMatchObject({ status: 'running', leader: null })
    await resume(ledger)
    const second = runsOf([again, note], ledger)
    expect(await second.execute(id)).toMatchObject({ status: 'succeeded' })
    expect(done).toEqual(['a', 'b'])
  })
})
