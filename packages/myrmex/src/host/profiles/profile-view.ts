/** What a profile sees: its tools, resources and prompts, as a client of it would list them without search. */
import { isReviewed } from '../../pipeline/gates/trust.ts'
import { inProfile, isSearchTool, type Profile } from '../../pipeline/rules/profiles.ts'
import type { Server } from '../../server/server.ts'
import { isVisibleTool, visibleItems } from '../../server/visible-items.ts'
import { LOCAL } from '../../tool/context.ts'

export function profileView(server: Server, profile: Profile) {
  const principal = inProfile(LOCAL, profile.name)
  // The host's own means to search show nothing else.
  const tools = server.registry
    .listed()
    .filter(({ tool }) => !isSearchTool(tool) && isVisibleTool(server, principal, tool))
  const resources = visibleItems(server, principal, server.resources.all())
  const prompts = visibleItems(server, principal, server.prompts.all())
  const { name, description, servers, readOnly, list } = profile
  return {
    name,
    description: description ?? null,
    path: `/mcp/p/${name}`,
    servers: servers === undefined ? null : [...servers],
    patterns: profile.tools === undefined ? null : [...profile.tools],
    read_only: readOnly,
    list: list ?? null,
    counts: {
      tools: tools.length,
      destructive: tools.filter(({ tool }) => tool.destructive).length,
      resources: resources.length,
      prompts: prompts.length,
    },
    tools: tools.map(({ tool }) => ({
      tool: tool.name,
      destructive: tool.destructive,
      reviewed: isReviewed(tool, server.ledger.trust),
    })),
    resources: resources.map((item) => item.uri ?? item.template?.text ?? ''),
    prompts: prompts.map((item) => item.name),
  }
}

export type ProfileView = ReturnType<typeof profileView>
