/** What waits, of few servers a line each, and of many a line for each reason. */
import { expect, test } from 'vitest'
import type { HeldBackSummary } from '../../ledger/decisions/held-back.ts'
import { heldBackLines } from './held-back-lines.ts'

const held = (command: string, ...reasons: HeldBackSummary['reasons'][number][]): HeldBackSummary => ({
  total: reasons.reduce((sum, { count }) => sum + count, 0),
  reasons,
  command,
})
const plain = (server: string, open = '') => ({
  server,
  held: held(`npx myrmex trust ${server}${open}`, { reason: 'not-reviewed', grade: null, count: 12 }),
})
const names = (count: number): string[] => Array.from({ length: count }, (_, index) => `s${index}`)

test('of a few servers each has its reasons and its command', () => {
  expect(heldBackLines([plain('a'), { server: 'b', held: { total: 0, reasons: [], command: null } }])).toEqual([
    '  a: 12 not reviewed: npx myrmex trust a',
  ])
})

test('of 24 servers the reasons are counted, and a server that needs another command is named', () => {
  const changed = {
    server: 'github',
    held: held(
      'npx myrmex trust github',
      { reason: 'changed', grade: 'different', count: 2 },
      { reason: 'not-reviewed', grade: null, count: 1 },
    ),
  }
  const blocked = {
    server: 'evil',
    held: held('npx myrmex trust status evil', { reason: 'blocked', grade: null, count: 3 }),
  }
  expect(heldBackLines([...names(21).map((name) => plain(name)), changed, plain('open', ' --open'), blocked])).toEqual([
    '  265 not reviewed, of 23 servers',
    '  2 changed (different), of github',
    '  npx myrmex trust SERVER, or --all, or --read-only-tools (--open for those that change state)',
    '  evil: 3 blocked by the scanner: npx myrmex trust status evil',
  ])
})

test('none wait: no line', () => {
  expect(heldBackLines(names(30).map((server) => ({ server, held: held('') })))).toEqual([])
})
