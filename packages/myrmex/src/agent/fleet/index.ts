/** Fleets: `import { openFleet } from 'myrmex/fleet'`. A separate entry, so that servers do not load the client. */
export { type AgentEntry, type FleetConfig, fleetJsonSchema, parseFleet } from './config.ts'
export { type Fleet, type FleetAgent, type FleetOptions, type FleetProblem, openFleet } from './fleet.ts'
export type { ToolView } from './tool-view.ts'
