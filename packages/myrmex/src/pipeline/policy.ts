/**
 * The operator's policy: who may call, how often, and when a human is asked. Reading it is strict, since a typing mistake
 * that went unseen would be a door left open; judging a call by it is pure.
 */
import { ToolError } from '../protocol/errors.ts'
import { describe, type Issue } from '../protocol/issue.ts'
import { at, isObject, type JsonObject, pointer } from '../protocol/json.ts'
import { nearest } from '../tool/nearest.ts'
import type { Limit } from '../tool/tool.ts'
import { type Judge, judgeOf } from './condition.ts'
import { type Policy, policyJsonSchema, policySchema } from './policy-schema.ts'

export type { JwtPolicy, Policy, PolicyPrincipal } from './policy-schema.ts'

export const EMPTY_POLICY: Policy = Object.freeze({ approvals: [], limits: {}, principals: [] })

/** What may be a secret that was written into the wrong place is not shown again. */
const SECRETS: ReadonlySet<string> = new Set(['token_sha256', 'public_key', 'secret_env', 'keys'])
const MOST_SHOWN = 10

/** Throws ToolError ValidationError naming every place that is wrong; its details have them as `issues`. */
export function parsePolicy(value: unknown): Policy {
  const parsed = policySchema().safeParse(value)
  if (parsed.success) return parsed.data
  const issues = parsed.error.issues.flatMap((issue): Issue[] => {
    const { code, path } = issue
    if (code === 'unrecognized_keys') return issue.keys.map((key) => unknownKey([...path, key]))
    if (code === 'invalid_key') return [nameless(path, issue.issues[0]?.message ?? issue.message)]
    if (at(value, path) === undefined) return [nameless(path, 'is missing')]
    const described = describe(path, code, mended(issue.message), value, SECRETS)
    return [{ ...described, message: `is ${JSON.stringify(described.value)}: ${described.message}` }]
  })
  const words = issues.slice(0, MOST_SHOWN).map(({ path, message }) => `${path || 'the whole'} ${message}`)
  if (issues.length > MOST_SHOWN) words.push(`and ${issues.length - MOST_SHOWN} more`)
  throw new ToolError('ValidationError', `The policy is not valid. ${words.join('; ')}`, {
    issues: issues.map((issue) => ({ ...issue })),
  })
}

const nameless = (path: readonly PropertyKey[], message: string): Issue => ({
  path: pointer(path),
  constraint: message,
  message,
  value: null,
})

/** Its value is not shown: it may be anything, and a token is likely. */
function unknownKey(path: readonly PropertyKey[]): Issue {
  const given = String(path.at(-1))
  const known = knownKeys(path.slice(0, -1))
  const closest = known.find((key) => key.startsWith(given)) ?? nearest(given, known, 1)[0]
  return nameless(path, `is not known here. Did you mean ${closest}? Known are ${known.join(', ')}`)
}

/** What the JSON Schema has at a place in the file. */
function knownKeys(path: readonly PropertyKey[]): string[] {
  let node: unknown = policyJsonSchema()
  for (const step of path) {
    const { properties, items, additionalProperties } = node as JsonObject
    node = typeof step === 'number' ? items : (at(properties, [step]) ?? additionalProperties)
  }
  const { properties } = node as JsonObject
  return isObject(properties) ? Object.keys(properties) : []
}

/** Zod starts some of its sentences with a word of its own. */
const mended = (message: string): string => message.replace(/^(Invalid input|Invalid option|Too small|Too big): /, '')

interface Rule {
  readonly name: string
  readonly tools: readonly string[]
  readonly allows: boolean
  readonly conditions: readonly Judge[]
}
const compiled = new WeakMap<Policy, readonly Rule[]>()

function rulesOf(policy: Policy): readonly Rule[] {
  let rules = compiled.get(policy)
  if (rules === undefined) {
    rules = policy.approvals.map(({ name, tools, when = [], otherwise }) => ({
      name,
      tools,
      allows: otherwise === 'allow',
      conditions: when.map(judgeOf),
    }))
    compiled.set(policy, rules)
  }
  return rules
}

const concerns = ({ tools }: Rule, toolName: string): boolean => tools.some((pattern) => matchesName(pattern, toolName))

/** Does any approval rule concern this tool? */
export const appliesTo = (policy: Policy, toolName: string): boolean =>
  rulesOf(policy).some((rule) => concerns(rule, toolName))

/** undefined: no rule says anything about this call, and the tool's own nature decides. */
export function judgeCall(
  policy: Policy,
  toolName: string,
  args: unknown,
): { ask: true; rule: string } | { ask: false; rule: string } | undefined {
  let allowed: string | undefined
  for (const rule of rulesOf(policy)) {
    if (!concerns(rule, toolName)) continue
    if (rule.conditions.every((holds) => holds(args))) return { ask: true, rule: rule.name }
    if (rule.allows) allowed ??= rule.name
  }
  return allowed === undefined ? undefined : { ask: false, rule: allowed }
}

/** The limits that hold for a tool. Of several patterns the most exact one counts: the name itself, then the longest. */
export function bucketsFor(policy: Policy, toolName: string): { tool?: Limit; principal?: Limit; all?: Limit } {
  const { all, principal, tools = {} } = policy.limits
  const [pattern] = Object.keys(tools)
    .filter((candidate) => matchesName(candidate, toolName))
    .sort((a, b) => Number(b === toolName) - Number(a === toolName) || b.length - a.length)
  const tool = pattern === undefined ? undefined : tools[pattern]
  return { ...(tool && { tool }), ...(principal && { principal }), ...(all && { all }) }
}

/** `shop.refund` is that tool, `shop.*` all of a module and of what is below it, `*` everything. */
export function matchesName(pattern: string, toolName: string): boolean {
  if (pattern === '*' || pattern === toolName) return true
  return pattern.endsWith('.*') && toolName.startsWith(pattern.slice(0, -1))
}
