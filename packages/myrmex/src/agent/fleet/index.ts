/** The fleet's public surface: `import { openFleet } from 'myrmex/fleet'`. Apart, so that servers do not load the client. */
export { type AgentEntry, type FleetConfig, parseFleet } from './config.ts'
export { fleetJsonSchema } from './config-schema.ts'
export { type Fleet, type FleetAgent, type FleetOptions, type FleetProblem, openFleet } from './fleet.ts'
export type { ToolView } from './tool-view.ts'
