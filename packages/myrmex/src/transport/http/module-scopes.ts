/** The scopes that cover everything a server has, one for each module: what a client is offered if the policy lists none. */
import { isSearchTool } from '../../pipeline/rules/profiles.ts'
import type { Server } from '../../server/server.ts'

const known = new WeakMap<Server, { readonly revision: string; readonly scopes: readonly string[] }>()

/** Names modules and no tools: they are shown to callers without a token. */
export function moduleScopes(server: Server): readonly string[] {
  const { registry, resources, prompts, agent, view } = server
  const hosted = [...(view.modules?.() ?? [])]
  const revision = `${registry.revision} ${resources.all().length} ${prompts.all().length} ${agent?.name} ${hosted}`
  const before = known.get(server)
  if (before?.revision === revision) return before.scopes
  const scopes = new Set(hosted.map((module) => `${module}.*`))
  for (const tool of registry) if (!isSearchTool(tool)) scopes.add(`${tool.module}.*`)
  for (const item of resources.all()) scopes.add(server.definitionOf(item).name.split(':', 2).join(':'))
  for (const item of prompts.all()) scopes.add(`${server.definitionOf(item).module}.*`)
  if (agent !== undefined) scopes.add(`agent:${agent.name}.*`)
  const found = { revision, scopes: [...scopes].sort() }
  known.set(server, found)
  return found.scopes
}
