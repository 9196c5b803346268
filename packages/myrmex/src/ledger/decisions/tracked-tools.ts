/** What the ledger knows about tools: each version as last seen, the decision about it, and what changed since. */

import { ToolError } from '../../protocol/errors.ts'
import { didYouMean, fit } from '../../protocol/text.ts'
import { differenceTexts } from '../../tool/difference/tool-differences.ts'
import { type ChangeGrade, cachedGrade, GradeBudget, type GradedChange } from '../../tool/grade/grade-change.ts'
import { bareName, flatName } from '../../tool/name.ts'
import { nearest } from '../../tool/nearest.ts'
import { coercedVersion } from '../../tool/server-version.ts'
import { withoutStutter } from '../../tool/stutter.ts'
import { escapeHidden } from '../../tool/text/hidden-characters.ts'
import type { Tool } from '../../tool/tool.ts'
import type { VerifyFinding } from '../../tool/verify/finding.ts'
import type { ScanContext } from '../../tool/verify/scan/context.ts'
import { type ToolBody, verifyBody, verifyTool } from '../../tool/verify/verify-tool.ts'
import { compareVersions, highestWithin } from '../../tool/version.ts'
import type { Ledger } from '../ledger.ts'
import type { AcceptedChange } from './accepted-changes.ts'
import { serverOfDefinition as serverOf } from './definition-server.ts'
import type { Grant } from './grants.ts'
import { withPageChanges } from './page-changes.ts'
import { type DefinitionRow, isUndecided, type TrustLevel, type TrustRow } from './trust-row.ts'

export interface TrackedTool {
  readonly tool: string
  readonly version: string
  /** as it was last seen */
  readonly definition: DefinitionRow
  readonly body: ToolBody
  /** in force for that definition */
  readonly level: TrustLevel
  readonly decision: TrustRow | undefined
  /** the definition is not the one that was decided about, and the host has not accepted it in its place */
  readonly changed: boolean
  /** how it differs from the decided one, in words, where both are known */
  readonly changes: readonly string[]
  /** what that difference means */
  readonly graded?: GradedChange
  /** when the host accepted the difference without a person */
  readonly acceptedAt?: number
  /** If this version is undecided and another one is decided: which, and what is different. */
  readonly other?: { readonly version: string; readonly level: TrustLevel; readonly changes: readonly string[] }
  /** neither revoked nor expired; of earlier definitions too */
  readonly grants: readonly Grant[]
  /** the decision would raise the level, and does not count because the operator has not signed it */
  readonly isUnsigned: boolean
  /** grants that do not count for the same reason */
  readonly unsignedGrants: readonly Grant[]
  /** when its server was first seen to list it no longer; undefined: it is listed */
  readonly goneAt: number | undefined
}

/** What people decide about. A tool that its server no longer lists is found only by its name, and keeps its decisions. */
export const listedTools = (seen: readonly TrackedTool[]): TrackedTool[] =>
  seen.filter(({ goneAt }) => goneAt === undefined)

/** The version for people: that of its server, if it has none of its own. */
export const trackedVersion = ({ definition, version }: Pick<TrackedTool, 'definition' | 'version'>): string =>
  definition.server_version === null ? version : coercedVersion(definition.server_version)

export const grantCovers = (grant: Grant, { definition, decision, acceptedAt }: TrackedTool): boolean =>
  grant.hash === definition.hash || (acceptedAt !== undefined && grant.hash === decision?.hash)

