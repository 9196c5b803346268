/** The `profiles` of myrmex.json: their schema, and what is made of them. */
import * as z from 'zod'
import { describedObject, toolPattern } from '../../pipeline/rules/operator-schema.ts'
import type { Profile } from '../../pipeline/rules/profiles.ts'
import { didYouMean } from '../../protocol/text.ts'
import { nearest } from '../../tool/nearest.ts'
import type { HostConfig } from './host-schema.ts'
import { serverName } from './server-name.ts'
import type { ConfigProblem } from './variables.ts'

/** It is part of URLs. */
const PROFILE_NAME = /^[a-z0-9][a-z0-9_-]{0,49}$/

/** `*` anywhere in the name of a tool. */
const TOOL_GLOB = /^[a-z0-9_*]+(\.[a-z0-9_*]+)+$/
const profilePattern = () =>
  z.union([toolPattern(), z.string().regex(TOOL_GLOB)], {
    error:
      'must be module.tool, module.*, a pattern such as github.get_* or *.search, resource:server, prompt:server.name or *, in canonical names',
  })

export const profilesSchema = () =>
  z.record(
    z.string().regex(PROFILE_NAME, { error: 'must be at most 50 lower case letters, digits, - and _' }),
    describedObject(
      {
        description: z.string().min(1).max(500).optional(),
        servers: z.array(z.string().min(1)).min(1).optional(),
        tools: z.array(profilePattern()).optional(),
        read_only: z.boolean().optional(),
        list: z.enum(['all', 'search']).optional(),
        always_list: z.array(profilePattern()).optional(),
      },
      {
        description: 'For people who choose a profile.',
        servers: 'Only what these servers offer: tools, resources, prompts.',
        tools:
          'Only these tools: github.get_issue, github.get_*, *.search. A pattern such as resource:files or prompt:files.* selects resources or prompts.',
        read_only: 'true: no tool that changes state.',
        list: 'all: every tool is listed. search: only a tool that finds tools and one that calls them. Default: as host.',
        always_list: 'With search: tools that are listed anyway.',
      },
    ).meta({ description: 'A tool set. Each field that is given narrows it.' }),
  )

/** The profiles of a configuration, and what is wrong with the servers that they name. */
export function resolveProfiles({ profiles = {}, mcpServers }: HostConfig): {
  readonly profiles: readonly Profile[]
  readonly problems: readonly ConfigProblem[]
} {
  const known = new Map(Object.entries(mcpServers).map(([written, entry]) => [serverName(written), entry] as const))
  const problems: ConfigProblem[] = []
  const checked = (profile: string, index: number, written: string): string => {
    const path = `/profiles/${profile}/servers/${index}`
    const name = serverName(written)
    const entry = known.get(name)
    if (entry === undefined) {
      const near = nearest(written, Object.keys(mcpServers))
      problems.push({
        path,
        message: `is ${JSON.stringify(written)}, which is no server of mcpServers.${didYouMean(near)}`,
      })
    } else if (entry.module !== undefined) {
      const hint =
        'is a module in this process, whose tools have names of their own. Name them in tools, such as shop.*'
      problems.push({ path, message: `is ${JSON.stringify(written)}, which ${hint}` })
    }
    return typeof name === 'string' ? name : written
  }
  return {
    problems,
    profiles: Object.entries(profiles).map(([name, given]) => ({
      name,
      description: given.description,
      servers: given.servers?.map((server, index) => checked(name, index, server)),
      tools: given.tools,
      readOnly: given.read_only ?? false,
      list: given.list,
      alwaysList: given.always_list,
    })),
  }
}
