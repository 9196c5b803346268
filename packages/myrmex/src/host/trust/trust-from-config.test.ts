import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { trackedTools } from '../../ledger/decisions/tracked-tools.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import { openLedger } from '../../ledger/open.ts'
import { type Tool, tool } from '../../tool/tool.ts'
import { applyConfiguredTrust } from './trust-from-config.ts'

let ledger: Ledger
beforeEach(async () => {
  ledger = await openLedger(join(mkdtempSync(join(tmpdir(), 'vouch-')), 'ledger.db'))
})
afterEach(() => ledger.close())

const made = (name: string, destructive: boolean, more: { description?: string; version?: string } = {}): Tool =>
  tool(
    {
      name,
      version: '0.0.0',
      description: 'It does one thing.',
      input: { type: 'object' },
      output: { type: 'object' },
      errors: {},
      idempotent: false,
      destructive,
      security: 'Unknown.',
      examples: [],
      run: () => ({}),
      ...more,
    },
    'upstream',
  )
const reads = made('srv.read', false)
const writes = made('srv.write', true)
const levels = async (): Promise<Record<string, string>> => {
  await ledger.trust.refresh()
  return { reads: ledger.trust.levelOf(reads), writes: ledger.trust.levelOf(writes) }
}
const granted = async (one: Tool): Promise<boolean> =>
  (await ledger.grants.covering({ tool: one.name, version: one.version, hash: one.hash }, 'anybody')) !== undefined

test('each word of the file gives what it says, also when the file is changed', async () => {
  const expected = [
    ['none', { reads: 'untrusted', writes: 'untrusted' }, false],
    ['verified', { reads: 'verified', writes: 'untrusted' }, false],
    ['ask', { reads: 'verified', writes: 'trusted' }, false],
    ['trusted', { reads: 'verified', writes: 'trusted' }, true],
    ['ask', { reads: 'verified', writes: 'trusted' }, false],
    ['none', { reads: 'untrusted', writes: 'untrusted' }, false],
  ] as const
  for (const [word, wanted, isGranted] of expected) {
    expect(await applyConfiguredTrust(ledger, [reads, writes], word)).toMatchObject({ changed: [], suspicious: [] })
    expect(await levels()).toEqual(wanted)
    expect(await granted(writes)).toBe(isGranted)
  }
})

test('what a person decided stays, and a grant that was taken back is not given again', async () => {
  await applyConfiguredTrust(ledger, [reads, writes], 'trusted')
  await ledger.grants.revoke(writes.name, 'ann')
  await ledger.trust.set({ tool: reads.name, version: reads.version, hash: reads.hash }, 'untrusted', 'ann')
  await applyConfiguredTrust(ledger, [reads, writes], 'trusted')
  expect(await levels()).toEqual({ reads: 'untrusted', writes: 'trusted' })
  expect(await granted(writes)).toBe(false)
})

test('a decision that is made while the file is read is not written over', async () => {
  await ledger.trust.pin(reads)
  await ledger.trust.set({ tool: reads.name, version: reads.version, hash: reads.hash }, 'untrusted', 'ann')
  const definition = { tool: reads.name, version: reads.version, hash: reads.hash }
  await ledger.trust.setFromConfig([{ definition, level: 'verified' }], 'myrmex.json')
  expect(await levels()).toMatchObject({ reads: 'untrusted' })
})

test('a change is a change, under the same version or another', async () => {
  await applyConfiguredTrust(ledger, [reads], 'trusted')
  const other = made('srv.read', false, { description: 'It does another thing.' })
  const later = made('srv.read', false, { description: 'It does another thing.', version: '1.0.0' })
  for (const changed of [other, later]) {
    expect(await applyConfiguredTrust(ledger, [changed], 'trusted')).toMatchObject({
      changed: [{ tool: changed }],
      suspicious: [],
    })
    expect(ledger.trust.levelOf(changed)).toBe('untrusted')
  }
})

test('a version that was held back once is quarantined whenever it comes again, and what was there first is not', async () => {
  const later = made('srv.read', false, { description: 'It does another thing.', version: '9.0.0' })
  await applyConfiguredTrust(ledger, [reads], 'trusted')
  for (const one of [later, later, reads, later]) {
    const { changed, suspicious } = await applyConfiguredTrust(ledger, [one], 'trusted')
    expect(changed.map(({ tool: held }) => held)).toEqual(one === later ? [later] : [])
    expect(suspicious).toEqual([])
    expect(ledger.trust.levelOf(later)).toBe('untrusted')
  }
  expect(await levels()).toMatchObject({ reads: 'verified' })
  // Whoever is to decide sees what is different.
  const [seen] = await trackedTools(ledger, 'srv.read')
  expect(seen).toMatchObject({ version: '9.0.0', changed: false, other: { version: '0.0.0', level: 'verified' } })
  expect(seen?.other?.changes.join()).toContain('It does another thing.')
})

test('what hides something is not vouched for', async () => {
  const hides = made('srv.hides', false, { description: 'Reads a file.\u{E0041}\u{E0042}' })
  const { suspicious } = await applyConfiguredTrust(ledger, [hides], 'trusted')
  expect(suspicious).toMatchObject([{ tool: hides, why: expect.stringContaining('description: ') }])
  expect(ledger.trust.levelOf(hides)).toBe('untrusted')
})

test('other work goes on between long definitions of one listing', async () => {
  const words = 'Lists the items of an order with the price and the account of each. '
  const long = Array.from({ length: 6 }, (_, n) => made(`srv.long_${n}`, false, { description: words.repeat(300 + n) }))
  let turns = 0
  let isOver = false
  const count = (): void => {
    turns++
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  await applyConfiguredTrust(ledger, long, 'verified')
  isOver = true
  // One for each definition, not one for all of them.
  expect(turns).toBeGreaterThanOrEqual(long.length - 1)
})
