/** Scopes as OAuth has them, compared with those of a user, and in words for the page on which the user agrees. */
import { matchesName } from '../../pipeline/rules/policy.ts'
import type { Server } from '../../server/server.ts'
import { isVisibleTool } from '../../server/visible-items.ts'
import type { Principal } from '../../tool/context.ts'

/** A scope in a request: a pattern of tools, or something that covers no tool. */
const WELL_FORMED = /^(?:\*|[a-z][\w.:-]*\*?|(?:resource|prompt|agent|method):\S{1,200})$/
const MAX_SCOPES = 200

const wordsOf = (text: unknown): string[] => (typeof text === 'string' ? [...new Set(text.split(' '))] : [])

/** OpenID scopes: they cover no tool. */
const OPENID: ReadonlySet<string> = new Set(['openid', 'offline_access'])

export const openidScopesIn = (text: unknown): string[] => wordsOf(text).filter((one) => OPENID.has(one))

/** The scopes that can cover a tool. */
export const scopesIn = (text: unknown): string[] =>
  wordsOf(text)
    .filter((one) => WELL_FORMED.test(one) && !OPENID.has(one))
    .slice(0, MAX_SCOPES)

/** Whether one scope covers everything that the other covers. */
const covers = (wide: string, narrow: string): boolean => wide === narrow || matchesName(wide, narrow)

/** What both allow: of two scopes of which one covers the other, the narrower. */
export function commonScopes(requested: readonly string[], allowed: readonly string[]): string[] {
  const common = requested.flatMap((one) =>
    allowed.flatMap((other) => (covers(other, one) ? [one] : covers(one, other) ? [other] : [])),
  )
  return [...new Set(common)]
}

export interface ScopeText {
  readonly scope: string
  readonly words: string
  /** names of tools that it covers and that the user sees */
  readonly tools: readonly string[]
}

export function scopeTexts(server: Server, principal: Principal, scopes: readonly string[]): ScopeText[] {
  const tools = [...server.registry].filter((tool) => isVisibleTool(server, principal, tool)).map(({ name }) => name)
  return scopes.map((scope) => ({
    scope,
    words: scopeWords(scope),
    tools: tools.filter((name) => matchesName(scope, name)).sort(),
  }))
}

function scopeWords(scope: string): string {
  if (scope === '*') return 'Use everything that you may use here'
  const [kind = '', rest = ''] = scope.includes(':')
    ? [scope.slice(0, scope.indexOf(':')), scope.slice(scope.indexOf(':') + 1)]
    : []
  const name = rest.replace(/\.?\*$/, '')
  if (kind === 'resource') return name === '' ? 'Read all resources' : `Read resources of ${name}`
  if (kind === 'prompt') return name === '' ? 'Use all prompts' : `Use prompts of ${name}`
  if (kind === 'agent') return name === '' ? 'Ask every agent' : `Ask the agent ${name}`
  if (kind === 'method') return `Use the method ${rest}`
  return scope.endsWith('.*') ? `Use the tools of ${scope.slice(0, -2)}` : `Use the tool ${scope}`
}
