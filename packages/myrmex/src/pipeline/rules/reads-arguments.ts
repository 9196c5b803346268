/**
 * Whether a rule of the operator, or a cost, depends on the arguments of a tool. Such arguments must fit the schema: a server may read
 * "1e6" as a number, and a rule does not.
 */
import { hasCost } from '../../protocol/cost.ts'
import type { Tool } from '../../tool/tool.ts'
import { articlesFor, type Constitution } from './constitution.ts'
import { hasConditions, type Policy } from './policy.ts'

export const readsArguments = (tool: Tool, policy: Policy, constitution: Constitution): boolean =>
  hasConditions(policy, tool) || articlesFor(constitution, tool).length > 0 || hasCost(tool.input.json)
