/** Several workers on one PostgreSQL: every run is led by one of them at a time, and by another when that one dies. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { WORLD } from '@myrmex/testing/fixtures/runs-worker'
import { freshStore, type Store } from '@myrmex/testing/ledger/ledger-store'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Ledger } from '../../packages/myrmex/src/ledger/ledger.ts'

describe('two workers on one PostgreSQL', () => {
  let store: Store
  let ledger: Ledger
  const children = new Set<ReturnType<typeof fork>>()

  beforeAll(async () => {
    store = await freshStore('postgres')
    ledger = await store.open()
    await ledger.db.query(WORLD)
    return () => store.remove()
  })
  afterAll(() => {
    for (const child of children) child.kill('SIGKILL')
  })

  /** Ready to work, with the name it leads under. */
  async function worker(): Promise<[ReturnType<typeof fork>, string]> {
    const child = fork(
      new URL('../../testing/fixtures/runs-worker.ts', import.meta.url),
      [store.address, store.keyFile],
      {
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      },
    )
    children.add(child)
    const [owner] = (await once(child, 'message')) as [string]
    return [child, owner]
  }

  const rows = (run: string) =>
    ledger.db.query<{ step: string; worker: number }>('SELECT step, worker FROM world WHERE run = ? ORDER BY step', [
      run,
    ])

  test('share the runs, take over from one that is killed, and end in order', { timeout: 60_000 }, async () => {
    const [[one, owner], [two]] = await Promise.all([worker(), worker()])
    const ids: string[] = []
    for (let n = 0; n < 10; n++) {
      one.send({ start: n })
      const [id] = (await once(one, 'message')) as [string]
      ids.push(id)
    }
    // It leads one that is somewhere in its middle: its first step has had its effect, its last has not.
    const isLeading = async () => {
      const led = (await Promise.all(ids.map((id) => ledger.runs.find(id)))).filter((row) => row?.leader === owner)
      const begun = await Promise.all(led.map(async (row) => (await rows(row?.id as string)).length))
      return begun.some((count) => count > 0 && count < 3)
    }
    await expect.poll(isLeading).toBe(true)
    one.kill('SIGKILL')
    await expect
      .poll(async () => (await Promise.all(ids.map((id) => ledger.runs.find(id)))).map((row) => row?.status), {
        timeout: 40_000,
      })
      .toEqual(ids.map(() => 'succeeded'))
    for (const id of ids) {
      expect((await rows(id)).map(({ step }) => step)).toEqual(['a', 'b', 'c'])
      const events = await ledger.runs.events(id)
      expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1))
    }
    const takenOver = (await Promise.all(ids.map((id) => ledger.runs.events(id)))).flat()
    expect(takenOver.some(({ kind }) => kind === 'taken_over')).toBe(true)
    two.kill('SIGTERM')
    const [code] = (await once(two, 'exit')) as [number]
    expect(code).toBe(0)
  })
})
