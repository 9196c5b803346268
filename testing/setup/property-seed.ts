/**
 * Before each test file: properties try the same values in every run of `npm test` and in CI, so that no change is refused for what it
 * did not touch. The long tests draw new values elsewhere. `SEED=…` repeats those of a failure.
 */
import fc from 'fast-check'
import { LONG } from '../long.ts'

const SEED = process.env.SEED ?? (LONG && process.env.CI === undefined ? undefined : '15')
if (SEED !== undefined) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(SEED) })
