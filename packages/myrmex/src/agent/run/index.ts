/** The public surface of runs: `import { Runs, ceo, startWorker } from 'myrmex/runs'`. Apart, so that servers do not load it. */
export { brainFrom } from '../brain/choose.ts'
export { type CeoOptions, ceo } from '../ceo.ts'
export type { Happening, RunEvent } from './events.ts'
export type { LeadOptions } from './lead.ts'
export type { Office } from './office.ts'
export type { Report } from './report.ts'
export { isOver, Runs, type StartRequest } from './runs.ts'
export { startWorker, type Worker, type WorkerOptions } from './worker.ts'
