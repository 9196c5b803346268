/**
 * Profiles: named tool sets of the operator. A caller with a profile sees and reaches only what the profile covers. A profile narrows what
 * scopes allow and never adds to it. A name that stands for no profile covers nothing, so removing a profile closes it for its callers.
 */
import { getOrMake } from '../../protocol/get-or-make.ts'
import type { Principal } from '../../tool/context.ts'
import { fitsPattern } from '../../tool/name-pattern.ts'
import { pageTools } from '../../tool/page-tools.ts'
import { kindOfName } from '../../tool/request-definition.ts'
import type { Tool } from '../../tool/tool.ts'
import { coversTool, patternCoversTool } from '../../tool/tool-aliases.ts'

/** Every field that is given narrows the set. */
export interface Profile {
  readonly name: string
  readonly description?: string | undefined
  /** only what these servers offer: tools, resources, prompts */
  readonly servers?: readonly string[] | undefined
  /** only tools of these names and patterns, with * anywhere in them; `resource:` and `prompt:` patterns select resources and prompts */
  readonly tools?: readonly string[] | undefined
  /** no tool that changes state */
  readonly readOnly: boolean
  /** how its tools are listed; default: as the host lists them */
  readonly list?: 'all' | 'search' | undefined
  /** listed in any case, with `list: search` */
  readonly alwaysList?: readonly string[] | undefined
}

/** The part of a definition that decides whether a profile covers it. */
export type CoveredDefinition = Pick<Tool, 'name' | 'destructive' | 'origin'>

const SEARCH_TOOLS: ReadonlySet<string> = new Set(['myrmex.search_tools', 'myrmex.call_tool'])

/** Tools of the host that show or reach nothing else than what the caller can reach anyway: they need no scope and are in every profile. */
export const isSearchTool = ({ name, origin }: Pick<Tool, 'name' | 'origin'>): boolean =>
  origin === 'own' && SEARCH_TOOLS.has(name)

export function isInProfile(profile: Profile, covered: CoveredDefinition): boolean {
  const { name, destructive } = covered
  if (isSearchTool(covered)) return true
  if (profile.readOnly && destructive) return false
  const { servers, tools } = profile
  if (servers !== undefined && !servers.some((server) => isOf(server, name))) return false
  if (pageTools(covered)?.some((tool) => isInProfile(profile, tool)) === true) return true
  const kind = kindOfName(name)
  const patterns = tools?.filter((pattern) => pattern === '*' || kindOfName(pattern) === kind) ?? []
  if (kind === 'tool' || patterns.length > 0)
    return tools === undefined || patterns.some((pattern) => profileCovers(pattern, covered))
  // A method of the program's own may do anything.
  if (kind === 'method' && profile.readOnly) return false
  return servers !== undefined || tools === undefined
}

/** Like a scope, and `*` may also be anywhere in the name of a tool: `github.get_*`, `*.search`. */
export const profileCovers = (pattern: string, covered: Pick<Tool, 'name'>): boolean =>
  coversTool(pattern, covered) || (kindOfName(pattern) === 'tool' && patternCoversTool(pattern, covered))

/** Whether a definition is of this server. */
const isOf = (server: string, name: string): boolean =>
  name.startsWith(`${server}.`) ||
  name.startsWith(`resource:${server}:`) ||
  name.startsWith(`prompt:${server}.`) ||
  name.startsWith(`agent:${server}.`)

/** Whether a profile may cover anything of this server. */
export function reachesServer({ servers, tools }: Profile, server: string): boolean {
  if (servers !== undefined) return servers.includes(server)
  if (tools === undefined) return true
  return tools.some(
    (pattern) => pattern === '*' || pattern.endsWith(':*') || isOf(server, `${pattern}:`) || mayBeOf(server, pattern),
  )
}

/** Whether a pattern with a * in its first part fits the name of a server. */
const mayBeOf = (server: string, pattern: string): boolean => {
  const [module = ''] = pattern.split('.')
  return kindOfName(pattern) === 'tool' && module.includes('*') && fitsPattern(module, server)
}

interface ActiveProfile {
  readonly profile: Profile
  /** a definition is frozen, so each is checked once */
  readonly known: WeakMap<Tool, boolean>
}

/** The profiles of a server. They are replaced as a whole. */
export class Profiles {
  #active: ReadonlyMap<string, ActiveProfile> = new Map()
  readonly #listeners = new Set<() => void>()
  /** changes whenever the profiles do */
  revision = 0

  constructor(profiles: readonly Profile[] = []) {
    this.#set(profiles)
  }

  all(): readonly Profile[] {
    return [...this.#active.values()].map(({ profile }) => profile)
  }

  names(): string[] {
    return [...this.#active.keys()]
  }

  get(name: string): Profile | undefined {
    return this.#active.get(name)?.profile
  }

  replace(profiles: readonly Profile[]): void {
    this.#set(profiles)
    this.revision++
    for (const listener of this.#listeners) listener()
  }

  #set(profiles: readonly Profile[]): void {
    this.#active = new Map(profiles.map((profile) => [profile.name, { profile, known: new WeakMap() }]))
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Whether the profile of this caller covers a definition; true for a caller without one. */
  covers({ profile }: Principal, tool: Tool): boolean {
    if (profile === undefined) return true
    const active = this.#active.get(profile)
    if (active === undefined) return false
    // The tools of a page can change while its definition does not.
    if (pageTools(tool) !== undefined) return isInProfile(active.profile, tool)
    return getOrMake(active.known, tool, (one) => isInProfile(active.profile, one))
  }

  /** Whether the profile of this caller may cover anything of a server. */
  reaches({ profile }: Principal, server: string): boolean {
    if (profile === undefined) return true
    const active = this.#active.get(profile)
    return active !== undefined && reachesServer(active.profile, server)
  }

  isReadOnly({ profile }: Principal): boolean {
    return profile !== undefined && this.#active.get(profile)?.profile.readOnly === true
  }
}

const bound = new WeakMap<Principal, Map<string, Principal>>()
const unbound = new WeakMap<Principal, Principal>()

/** The same caller in a profile. The same object every time, because much is remembered by caller. */
export function inProfile(principal: Principal, profile: string): Principal {
  if (principal.profile === profile) return principal
  const known = getOrMake(bound, principal, () => new Map<string, Principal>())
  return getOrMake(known, profile, () => {
    const within = Object.freeze({ ...principal, profile })
    unbound.set(within, principal)
    return within
  })
}

/** The caller as it signed in. */
export const signedIn = (principal: Principal): Principal => unbound.get(principal) ?? principal
