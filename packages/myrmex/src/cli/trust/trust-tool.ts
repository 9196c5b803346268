/** `myrmex trust`: shows the tool, or the tools, asks, and records who decided, about which definition and until when. */

import { isSelection } from '../../ledger/decisions/bulk/selection.ts'
import { type GrantTerms, refuseInOpenMode, trustDefinition, widerGrant } from '../../ledger/decisions/decide.ts'
import {
  findingsOf,
  type TrackedTool,
  trackedTools,
  trackedVersions,
  versionsInRange,
} from '../../ledger/decisions/tracked-tools.ts'
import type { Decider } from '../../ledger/journal/decision.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import { ToolError } from '../../protocol/errors.ts'
import { plural } from '../../protocol/text.ts'
import { cliDecider } from '../../serve/cli-decider.ts'
import { askOnStdin, confirmShown, isAtTerminal, type ShownText } from '../../serve/confirm.ts'
import { type LedgerFlags, withLedger } from '../../serve/ledger.ts'
import { oneLine, paint, print, say, wrap } from '../../serve/terminal.ts'
import { isBlocking, type VerifyFinding } from '../../tool/verify/finding.ts'
import { localTime } from '../audit/format.ts'
import { parseExpiry } from '../time-span.ts'
import { type BulkFlags, decideMany } from './bulk.ts'
import { earlierDecision } from './earlier-decision.ts'
import { canLoad, LOAD_HINT, type LoadFlags, ledgerOf, loadAndRecord } from './load-tools.ts'
import { presentTool } from './present-tool.ts'

export interface TrustOptions extends LedgerFlags, LoadFlags, BulkFlags {
  until?: string
  for?: string
  version?: string
  all?: boolean
  readOnlyTools?: boolean
}

/** One tool by its name, or several on one screen. */
export async function trustTools(names: readonly string[], options: TrustOptions): Promise<void> {
  const terms = { until: options.until === undefined ? undefined : parseExpiry(options.until), principal: options.for }
  // The ledger may not exist yet if the tool can be loaded.
  const access = canLoad(options) ? 'create' : 'decide'
  await withLedger(await ledgerOf(options), access, async (ledger) => {
    const [name] = names
    const readOnly = options.readOnlyTools === true
    const known = await trackedTools(ledger)
    const isMany = name === undefined || readOnly || options.dryRun || options.json || isSelection(known, names)
    if (!isMany) return showAndTrust(ledger, name, options, terms)
    const loaded = await loadAndRecord(ledger, options, [])
    await decideMany(ledger, loaded.known, { ...options, to: 'trust', grant: terms, selection: { names, readOnly } })
  })
}

async function showAndTrust(ledger: Ledger, name: string, options: TrustOptions, terms: GrantTerms): Promise<void> {
  const { known, tools } = await loadAndRecord(ledger, options, [name])
  const versions = trackedVersions(known, name, LOAD_HINT)
  const chosen = versionsInRange(versions, options.version)
  const found: VerifyFinding[] = []
  let lines = 0
  for (const tracked of chosen) {
    const findings = findingsOf(tracked, tools, known)
    found.push(...findings)
    const text = presentTool(tracked, findings, await earlierDecision(ledger, tracked, versions))
    lines += text.split('\n').length + 1
    print(`${text}\n`)
  }
  const others = versions.filter((tracked) => !chosen.includes(tracked)).map(({ version }) => version)
  if (others.length > 0) say(`other versions are not affected: ${others.join(', ')} (choose with --version)`)
  for (const tracked of chosen) refuseUnfit(ledger, tracked, options, terms)
  if (isBlocking(found) && !(options.yes && options.despiteFindings)) {
    throw ToolError.of(
      'PermissionError',
      'A finding blocks this tool. Have it fixed, or trust it anyway with --yes --despite-findings.',
    )
  }
  const shown = {
    lines,
    name: chosen.length === 1 ? 'This definition' : 'This list of definitions',
    word: versions[0].tool,
  }
  if (!options.yes && !(await confirm(questionText(chosen, options.ask === true, terms), shown))) {
    say('nothing was changed')
    process.exitCode = 1
    return
  }
  const by = await cliDecider(ledger)
  if (options.ask) await revokeGrants(ledger, chosen, by)
  for (const tracked of chosen) {
    const { grant, alreadyGranted } = await trustDefinition(ledger, tracked, options.ask ? 'ask' : terms, by)
    const effect =
      grant === undefined
        ? 'every call needs approval'
        : `allows ${termsText(terms)} without approval (grant ${grant.id}${alreadyGranted ? ', given before' : ''})`
    const subject = `${oneLine(tracked.tool)} ${oneLine(tracked.version, 40)}`
    print(`${paint('green', 'trusted')}  ${subject} by ${oneLine(by.name)}: ${effect}`)
  }
}

function refuseUnfit(ledger: Ledger, tracked: TrackedTool, { ask, open }: TrustOptions, terms: GrantTerms): void {
  if (!ask) refuseNarrower(tracked, terms)
  if (!open) refuseInOpenMode(ledger, tracked, 'add --open')
}

function questionText(chosen: readonly TrackedTool[], ask: boolean, terms: GrantTerms): string {
  const what = chosen.map(({ tool, version }) => `${oneLine(tool)} ${oneLine(version, 40)}`).join(' and ')
  const allowed = ask ? 'require approval for every call' : `allow ${termsText(terms)} without approval`
  return wrap(`Trust ${what}, and ${allowed}?`, 4).trimStart()
}

const termsText = ({ until, principal }: GrantTerms): string =>
  `${principal === undefined ? 'every call' : `calls of ${oneLine(principal, 60)}`}${until === undefined ? '' : ` until ${localTime(until)}`}`

/** A narrower grant than an existing one would have no effect: the wider one must be revoked first. */
function refuseNarrower(tracked: TrackedTool, terms: GrantTerms): void {
  const wider = widerGrant(tracked, terms)
  if (wider === undefined) return
  const { principal, expires_at } = wider
  const given = termsText({ until: expires_at ?? undefined, principal: principal ?? undefined })
  throw ToolError.of(
    'ValidationError',
    `${tracked.tool} ${tracked.version}: grant ${wider.id} already allows ${given}. To grant less, run npx myrmex untrust ${tracked.tool} first.`,
  )
}

/** A remaining grant would allow calls that now need approval. */
async function revokeGrants(ledger: Ledger, [first]: readonly TrackedTool[], by: Decider): Promise<void> {
  const revoked = first === undefined ? 0 : await ledger.grants.revoke(first.tool, by)
  if (revoked > 0) print(`${plural(revoked, 'standing grant')} of ${first?.tool} revoked, for every version`)
}

/** Asks at the terminal. Anything but yes means no. */
async function confirm(question: string, shown: ShownText): Promise<boolean> {
  if (!isAtTerminal())
    throw ToolError.of('ValidationError', 'There is no terminal to ask at. Add --yes to decide without a question.')
  return confirmShown(question, shown, askOnStdin)
}
