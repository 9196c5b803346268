/** find: the tool of a name, and of the version the caller asks for. A call that finds none is recorded too. */
import { invalidParams, ToolError, toolNotFound } from '../protocol/errors.ts'
import type { Params } from '../protocol/jsonrpc.ts'
import { META } from '../protocol/versions.ts'
import type { Tool } from '../tool/tool.ts'
import type { Caller } from './caller.ts'
import { nextCallId } from './id.ts'
import type { Pipeline } from './pipeline.ts'

export function find(pipeline: Pipeline, caller: Caller, name: string, meta: Params | undefined): Tool {
  const { registry } = pipeline
  const range = meta?.[META.version]
  if (range !== undefined && typeof range !== 'string') throw invalidParams(`_meta["${META.version}"] must be a string`)
  let tool: Tool | undefined
  try {
    tool = registry.find(name, range)
  } catch (error) {
    throw error instanceof ToolError ? invalidParams(error.message) : error
  }
  if (tool !== undefined) return tool
  pipeline.recorder.record({
    call_id: nextCallId(),
    time: Date.now(),
    principal: caller.principal.id,
    transport: caller.transport,
    tool: name.slice(0, 200),
    version: null,
    outcome: 'failure',
    error_type: 'ToolNotFoundError',
    duration_ms: 0,
    run: null,
    step: null,
  })
  if (range !== undefined && registry.find(name) !== undefined) {
    const versions = registry.versions(name).map(({ version }) => version)
    throw invalidParams(`${name} has no version within ${range}; it has ${versions.join(', ')}`, {
      error_type: 'ToolNotFoundError',
      name,
      versions,
    })
  }
  throw toolNotFound(name, registry.nearest(name))
}
