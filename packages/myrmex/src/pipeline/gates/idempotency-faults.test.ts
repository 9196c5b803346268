/** Keys when something goes wrong in between: a restart, a process that dies, a ledger that fails just then. */

import {
  type CountedTool,
  call,
  eventually,
  latch,
  ledgerFile,
  numberTool,
  serve,
  stopWriting,
  writeAgain,
} from '@myrmex/testing/gated-server'
import { describe, expect, test } from 'vitest'
import { createServer } from '../../server/server.ts'

describe('a restart', () => {
  test('forgets no result', async () => {
    const number = numberTool()
    const before = await serve([number])
    await call(before.server, 'shop.number', { n: 1 }, { key: 'k' })
    before.server.close()
    await before.ledger.close()
    const after = await serve([number], { file: before.file })
    expect(await call(after.server, 'shop.number', { n: 1 }, { key: 'k' })).toMatchObject({ data: { run: 1 } })
    expect(await call(after.server, 'shop.number', { n: 2 }, { key: 'k' })).toMatchObject({
      error: { error_type: 'ValidationError' },
    })
    expect(number.ran).toHaveLength(1)
  })

  /** A call that never ends, in a process that is then gone. */
  const orphan = async (number: CountedTool) => {
    const { server, file, ledger } = await serve([number])
    void call(server, 'shop.number', { n: 1 }, { key: 'k' })
    await eventually(() => expect(number.ran).toHaveLength(1))
    const [{ call_id } = { call_id: '' }] = file.rows<{ call_id: string }>('SELECT call_id FROM once')
    file.exec('DELETE FROM owners')
    return { file, ledger, call_id }
  }

  test('in the middle of a call that may not run twice: what it did is not known, and it is not run again', async () => {
    const number = numberTool({ run: () => new Promise(() => {}) })
    const { file, call_id } = await orphan(number)
    const { server } = await serve([number], { file })
    for (let n = 0; n < 2; n++) {
      const lost = await call(server, 'shop.number', { n: 1 }, { key: 'k' })
      expect(lost).toMatchObject({
        error: { error_type: 'UnavailableError', error_details: { call_id, outcome: 'unknown' } },
      })
      expect(lost.error?.error_message).toMatch(/unknown, so it is not run again/)
    }
    expect(number.ran).toHaveLength(1)
  })

  test.each([
    ['idempotent', { idempotent: true }],
    ['keyed', { idempotent: false, keyed: true }],
  ])('in the middle of one that may, being %s: it runs again, once', async (_why, promise) => {
    let first = true
    const number = numberTool({
      ...promise,
      run: () => {
        if (!first) return Promise.resolve({ run: 2 })
        first = false
        return new Promise(() => {})
      },
    })
    const { file } = await orphan(number)
    const { server } = await serve([number], { file })
    const all = await Promise.all(Array.from({ length: 20 }, () => call(server, 'shop.number', { n: 1 }, { key: 'k' })))
    for (const one of all) expect(one).toMatchObject({ status: 'success', data: { run: 2 } })
    expect(number.ran).toHaveLength(2)
  })

  test('a process that was only slow does not overwrite what another found', async () => {
    const { open, opened } = latch()
    let runs = 0
    const number = numberTool({
      idempotent: true,
      run: () => {
        const mine = ++runs
        return mine === 1 ? opened.then(() => ({ run: mine })) : Promise.resolve({ run: mine })
      },
    })
    const slow = await serve([number])
    const late = call(slow.server, 'shop.number', {}, { key: 'k' })
    await eventually(() => expect(number.ran).toHaveLength(1))
    slow.file.exec('DELETE FROM owners')
    const quick = await serve([number], { file: slow.file })
    expect(await call(quick.server, 'shop.number', {}, { key: 'k' })).toMatchObject({ data: { run: 2 } })
    open()
    await late
    expect(await call(quick.server, 'shop.number', {}, { key: 'k' })).toMatchObject({ data: { run: 2 } })
  })
})

describe('a ledger that fails', () => {
  const NO_RESULTS = `CREATE TRIGGER no_results BEFORE UPDATE OF outcome ON once BEGIN SELECT RAISE(ABORT, 'disk full'); END`
  const UNAVAILABLE = { status: 'failure', data: null, error: { error_type: 'UnavailableError' } }

  test('when the result is to be stored: it is withheld, and given without a second run when the ledger is back', async () => {
    const number = numberTool()
    const { server, file } = await serve([number])
    file.exec(NO_RESULTS)
    expect(await call(server, 'shop.number', {}, { key: 'k' })).toMatchObject(UNAVAILABLE)
    expect(await call(server, 'shop.number', {}, { key: 'k' })).toMatchObject(UNAVAILABLE)
    file.exec('DROP TRIGGER no_results')
    expect(await call(server, 'shop.number', {}, { key: 'k' })).toMatchObject({ status: 'success', data: { run: 1 } })
    expect(number.ran).toHaveLength(1)
  })

  test('the result is given by another process on the same ledger, too', async () => {
    const number = numberTool()
    const { server, file } = await serve([number])
    const other = await serve([number], { file })
    file.exec(NO_RESULTS)
    expect(await call(server, 'shop.number', {}, { key: 'k' })).toMatchObject(UNAVAILABLE)
    file.exec('DROP TRIGGER no_results')
    expect(await call(other.server, 'shop.number', {}, { key: 'k' })).toMatchObject({ data: { run: 1 } })
    expect(number.ran).toHaveLength(1)
  })

  test('while the tool runs: no part of its result is returned until all of it is written', async () => {
    const file = ledgerFile()
    const ledger = await file.open()
    const number = numberTool({
      run: () => {
        stopWriting(ledger)
        return { run: number.ran.length }
      },
    })
    const server = createServer({ name: 't', version: '1.0.0', tools: [number.tool], ledger, observe: () => {} })
    expect(await call(server, 'shop.number', {}, { key: 'k' })).toMatchObject(UNAVAILABLE)
    expect(await call(server, 'shop.number', {}, { key: 'k' })).toMatchObject(UNAVAILABLE)
    expect(number.ran).toHaveLength(1)
    writeAgain(ledger)
    await eventually(async () =>
      expect(await call(server, 'shop.number', {}, { key: 'k' })).toMatchObject({
        status: 'success',
        data: { run: 1 },
      }),
    )
    expect(number.ran).toHaveLength(1)
    expect(file.lines()[0]).toMatchObject({ tool: 'shop.number', outcome: 'failure' })
  })

  test('before the key is claimed: nothing runs', async () => {
    const number = numberTool()
    const { server, file } = await serve([number])
    file.exec(`CREATE TRIGGER no_claims BEFORE INSERT ON once BEGIN SELECT RAISE(ABORT, 'disk full'); END`)
    expect(await call(server, 'shop.number', {}, { key: 'k' })).toMatchObject(UNAVAILABLE)
    expect(number.ran).toHaveLength(0)
  })
})
