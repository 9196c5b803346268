/** Helpers for English text: `import { stem } from 'myrmex/english'`. Pure functions without I/O. */
export { monthNumber, namedMonthIn, timeBackIn, writtenRange } from './dates.ts'
export { type Language, languageOf } from './language.ts'
export { singular, stem } from './stem.ts'
