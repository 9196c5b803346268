/**
 * Before each test file: properties try the same values in every run of `npm test`, so that none fails by chance. The long tests draw
 * new values. `SEED=…` repeats those of a failure.
 */
import fc from 'fast-check'
import { LONG } from '../long.ts'

const SEED = process.env.SEED ?? (LONG ? undefined : '15')
if (SEED !== undefined) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(SEED) })
