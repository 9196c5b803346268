/** What a remote agent lists, made into tools of the fleet. Nobody vouches for it: what cannot be used is left out and told. */
import type { RemoteTool } from '../../client/connect.ts'
import { foreignBody } from '../../client/foreign.ts'
import { ToolError } from '../../protocol/errors.ts'
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
  /** all that the remote said of it */
  readonly said: string
}

export interface Listing {
  /** by name in the fleet */
  readonly offered: ReadonlyMap<string, Offered>
  readonly problems: readonly FleetProblem[]
}

export interface ListingOptions {
  /** that of the server: most give their tools none */
  readonly version: string | undefined
  readonly timeoutMs: number | undefined
  /** what it offered before: of a tool that is as it was, nothing is made or compiled again */
  readonly before: ReadonlyMap<string, Offered>
}

export function readListing(remote: Remote, tools: readonly RemoteTool[], options: ListingOptions): Listing {
  if (tools.length > MOST_TOOLS) {
    const why = `${remote.name} lists ${tools.length} tools; at most ${MOST_TOOLS} are taken from one agent, so none was`
    throw new ToolError('ValidationError', why)
  }
  const offered = new Map<string, Offered>()
  const problems: FleetProblem[] = []
  for (const listed of tools) {
    try {
      const name = nameInFleet(remote.name, listed)
      const other = offered.get(name)
      if (other !== undefined) {
        const why = `It would be called ${name} here, and so is ${JSON.stringify(other.listedAs)}; it is left out.`
        throw new ToolError('RegistrationError', why)
      }
      offered.set(name, taken(remote, listed, name, options))
    } catch (thrown) {
      problems.push(problem(remote.name, thrown, listed.name))
    }
  }
  return { offered, problems }
}

function taken(remote: Remote, listed: RemoteTool, name: string, options: ListingOptions): Offered {
  const { timeoutMs, before } = options
  const version = options.version !== undefined && isVersion(options.version) ? options.version : '0.0.0'
  const said = JSON.stringify([version, listed])
  const known = before.get(name)
  if (known?.said === said) return known
  if (said.length > LONGEST_DEFINITION) {
    const why = `Its definition has ${said.length} characters; at most ${LONGEST_DEFINITION} are read.`
    throw new ToolError('RegistrationError', why)
  }
  const body = foreignBody(listed, version)
  // Ours always says whether a tool is idempotent; of another's tool that only reads it is taken to be so.
  const idempotent = canonicalName(listed) === undefined ? body.idempotent : listed.annotations?.idempotentHint === true
  const tool = proxy({ remote, listed, body: { ...body, name, idempotent }, timeoutMs })
  // Schemas are compiled on first use. What a stranger sent is tried now: a call is too late to find out.
  tool.input.parse({})
  tool.output.parse({})
  return { tool, listedAs: listed.name, said }
}
