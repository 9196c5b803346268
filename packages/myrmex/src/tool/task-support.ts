/** Which tools can run as tasks, as `tools/list` of the legacy era says it in `execution.taskSupport`. */
import { isObject } from '../protocol/json.ts'
import type { Tool } from './tool.ts'
import { upstreamListing } from './upstream-listing.ts'

export type TaskSupport = 'optional' | 'required'

type Supported = Pick<Tool, 'task'>

/** What a server of the legacy era says about its tool. */
export function listedTaskSupport({ execution }: Readonly<Record<string, unknown>>): TaskSupport | undefined {
  const said = isObject(execution) ? execution.taskSupport : undefined
  return said === 'optional' || said === 'required' ? said : undefined
}

/** Undefined: it never runs as a task. */
export function taskSupport(tool: Supported): TaskSupport | undefined {
  if (tool.task !== false) return tool.task === 'required' ? 'required' : 'optional'
  return listedTaskSupport(upstreamListing(tool) ?? {})
}

/** It is a task once it says so, and not from its start. */
export const isTaskLater = (tool: Supported): boolean => tool.task === 'later' || tool.task === false
