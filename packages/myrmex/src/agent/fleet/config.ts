/** Reads the value of a fleet file. Strictly: an agent that a typing mistake keeps away is hard to miss. */
import { parseStrictly } from '../../pipeline/rules/operator-file.ts'
import { type FleetConfig, fleetJsonSchema, fleetSchema } from './config-schema.ts'

export type { AgentEntry, FleetConfig } from './config-schema.ts'

/** Where a token or a password may stand, on purpose or by mistake: what is there is not shown again. */
const SECRETS: ReadonlySet<string> = new Set(['env', 'headers', 'token_env', 'url', 'args'])

/** Throws ToolError ValidationError naming every place that is wrong; its details have them as `issues`. */
export const parseFleet = (value: unknown): FleetConfig =>
  parseStrictly(value, { name: 'fleet', schema: fleetSchema(), jsonSchema: fleetJsonSchema, secrets: SECRETS })
