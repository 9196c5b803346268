/**
 * The figures of the scanner do not fall: on our own sets, and on the corpora beside the project where they are present. Most sets were used
 * to tune it, so their figures are floors and no promise. The sets called later, heldout and second were written to measure. Weights are
 * not trained on them, but the threshold was chosen with their figures in view. Their honest texts imitate attacks on purpose, so more of them are warned about than of real servers' tools.
 * The set called third was measured once, after the threshold was chosen.
 */
import { join } from 'node:path'
import { ROOT } from '@myrmex/testing/paths'
import { expect, test } from 'vitest'
import { readCorpora } from '../../bench/scanner/corpus.ts'
import { measureScanner, ratesOf, scannerAims } from '../../bench/scanner/run.ts'

const own = readCorpora(join(ROOT, 'testing/scanner'))
const given = readCorpora(process.env.MYRMEX_SCANNER_CORPORA ?? join(ROOT, '../shared/corpora/scanner'))

test('our own sets: paraphrases of every category, and honest texts close to the edge', () => {
  expect(own.filter(({ isPoisoned }) => isPoisoned).length).toBeGreaterThan(300)
  expect(own.filter(({ isPoisoned }) => !isPoisoned).length).toBeGreaterThan(300)
  const figures = measureScanner(own)
  const of = (corpus: string) => ratesOf(figures.filter((one) => one.corpus === corpus))
  expect(of('poisoned').flagged).toBeGreaterThan(0.95)
  expect(of('poisoned-formal').flagged).toBeGreaterThan(0.95)
  expect(of('poisoned-heldout').flagged).toBeGreaterThan(scannerAims.flagged)
  expect(of('poisoned-later').flagged).toBeGreaterThan(0.65)
  expect(of('poisoned-second').flagged).toBeGreaterThan(0.8)
  expect(of('poisoned-third').flagged).toBeGreaterThan(0.85)
  expect(of('benign-heldout').falseBlocks).toBeLessThan(0.02)
  expect(of('benign-heldout').falseWarnings).toBeLessThan(0.15)
  expect(of('benign-second').falseBlocks).toBeLessThan(0.02)
  expect(of('benign-second').falseWarnings).toBeLessThan(0.12)
  expect(of('benign-third').falseBlocks).toBeLessThan(0.02)
  expect(of('benign-third').falseWarnings).toBeLessThan(0.12)
  expect(of('benign')).toMatchObject({ falseBlocks: 0 })
  expect(of('benign').falseWarnings).toBeLessThan(scannerAims.falseWarnings)
})

test.skipIf(given.length === 0)('the given corpora, if they are present', () => {
  const { flagged, falseBlocks, falseWarnings } = ratesOf(measureScanner(given))
  expect(flagged).toBeGreaterThan(0.9)
  expect(falseBlocks).toBeLessThanOrEqual(scannerAims.falseBlocks)
  expect(falseWarnings).toBeLessThanOrEqual(scannerAims.falseWarnings)
})
