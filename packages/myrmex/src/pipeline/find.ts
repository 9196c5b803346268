/** find: the tool with this name and in the requested version range; or the error that says why there is none. Malformed metadata is one. */
import { invalidParams, type RpcError, ToolError, toolNotFound } from '../protocol/errors.ts'
import type { Params } from '../protocol/jsonrpc.ts'
import { MAX_NAME_LENGTH } from '../protocol/message-limits.ts'
import { META } from '../protocol/versions.ts'
import { contextError } from '../protocol/work-context.ts'
import type { Principal } from '../tool/context.ts'
import { type Registry, versionWithin } from '../tool/registry.ts'
import { shownVersion } from '../tool/server-version.ts'
import { type Tool, tool } from '../tool/tool.ts'
import { isNameHidden } from '../tool/upstream-listing.ts'
import { isInScope, isToolInScope } from './gates/authorise.ts'
import type { Profiles } from './rules/profiles.ts'

type ExplainMissing = ((name: string, principal: Principal) => string | undefined) | undefined

export function find(
  registry: Registry,
  name: string,
  meta: Params | undefined,
  principal: Principal,
  profiles: Profiles,
  explain?: ExplainMissing,
): Tool | RpcError {
  if (name.length > MAX_NAME_LENGTH) return toolNotFound(name.slice(0, RECORDED_NAME_LENGTH), [], TOO_LONG)
  const malformed = contextError(meta)
  if (malformed !== undefined) return malformed
  const range = meta?.[META.version]
  if (range === undefined) {
    const found = registry.find(name)
    if (found !== undefined && (principal.profile === undefined || profiles.covers(principal, found))) return found
    return unknown({ registry, principal, profiles }, name, explain)
  }
  if (typeof range !== 'string') return invalidParams(`_meta["${META.version}"] must be a string`)
  const within: Reach = { registry, principal, profiles }
  // What the profile of the caller does not cover does not exist for it: nothing in the answer depends on it.
  const known = registry.versions(name).filter((tool) => profiles.covers(principal, tool))
  if (known.length === 0) return unknown(within, name, explain)
  try {
    return versionWithin(known, range) ?? noneWithin(within, known, name, range) ?? unknown(within, name, explain)
  } catch (error) {
    if (error instanceof ToolError) return invalidParams(error.message)
    throw error
  }
}

const TOO_LONG = 'The name is too long.'

interface Reach {
  readonly registry: Registry
  readonly principal: Principal
  readonly profiles: Profiles
}

/** The error names only tools that the caller may call. */
function unknown({ registry, principal, profiles }: Reach, name: string, explain: ExplainMissing): RpcError {
  const near = registry.nearest(name, (candidate) => {
    const found = registry.find(candidate)
    if (!isInScope(principal, candidate)) return false
    return found === undefined
      ? principal.profile === undefined
      : !isNameHidden(found) && profiles.covers(principal, found)
  })
  return toolNotFound(name, near, explain?.(name, principal))
}

function noneWithin({ principal }: Reach, known: readonly Tool[], name: string, range: string): RpcError | undefined {
  const versions = known.filter((tool) => isToolInScope(principal, tool)).map(shownVersion)
  if (versions.length === 0) return undefined
  return invalidParams(`${name} has no version within ${range}; it has ${versions.join(', ')}`, {
    error_type: 'ToolNotFoundError',
    name,
    versions,
  })
}

/** Takes the place of a tool that was not found, so that its call is recorded like every other. */
const NOTHING = tool({
  name: 'myrmex.nothing',
  version: '0.0.0',
  description: 'Takes the place of a tool that does not exist.',
  input: { type: 'object' },
  output: { type: 'object' },
  errors: {},
  idempotent: true,
  destructive: false,
  security: 'It never runs.',
  examples: [],
  run: () => ({}),
})

const RECORDED_NAME_LENGTH = 200

export const missingTool = (name: string): Tool =>
  Object.freeze({ ...NOTHING, name: name.slice(0, RECORDED_NAME_LENGTH) })
