/**
 * `audit.durability: power`: what was answered survives a loss of power. A real server is killed, and everything in its segments that was
 * not synced to the disk is cut off. SQLite syncs its own file, which stays as it is.
 */
import { readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { LONG } from '@myrmex/testing/long'
import { fixturePath } from '@myrmex/testing/paths'
import { StdioChild } from '@myrmex/testing/stdio-child'
import { expect, onTestFinished, test } from 'vitest'
import { readRecords } from '../../packages/myrmex/src/ledger/journal/read.ts'
import { verifyLedger } from '../../packages/myrmex/src/ledger/journal/verify.ts'
import { journalFolder, openLedger } from '../../packages/myrmex/src/ledger/open.ts'

const SYNC_LOG = new URL('../../testing/ledger/sync-log.ts', import.meta.url).href
const KILLS = LONG ? 25 : 3

class PowerLoss {
  readonly address: string
  readonly #policy: string
  readonly #log: string
  /** the ids of calls whose answers arrived */
  readonly answered: string[] = []

  constructor(folder: string, durability: 'process' | 'power') {
    this.address = join(folder, 'ledger.db')
    this.#policy = join(folder, 'policy.json')
    this.#log = join(folder, 'synced.jsonl')
    writeFileSync(this.#policy, JSON.stringify({ audit: { durability } }))
    writeFileSync(this.#log, '')
  }

  /** Calls a server, kills it after some answers, and cuts off what was not synced. */
  async round(answers: number): Promise<void> {
    const child = new StdioChild(
      ['serve', fixturePath('all.tools.ts'), '--ledger', this.address, '--policy', this.#policy],
      { ...process.env, NODE_OPTIONS: `--import=${SYNC_LOG}`, SYNC_LOG: this.#log },
    )
    onTestFinished(() => child.kill())
    await child.initialize()
    // One chunk after the other, so that there are many groups.
    for (let id = 1; id <= answers; id++) {
      child.call(id, 'add', { a: id, b: 1 })
      if (id % 3 === 0) await child.answer(id)
    }
    await child.until(() => child.raw.length > answers)
    child.kill()
    await child.exited()
    for (const { result } of child.lines) {
      const id = result?._meta?.['myrmex/result']?.call_id
      if (id !== undefined) this.answered.push(id)
    }
    this.#lose()
  }

  #lose(): void {
    const synced = readFileSync(this.#log, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as { path: string; size: number })
    const journal = journalFolder(this.address)
    for (const name of readdirSync(journal).filter((one) => one.endsWith('.jsonl'))) {
      const path = join(journal, name)
      const size = synced.findLast((one) => one.path === path)?.size
      const first = synced.findIndex((one) => one.path === path)
      // The name of a new file is lost too, unless its folder was synced.
      const isListed = synced.slice(first).some((one) => one.path === journal)
      if (size === undefined || !isListed) rmSync(path)
      else truncateSync(path, size)
    }
  }

  async records(): Promise<{ ok: boolean; ids: Set<string> }> {
    const ledger = await openLedger(this.address)
    try {
      const report = await verifyLedger(ledger, { key: ledger.key })
      const records = await Array.fromAsync(readRecords(ledger.journal.store))
      return { ok: report.ok, ids: new Set(records.map(({ call_id }) => call_id)) }
    } finally {
      await ledger.close()
    }
  }
}

async function powerLoss(durability: 'process' | 'power'): Promise<PowerLoss> {
  const folder = await mkdtemp(join(tmpdir(), 'myrmex-power-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return new PowerLoss(folder, durability)
}

test('every answered call is recorded and verifies after every loss of power', async () => {
  const loss = await powerLoss('power')
  for (let kill = 1; kill <= KILLS; kill++) await loss.round(5 * kill)
  const { ok, ids } = await loss.records()
  expect(ok).toBe(true)
  expect(loss.answered.length).toBeGreaterThan(KILLS * 5)
  expect(loss.answered.filter((id) => !ids.has(id))).toEqual([])
})

test('by default it is not: the test would notice', async () => {
  const loss = await powerLoss('process')
  await loss.round(6)
  await expect(loss.records()).rejects.toThrow('ends before group')
})
