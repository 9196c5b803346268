/** What the operator says of a tool: of the patterns that fit its name the first. */
import type { ServerSettings, ToolSettings } from '../settings.ts'

const NOTHING: ToolSettings = Object.freeze({})

export function settingsForTool(tools: ServerSettings['tools'], name: string): ToolSettings {
  return tools.find(([pattern]) => fits(pattern, name))?.[1] ?? NOTHING
}

/** `*` stands for any number of characters. Without a regular expression: what a stranger calls a tool must not be slow to compare. */
function fits(pattern: string, name: string): boolean {
  const [first = '', ...parts] = pattern.split('*')
  if (parts.length === 0) return pattern === name
  const last = parts.pop() ?? ''
  if (!name.startsWith(first)) return false
  let at = first.length
  for (const part of parts) {
    const found = name.indexOf(part, at)
    if (found === -1) return false
    at = found + part.length
  }
  return name.length - last.length >= at && name.endsWith(last)
}
