/**
 * The operator's policy: who may call, how often, and when approval is needed. It is parsed strictly, because an unnoticed typo
 * would disable a rule. Evaluating a call is pure.
 */
import { getOrMake } from '../../protocol/get-or-make.ts'
import { couldMean } from '../../tool/possible-resources.ts'
import type { Limit, Tool } from '../../tool/tool.ts'
import { isNamed, ruleCoversTool } from '../../tool/tool-aliases.ts'
import { type ArgumentTest, compileCondition } from './condition.ts'
import { parseStrictly } from './operator-file.ts'
import { type Policy, policyJsonSchema, policySchema } from './policy-schema.ts'

export { matchesName } from '../../tool/rule-names.ts'
export type { JwtPolicy, Policy, PolicyPrincipal } from './policy-schema.ts'

export const EMPTY_POLICY: Policy = Object.freeze({ approvals: [], limits: {}, principals: [] })

/** Values of these fields may be secrets and are not shown in errors. */
const SECRETS: ReadonlySet<string> = new Set(['token_sha256', 'public_key', 'secret_env', 'keys'])

/** Throws a ValidationError that names every wrong location; its details have them as `issues`. */
export const parsePolicy = (value: unknown): Policy =>
  parseStrictly(value, { name: 'policy', schema: policySchema(), jsonSchema: policyJsonSchema, secrets: SECRETS })

interface Rule {
  readonly name: string
  readonly tools: readonly string[]
  readonly allows: boolean
  readonly conditions: readonly ArgumentTest[]
}
const compiled = new WeakMap<Policy, readonly Rule[]>()

const rulesOf = (policy: Policy): readonly Rule[] => getOrMake(compiled, policy, compileRules)

const compileRules = ({ approvals }: Policy): readonly Rule[] =>
  approvals.map(({ name, tools, when = [], otherwise }) => ({
    name,
    tools,
    allows: otherwise === 'allow',
    conditions: when.map(compileCondition),
  }))

/** What rules know of a tool. */
type Named = Pick<Tool, 'name'>

const concerns = ({ tools }: Rule, tool: Named): boolean => tools.some((pattern) => ruleCoversTool(pattern, tool))

/** Whether a call of the tool could reach what a pattern names, under another name; see tool/possible-resources.ts. */
export type CouldMean = (pattern: string) => boolean
const never: CouldMean = () => false

/** Does any approval rule concern this tool? */
export const hasApprovalRule = (policy: Policy, tool: Named, isPossible: CouldMean = never): boolean =>
  rulesOf(policy).some((rule) => concerns(rule, tool) || rule.tools.some(isPossible))

/** Does a rule look at the arguments of this tool? */
export const hasConditions = (policy: Policy, tool: Tool): boolean =>
  rulesOf(policy).some(
    (rule) =>
      rule.conditions.length > 0 && (concerns(rule, tool) || rule.tools.some((pattern) => couldMean(tool, pattern))),
  )

/** undefined: no rule says anything about this call, and the tool's own nature decides. */
export function evaluatePolicy(
  policy: Policy,
  tool: Named,
  args: unknown,
  isPossible: CouldMean = never,
): { ask: true; rule: string } | { ask: false; rule: string } | undefined {
  let allowed: string | undefined
  for (const rule of rulesOf(policy)) {
    if (!concerns(rule, tool)) {
      // Its conditions may be about the URI, which is spelled differently here.
      if (rule.tools.some(isPossible)) return { ask: true, rule: rule.name }
      continue
    }
    if (rule.conditions.every((holds) => holds(args))) return { ask: true, rule: rule.name }
    if (rule.allows) allowed ??= rule.name
  }
  return allowed === undefined ? undefined : { ask: false, rule: allowed }
}

/** Judges the arguments as sent and as parsed, because the tool gets the parsed ones. Both must be allowed. */
export function policyVerdict(policy: Policy, { tool, args, input }: JudgedCall): ReturnType<typeof evaluatePolicy> {
  const sent = evaluatePolicy(policy, tool, args ?? {}, (pattern) => couldMean(tool, pattern))
  if (sent?.ask || input === args) return sent
  const parsed = evaluatePolicy(policy, tool, input)
  return parsed === undefined || parsed.ask ? parsed : sent
}

interface JudgedCall {
  readonly tool: Tool
  readonly args: unknown
  readonly input: unknown
}

export interface ToolLimits {
  readonly tool?: Limit
  readonly principal?: Limit
  readonly all?: Limit
  /** limits of what a call could reach under another name, by pattern */
  readonly possible?: readonly (readonly [pattern: string, limit: Limit])[]
}

/** The limits that hold for a tool. Of several patterns the most exact one counts: the name itself, then the longest. */
export function limitsFor(policy: Policy, tool: Named, isPossible: CouldMean = never): ToolLimits {
  const { all, principal, tools = {} } = policy.limits
  const [pattern] = Object.keys(tools)
    .filter((candidate) => ruleCoversTool(candidate, tool))
    .sort((a, b) => Number(isNamed([b], tool)) - Number(isNamed([a], tool)) || b.length - a.length)
  const own = pattern === undefined ? undefined : tools[pattern]
  const possible = Object.entries(tools).filter(([name]) => !ruleCoversTool(name, tool) && isPossible(name))
  return {
    ...(own && { tool: own }),
    ...(principal && { principal }),
    ...(all && { all }),
    ...(possible.length > 0 && { possible }),
  }
}