/** By name, highest version first; of one tool, or of all. */
export async function trackedTools(ledger: Ledger, tool?: string): Promise<TrackedTool[]> {
  await ledger.trust.refresh()
  const definitions = await ledger.trust.definitions(tool)
  const decisions = new Map((await ledger.trust.decisions()).map((row) => [key(row), row]))
  const now = Date.now()
  const grants = (await ledger.grants.list(tool)).filter(
    ({ revoked_at, expires_at }) => revoked_at === null && (expires_at === null || expires_at > now),
  )
  const granted = Map.groupBy(
    grants.filter((grant) => ledger.grants.isSigned(grant)),
    key,
  )
  const unsigned = Map.groupBy(
    grants.filter((grant) => !ledger.grants.isSigned(grant)),
    key,
  )
  const accepted = Map.groupBy(await ledger.acceptedChanges.list(tool), key)
  const budget = new GradeBudget()
  const known = Map.groupBy(definitions, key)
  const seen = [...known]
    .map(([name, [definition, ...earlier]]): TrackedTool => {
      // The newest definition of a version comes first, and no group is empty.
      const newest = definition as DefinitionRow
      const decision = decisions.get(name)
      const body = JSON.parse(newest.body) as ToolBody
      const seen = {
        tool: newest.tool,
        version: newest.version,
        definition: newest,
        body,
        level: ledger.trust.levelOf(asTool(newest)),
        decision,
        changed: false,
        changes: [],
        grants: granted.get(name) ?? [],
        isUnsigned: decision !== undefined && !ledger.trust.isSigned(decision),
        unsignedGrants: unsigned.get(name) ?? [],
        // Hosts that share a ledger may list different definitions of it.
        goneAt: earlier.some(({ gone_at }) => gone_at === null) ? undefined : (newest.gone_at ?? undefined),
      }
      if (decision === undefined || decision.hash === newest.hash) return seen
      const before = earlier.find(({ hash }) => hash === decision.hash)
      if (before === undefined) return { ...seen, changed: true }
      return { ...seen, ...difference(before, seen, accepted.get(name) ?? [], budget) }
    })
    .sort((a, b) => (a.tool === b.tool ? compareVersions(a.version, b.version) : a.tool < b.tool ? -1 : 1))
  const decided = Map.groupBy(
    seen.filter(({ level }) => level !== 'untrusted'),
    ({ tool: name }) => name,
  )
  const shown = seen.map((one) => withDecidedVersion(one, decided.get(one.tool) ?? []))
  return Promise.all(shown.map((one) => withPages(ledger, one, definitions)))
}

/** Of a changed page of an app people read the text, not the hash. */
async function withPages(
  ledger: Ledger,
  seen: TrackedTool,
  definitions: readonly DefinitionRow[],
): Promise<TrackedTool> {
  const { tool, decision, changed, changes, body } = seen
  if (!changed || !tool.startsWith('resource:')) return seen
  const before = definitions.find((one) => one.tool === tool && one.hash === decision?.hash)
  if (before === undefined) return seen
  const bodies = [JSON.parse(before.body) as ToolBody, body] as const
  return { ...seen, changes: await withPageChanges(ledger.pages, tool, changes, bodies) }
}

/** A row that says that a change was accepted counts only if the change is what the row says, and the host can accept such a one. */
function difference(
  before: DefinitionRow,
  { definition, body, level, decision, isUnsigned }: TrackedTool,
  accepted: readonly AcceptedChange[],
  budget: GradeBudget,
): Pick<TrackedTool, 'level' | 'changed' | 'changes' | 'graded' | 'acceptedAt'> {
  const decided = { hash: before.hash, body: JSON.parse(before.body) as ToolBody }
  const graded = cachedGrade(decided, { hash: definition.hash, body }, budget)
  const changes = differenceTexts(decided.body, body)
  const row = accepted.find(({ hash, decided: to }) => hash === definition.hash && to === before.hash)
  const isAccepted = row?.grade === graded.grade && ACCEPTABLE.has(graded.grade)
  if (row === undefined || !isAccepted || decision === undefined || isUnsigned)
    return { level, changed: true, changes, graded }
  return { level: decision.level, changed: false, changes, graded, acceptedAt: row.accepted_at }
}

const ACCEPTABLE: ReadonlySet<ChangeGrade> = new Set(['harmless', 'wider'])

/** A new version is a changed tool: the person who decides must see what is different. */
function withDecidedVersion(seen: TrackedTool, [other]: readonly TrackedTool[]): TrackedTool {
  const isUnknown = seen.decision === undefined || isUndecided(seen.decision)
  if (other === undefined || seen.definition.origin === 'own' || seen.changed || !isUnknown) return seen
  const { version, level, body } = other
  return { ...seen, other: { version, level, changes: differenceTexts(body, seen.body) } }
}

const key = ({ tool, version }: { tool: string; version: string }): string => `${tool} ${version}`

/** All that a level depends on. */
const asTool = ({ tool, version, hash, origin }: DefinitionRow): Tool => ({ name: tool, version, hash, origin }) as Tool

/** Callers can make up any name. */
const MAX_NAME_LENGTH = 100

/**
 * The versions of one tool, by its canonical name or by a flat or bare name that is unique. `advice` is what to do if there is
 * none.
 */
export function trackedVersions(
  seen: readonly TrackedTool[],
  name: string,
  advice = 'Start its server.',
): [TrackedTool, ...TrackedTool[]] {
  const names = [...new Set(seen.map(({ tool }) => tool))]
  const alike = namesLike(names, name)
  const chosen = names.includes(name) ? name : alike.length === 1 ? alike[0] : undefined
  const [first, ...rest] = seen.filter(({ tool }) => tool === chosen)
  if (first !== undefined) return [first, ...rest]
  const shown = fit(escapeHidden(name.replace(/\s+/g, ' ').trim()), MAX_NAME_LENGTH)
  if (alike.length > 1) {
    throw ToolError.of('ValidationError', `${shown} may be ${alike.join(' or ')}. Give the whole name.`)
  }
  const hint = names.length === 0 ? ' This ledger has no tools yet.' : didYouMean(nearNames(names, name))
  throw ToolError.of('ToolNotFoundError', `Unknown tool ${JSON.stringify(shown)}.${hint} ${advice}`)
}

