/** The operator's settings for a tool: the first pattern that matches its name applies. */
import type { ServerSettings, ToolSettings } from '../settings.ts'

const NOTHING: ToolSettings = Object.freeze({})

export function settingsForTool(tools: ServerSettings['tools'], name: string): ToolSettings {
  return tools.find(([pattern]) => fits(pattern, name))?.[1] ?? NOTHING
}

/** `*` matches any number of characters. No regular expression, because tool names come from untrusted servers. */
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
