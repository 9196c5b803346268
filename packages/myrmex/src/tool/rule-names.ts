/** How the operator's files, scopes and lists name tools, resources and prompts. */
import { isSameResource } from './possible-resources.ts'

/** Whether a rule for this pattern holds for a tool. A rule may spell the URI of a resource in its own way. */
export const ruleCovers = (pattern: string, name: string): boolean =>
  matchesName(pattern, name) || isSameResource(pattern, name)

/**
 * `shop.refund` is that tool, `shop.*` all of a module and of what is below it, `*` everything. `resource:files` is every resource
 * of that server, and `prompt:*` every prompt.
 */
export function matchesName(pattern: string, name: string): boolean {
  if (pattern === '*' || pattern === name) return true
  if (pattern.endsWith('.*') || pattern.endsWith(':*')) return name.startsWith(pattern.slice(0, -1))
  return pattern.startsWith('resource:') && name.startsWith(`${pattern}:`)
}
