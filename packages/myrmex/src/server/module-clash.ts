/** The errors of a module that cannot be served beside the others of its server. Each names the file, and what it has in common with another. */
import { ToolError } from '../protocol/errors.ts'
import type { Prompt } from '../tool/prompt.ts'
import type { Resource } from '../tool/resource.ts'
import type { ServedAgent } from '../tool/served-agent.ts'
import { definitionLocation, showLocation } from '../tool/source-location.ts'
import type { Tool } from '../tool/tool.ts'

/** `other` is the tool that is registered already. */
export function clashError(file: string, clash: Tool | Resource | Prompt, other: Tool | undefined): ToolError {
  const location = other && definitionLocation(other)
  const where = location === undefined ? '' : `: ${showLocation(location)}`
  const message = `${file}: ${clash.kind} ${clash.name} is already registered by another file${where}`
  return ToolError.of('RegistrationError', message)
}

export function sharedServerError(file: string, agents: readonly ServedAgent[]): ToolError {
  const names = agents.map(({ name }) => name).join(' and ')
  const why = 'because agent/plan and agent/critique belong to one agent. Serve each one separately.'
  return ToolError.of('RegistrationError', `${file}: ${names} cannot share a server, ${why}`)
}

export const takenMethodError = (file: string, agent: ServedAgent, method: string): ToolError =>
  ToolError.of('RegistrationError', `${file}: agent ${agent.name} answers ${method}, which this server already answers`)
