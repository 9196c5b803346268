/**
 * Runs and what they are made of: `import { withRuns } from 'myrmex/runs'`. A separate entry, so that servers do not load planner,
 * critic and fleet.
 */
export { brainFrom } from '../brain/choose.ts'
export { type CeoOptions, ceo, trustCeo } from '../ceo.ts'
export { critiqueByRules } from '../critic/critique.ts'
export { checkPlan, type PlanCheck, type Problem } from '../plan/check.ts'
export { planByRules } from '../planner/planner.ts'
export { type PlanHint, type Playbook, type PlaybookDefinition, playbook } from '../playbook.ts'
export { type RunEnvironment, type RunEnvironmentOptions, withRuns } from './environment.ts'
export type { ExecuteOptions } from './execute-run.ts'
export { eventOf, type LiveEvent, type RunEvent } from './journal/events.ts'
export type { Report } from './journal/report.ts'
export { isOver, Runs, type StartRequest } from './runs.ts'
export { runWorker, type Worker, type WorkerOptions } from './worker.ts'
