/** `myrmex trust TOOL`: shows what is to be trusted, asks, and keeps who said so, for which definition and until when. */

import { type GrantTerms, trustDefinition, widerGrant } from '../../ledger/decisions/decide.ts'
import { operatorName } from '../../ledger/decisions/operator-name.ts'
import {
  findingsOf,
  type TrackedTool,
  trackedTools,
  trackedVersions,
  versionsInRange,
} from '../../ledger/decisions/tracked-tools.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import { ToolError } from '../../protocol/errors.ts'
import { plural } from '../../protocol/text.ts'
import { type LedgerFlags, withLedger } from '../../serve/ledger.ts'
import { oneLine } from '../../serve/one-line.ts'
import { paint, print, say } from '../../serve/terminal.ts'
import { hasErrors, type VerifyFinding } from '../../tool/verify/finding.ts'
import { localTime } from '../audit/format.ts'
import { parseExpiry } from '../time-span.ts'
import { confirm } from './confirm.ts'
import { earlierDecision } from './earlier-decision.ts'
import { LOAD_HINT, loadAndRecord } from './load-files.ts'
import { presentTool } from './present-tool.ts'

export interface TrustOptions extends LedgerFlags {
  until?: string
  for?: string
  ask?: boolean
  version?: string
  yes?: boolean
  despiteFindings?: boolean
  file?: string[]
}

export async function trustTool(name: string, options: TrustOptions): Promise<void> {
  const terms = { until: options.until === undefined ? undefined : parseExpiry(options.until), principal: options.for }
  // With files, this may be the first to use the ledger.
  const access = options.file === undefined ? { existing: true } : {}
  await withLedger(options, (ledger) => showAndTrust(ledger, name, options, terms), access)
}

async function showAndTrust(ledger: Ledger, name: string, options: TrustOptions, terms: GrantTerms): Promise<void> {
  const tools = (await loadAndRecord(options.file, ledger)).flatMap((module) => module.tools)
  const versions = trackedVersions(await trackedTools(ledger), name, LOAD_HINT)
  const chosen = versionsInRange(versions, options.version)
  const found: VerifyFinding[] = []
  for (const seen of chosen) {
    const findings = findingsOf(seen, tools)
    found.push(...findings)
    print(`${presentTool(seen, findings, await earlierDecision(ledger, seen, versions))}\n`)
  }
  const others = versions.filter((seen) => !chosen.includes(seen)).map(({ version }) => version)
  if (others.length > 0) say(`also seen, and not decided here: ${others.join(', ')} (--version chooses)`)
  if (!options.ask) for (const seen of chosen) refuseNarrower(seen, terms)
  if (hasErrors(found) && !(options.yes && options.despiteFindings)) {
    throw ToolError.of(
      'PermissionError',
      'A machine found errors in it. Have them mended, or decide otherwise with --yes --despite-findings.',
    )
  }
  if (!options.yes && !(await confirm(questionText(chosen, options.ask === true, terms)))) {
    say('nothing was changed')
    process.exitCode = 1
    return
  }
  const by = operatorName()
  if (options.ask) await revokeGrants(ledger, chosen, by)
  for (const seen of chosen) {
    const { grant, alreadyGranted } = await trustDefinition(ledger, seen, options.ask ? 'ask' : terms, by)
    const effect =
      grant === undefined
        ? 'every call waits for an approval'
        : `lets ${termsText(terms)} through without asking (grant ${grant.id}${alreadyGranted ? ', given before' : ''})`
    print(`${paint('green', 'trusted')}  ${seen.tool} ${seen.version} by ${oneLine(by)}: ${effect}`)
  }
}

function questionText(chosen: readonly TrackedTool[], ask: boolean, terms: GrantTerms): string {
  const what = chosen.map(({ tool, version }) => `${tool} ${version}`).join(' and ')
  return ask
    ? `Trust ${what}, and have every call approved?`
    : `Trust ${what}, and let ${termsText(terms)} through without asking?`
}

const termsText = ({ until, principal }: GrantTerms): string =>
  `${principal === undefined ? 'every call' : `calls of ${oneLine(principal, 60)}`}${until === undefined ? '' : ` until ${localTime(until)}`}`

/** Who gives less than is given already means to take something back, and that is another command. */
function refuseNarrower(seen: TrackedTool, terms: GrantTerms): void {
  const wider = widerGrant(seen, terms)
  if (wider === undefined) return
  const { principal, expires_at } = wider
  const given = termsText({ until: expires_at ?? undefined, principal: principal ?? undefined })
  throw ToolError.of(
    'ValidationError',
    `${seen.tool} ${seen.version}: grant ${wider.id} lets ${given} through already. To give less, run myrmex untrust ${seen.tool} first.`,
  )
}

/** A grant that stayed would let through what is to be asked about. */
async function revokeGrants(ledger: Ledger, [first]: readonly TrackedTool[], by: string): Promise<void> {
  const revoked = first === undefined ? 0 : await ledger.grants.revoke(first.tool, by)
  if (revoked > 0) print(`${plural(revoked, 'standing grant')} of ${first?.tool} taken back, of every version`)
}
