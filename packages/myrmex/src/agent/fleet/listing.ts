/** What a remote agent lists, made into tools of the fleet. Nobody vouches for it: what cannot be used is left out and told. */
import type { RemoteTool } from '../../client/connect.ts'
import { ToolError } from '../../protocol/errors.ts'
import { foreignBody } from '../../spec/foreign.ts'
import type { Tool } from '../../tool/tool.ts'
import { isVersion } from '../../tool/version.ts'
import { type FleetProblem, problem } from './problem.ts'
import { proxy } from './proxy.ts'
import type { Remote } from './remote.ts'
import { canonicalName, nameInFleet } from './remote-name.ts'

/** More than any agent has use for, and few enough to look at each. */
const MOST_TOOLS = 2000
/** characters of JSON */
const LONGEST_DEFINITION = 256 * 1024

export interface Offered {
  readonly tool: Tool
  /** the name that the remote knows it by */
  readonly listedAs: string
}

export interface Listing {
  /** by name in the fleet */
  readonly offered: ReadonlyMap<string, Offered>
  readonly problems: readonly FleetProblem[]
}

/** `version` is that of the server: most give their tools none. */
export function readListing(
  remote: Remote,
  tools: readonly RemoteTool[],
  version: string | undefined,
  timeoutMs: number | undefined,
): Listing {
  if (tools.length > MOST_TOOLS) {
    const why = `${remote.name} lists ${tools.length} tools; at most ${MOST_TOOLS} are taken from one agent, so none was`
    throw new ToolError('ValidationError', why)
  }
  const offered = new Map<string, Offered>()
  const problems: FleetProblem[] = []
  for (const listed of tools) {
    try {
      const tool = taken(remote, listed, version, timeoutMs)
      const other = offered.get(tool.name)
      if (other !== undefined) {
        const why = `It would be called ${tool.name} here, and so is ${JSON.stringify(other.listedAs)}; it is left out.`
        throw new ToolError('RegistrationError', why)
      }
      offered.set(tool.name, { tool, listedAs: listed.name })
    } catch (thrown) {
      problems.push(problem(remote.name, thrown, listed.name))
    }
  }
  return { offered, problems }
}

function taken(remote: Remote, listed: RemoteTool, version: string | undefined, timeoutMs: number | undefined): Tool {
  const { length } = JSON.stringify(listed)
  if (length > LONGEST_DEFINITION) {
    const why = `Its definition has ${length} characters; at most ${LONGEST_DEFINITION} are read.`
    throw new ToolError('RegistrationError', why)
  }
  const body = foreignBody(listed, version !== undefined && isVersion(version) ? version : '0.0.0')
  const name = nameInFleet(remote.name, listed)
  // Ours always says whether a tool is idempotent; of another's tool that only reads it is taken to be so.
  const idempotent = canonicalName(listed) === undefined ? body.idempotent : listed.annotations?.idempotentHint === true
  const tool = proxy({ remote, listed, body: { ...body, name, idempotent }, timeoutMs })
  // Schemas are compiled on first use. What a stranger sent is tried now: a call is too late to find out.
  tool.input.parse({})
  tool.output.parse({})
  return tool
}
