/** `npm test` uses the short form of long tests. `npm run test:long` sets MYRMEX_LONG=1 and uses the whole. */
import { test } from 'vitest'

export const LONG = process.env.MYRMEX_LONG === '1'

/** A test that `npm test` skips, because a shorter one beside it covers the same code. */
export const longTest = test.runIf(LONG)

/** How often a property is tried. `RUNS=5000` overrides both, to search for a night. */
export const propertyRuns = (short: number, long: number): number => Number(process.env.RUNS ?? (LONG ? long : short))