/** Of tools, and of servers if what was typed has no dot. */
const nearNames = (names: readonly string[], name: string): string[] =>
  nearest(name, name.includes('.') ? names : [...names, ...new Set(names.map(serverOf))])

const namesLike = (names: readonly string[], name: string): string[] =>
  names.filter((tool) => flatName(tool) === name || bareName(tool) === name || isRepeated(tool, name))

/** One of the two repeats the name of the server: `git.git_add` and `git.add` are the same tool. */
const isRepeated = (tool: string, name: string): boolean =>
  !tool.includes(':') && name.includes('.') && withoutStutter(tool) === withoutStutter(name)

/** Whether the name is that of a tool that was seen, or may be that of several. */
export const isTrackedName = (seen: readonly TrackedTool[], name: string): boolean => {
  const names = seen.map(({ tool }) => tool)
  return names.includes(name) || namesLike(names, name).length > 0
}

/** Those of a range; without one the highest that is listed. */
export function versionsInRange(
  versions: readonly [TrackedTool, ...TrackedTool[]],
  range: string | undefined,
): TrackedTool[] {
  if (range === undefined) return [listedTools(versions)[0] ?? versions[0]]
  const chosen = versions.filter(({ version }) => highestWithin([version], range) !== undefined)
  if (chosen.length > 0) return chosen
  const known = versions.map(({ version }) => version).join(', ')
  throw ToolError.of('ValidationError', `${versions[0].tool} has no version within ${range}; seen were ${known}.`)
}

/**
 * The findings of the machine check, by the code of the tool if it still has this definition. `known` are all tools of the ledger: they
 * tell which names are the server's own.
 */
export function findingsOf(seen: TrackedTool, tools: Iterable<Tool>, known: readonly TrackedTool[]): VerifyFinding[] {
  const context = scanContext(seen.tool, known)
  for (const tool of tools) if (tool.hash === seen.definition.hash) return verifyTool(tool, { context })
  return verifyBody(seen.body, { context, origin: seen.definition.origin === 'own' ? 'own' : 'upstream' })
}

/** Tools of one module are one server's. Only tools can be imitated or meddled with, so the rest of other servers is left out. */
export function scanContext(name: string, known: readonly TrackedTool[]): ScanContext {
  const server = serverOf(name)
  const listed = listedTools(known)
  return {
    own: listed.filter((one) => serverOf(one.tool) === server).map((one) => one.tool),
    others: listed
      .filter((one) => !one.tool.includes(':') && serverOf(one.tool) !== server)
      .map((one) => ({ name: one.tool, server: serverOf(one.tool), description: one.body.description })),
  }
}

/** What calls of the tool still need: a decision, or an approval of each call. Undefined: nothing. */
export function missingDecision(seen: TrackedTool): 'trust' | 'verify' | 'approval' | undefined {
  const { level, body, grants } = seen
  if (body.destructive && level !== 'trusted') return 'trust'
  if (level === 'untrusted') return 'verify'
  return !body.destructive || grants.some((grant) => grantCovers(grant, seen)) ? undefined : 'approval'
}

/** For programs. */
export const trackedToolJson = (seen: TrackedTool) => ({
  tool: seen.tool,
  version: seen.version,
  /** as its server reports it; null: the tool has its own, or the server reports none */
  server_version: seen.definition.server_version,
  hash: seen.definition.hash,
  origin: seen.definition.origin,
  destructive: seen.body.destructive,
  level: seen.level,
  first_seen: seen.definition.first_seen,
  last_seen: seen.definition.last_seen,
  gone_at: seen.goneAt ?? null,
  decision: seen.decision === undefined ? null : withoutSignature(seen.decision),
  /** the operator has not signed the decision, so that it does not count */
  unsigned: seen.isUnsigned || seen.unsignedGrants.length > 0,
  changes: seen.graded !== undefined || seen.changed ? seen.changes : (seen.other?.changes ?? null),
  grade: seen.graded?.grade ?? null,
  accepted_at: seen.acceptedAt ?? null,
  grants: seen.grants.map((grant) => ({ ...withoutSignature(grant), in_force: grantCovers(grant, seen) })),
})

/** Programs need to know who signed, not the bytes. */
const withoutSignature = <Row extends { readonly signature: string | null }>({ signature: _, ...row }: Row) => row
