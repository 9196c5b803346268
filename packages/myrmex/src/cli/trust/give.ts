/** `myrmex trust TOOL`: shows what is to be trusted, asks, and keeps who said so, for which definition and until when. */
import { type Terms, trustSeen, widerGrant } from '../../ledger/decide.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import { findingsOf, type Seen, seenTools, versionsOf, within } from '../../ledger/seen.ts'
import { whoDecides } from '../../ledger/who.ts'
import { ToolError } from '../../protocol/errors.ts'
import { type Finding, hasErrors } from '../../tool/verify/finding.ts'
import { counted, localTime } from '../audit/show.ts'
import { type LedgerChoice, withLedger } from '../ledger.ts'
import { oneLine } from '../line.ts'
import { endOf } from '../span.ts'
import { paint, print, say } from '../terminal.ts'
import { decidedBefore } from './before.ts'
import { confirm } from './confirm.ts'
import { FROM_FILE, seeFiles } from './files.ts'
import { presented } from './present.ts'

export interface TrustOptions extends LedgerChoice {
  until?: string
  for?: string
  ask?: boolean
  version?: string
  yes?: boolean
  despiteFindings?: boolean
  file?: string[]
}

export async function giveTrust(name: string, options: TrustOptions): Promise<void> {
  const terms = { until: options.until === undefined ? undefined : endOf(options.until), principal: options.for }
  // With files, this may be the first to use the ledger.
  const access = options.file === undefined ? { existing: true } : {}
  await withLedger(options, (ledger) => decide(ledger, name, options, terms), access)
}

async function decide(ledger: Ledger, name: string, options: TrustOptions, terms: Terms): Promise<void> {
  const tools = (await seeFiles(options.file, ledger)).flatMap((module) => module.tools)
  const versions = versionsOf(await seenTools(ledger), name, FROM_FILE)
  const chosen = within(versions, options.version)
  const found: Finding[] = []
  for (const seen of chosen) {
    const findings = findingsOf(seen, tools)
    found.push(...findings)
    print(`${presented(seen, findings, await decidedBefore(ledger, seen, versions))}\n`)
  }
  const others = versions.filter((seen) => !chosen.includes(seen)).map(({ version }) => version)
  if (others.length > 0) say(`also seen, and not decided here: ${others.join(', ')} (--version chooses)`)
  if (!options.ask) for (const seen of chosen) refuseNarrower(seen, terms)
  if (hasErrors(found) && !(options.yes && options.despiteFindings)) {
    throw new ToolError(
      'PermissionError',
      'A machine found errors in it. Have them mended, or decide otherwise with --yes --despite-findings.',
    )
  }
  if (!options.yes && !(await confirm(question(chosen, options.ask === true, terms)))) {
    say('nothing was changed')
    process.exitCode = 1
    return
  }
  const by = whoDecides()
  if (options.ask) await takeBackGrants(ledger, chosen, by)
  for (const seen of chosen) {
    const { grant, known } = await trustSeen(ledger, seen, options.ask ? 'ask' : terms, by)
    const effect =
      grant === undefined
        ? 'every call waits for an approval'
        : `lets ${termsInWords(terms)} through without asking (grant ${grant.id}${known ? ', given before' : ''})`
    print(`${paint('green', 'trusted')}  ${seen.tool} ${seen.version} by ${oneLine(by)}: ${effect}`)
  }
}

function question(chosen: readonly Seen[], ask: boolean, terms: Terms): string {
  const what = chosen.map(({ tool, version }) => `${tool} ${version}`).join(' and ')
  return ask
    ? `Trust ${what}, and have every call approved?`
    : `Trust ${what}, and let ${termsInWords(terms)} through without asking?`
}

const termsInWords = ({ until, principal }: Terms): string =>
  `${principal === undefined ? 'every call' : `calls of ${oneLine(principal, 60)}`}${until === undefined ? '' : ` until ${localTime(until)}`}`

/** Who gives less than is given already means to take something back, and that is another command. */
function refuseNarrower(seen: Seen, terms: Terms): void {
  const wider = widerGrant(seen, terms)
  if (wider === undefined) return
  const { principal, expires_at } = wider
  const given = termsInWords({ until: expires_at ?? undefined, principal: principal ?? undefined })
  throw new ToolError(
    'ValidationError',
    `${seen.tool} ${seen.version}: grant ${wider.id} lets ${given} through already. To give less, run myrmex untrust ${seen.tool} first.`,
  )
}

/** A grant that stayed would let through what is to be asked about. */
async function takeBackGrants(ledger: Ledger, [first]: readonly Seen[], by: string): Promise<void> {
  const revoked = first === undefined ? 0 : await ledger.grants.revoke(first.tool, by)
  if (revoked > 0) print(`${counted(revoked, 'standing grant')} of ${first?.tool} taken back, of every version`)
}
