/**
 * Carries out a decision about many tools: exactly the definitions that the person saw. If any of them is another one now, or somebody has
 * decided about it meanwhile, nothing is decided. Each tool is a decision of its own in the journal, signed by itself in a locked ledger.
 */
import { ToolError } from '../../../protocol/errors.ts'
import { plural } from '../../../protocol/text.ts'
import type { Decider } from '../../journal/decision.ts'
import type { Ledger } from '../../ledger.ts'
import type { GrantTerms } from '../decide.ts'
import { grantCovers, type TrackedTool, trackedTools } from '../tracked-tools.ts'
import type { BulkItem } from './bulk-plan.ts'

export interface BulkResult {
  readonly decided: number
  readonly grants: number
  /** of earlier decisions, which allowed more */
  readonly revoked: number
  /** somebody decided about them in the same moment */
  readonly missed: readonly string[]
}

const MAX_NAMED = 5

/** Throws ConflictError if a definition or a decision is not what was shown. */
export async function assertAsShown(ledger: Ledger, shown: readonly TrackedTool[]): Promise<void> {
  const now = new Map((await trackedTools(ledger)).map((one) => [`${one.tool} ${one.version}`, one]))
  const differs = shown.filter((one) => {
    const current = now.get(`${one.tool} ${one.version}`)
    return (
      current?.definition.hash !== one.definition.hash ||
      current.decision?.set_at !== one.decision?.set_at ||
      current.decision?.hash !== one.decision?.hash
    )
  })
  if (differs.length === 0) return
  const names = differs.slice(0, MAX_NAMED).map(({ tool }) => tool)
  const more = differs.length > MAX_NAMED ? ` and ${differs.length - MAX_NAMED} more` : ''
  throw ToolError.of(
    'ConflictError',
    `${plural(differs.length, 'tool')} changed since you saw ${differs.length === 1 ? 'it' : 'them'}, or somebody else has decided: ` +
      `${names.join(', ')}${more}. Nothing was decided. Look again.`,
    { tools: names },
  )
}

export async function decideBulk(
  ledger: Ledger,
  items: readonly BulkItem[],
  { ask, grant }: { readonly ask: boolean; readonly grant: GrantTerms },
  by: Decider,
): Promise<BulkResult> {
  ledger.lock.requireSigner(by)
  await assertAsShown(
    ledger,
    items.map(({ seen }) => seen),
  )
  // Before the level is raised: a grant that remains would let calls pass that are to be asked for.
  const narrowed = ask ? items.filter(({ seen }) => seen.grants.length > 0) : []
  let revoked = 0
  for (const { seen } of narrowed) revoked += await ledger.grants.revoke(seen.tool, by)
  const missed = await ledger.trust.setAll(
    items.map(({ seen, level }) => ({ definition: seen.definition, level, before: seen.decision?.set_at })),
    by,
  )
  const failed = new Set(missed.map(({ tool, version }) => `${tool} ${version}`))
  const granted = items.filter(
    ({ seen, grants }) =>
      grants &&
      !failed.has(`${seen.tool} ${seen.version}`) &&
      !seen.grants.some((one) => isSame(one, grant) && grantCovers(one, seen)),
  )
  await ledger.grants.giveAll(
    granted.map(({ seen }) => seen.definition),
    by,
    {
      ...(grant.principal !== undefined && { principal: grant.principal }),
      ...(grant.until !== undefined && { until: grant.until }),
    },
  )
  return {
    ...{ decided: items.length - missed.length, grants: granted.length, revoked },
    missed: missed.map(({ tool }) => tool),
  }
}

const isSame = (
  one: { principal: string | null; expires_at: number | null },
  { principal, until }: GrantTerms,
): boolean => one.principal === (principal ?? null) && one.expires_at === (until ?? null)

/** Untrusts every version of these tools, and revokes all their grants. */
export async function untrustBulk(ledger: Ledger, versions: readonly TrackedTool[], by: Decider): Promise<BulkResult> {
  let revoked = 0
  for (const tool of new Set(
    versions.filter(({ grants, unsignedGrants }) => grants.length + unsignedGrants.length > 0).map(({ tool }) => tool),
  ))
    revoked += await ledger.grants.revoke(tool, by)
  const missed = await ledger.trust.setAll(
    // The pin stays, so that later changes can still be shown.
    versions.map(({ definition, decision }) => ({
      definition: decision ?? definition,
      level: 'untrusted' as const,
      before: decision?.set_at,
    })),
    by,
  )
  return { decided: versions.length - missed.length, grants: 0, revoked, missed: missed.map(({ tool }) => tool) }
}
