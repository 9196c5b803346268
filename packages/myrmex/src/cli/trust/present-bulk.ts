/**
 * Many tools on one screen, for the person who decides about them: by server, and in each by what is new. Findings and changes come first.
 * Tools that change nothing are counted if there are many, and then servers that have only such. A tool that changes state is always named,
 * and so is a later one that changes nothing only by the word of myrmex.json, and every finding.
 */
import type { BulkItem, BulkKind, BulkPlan, LeftOut } from '../../ledger/decisions/bulk/bulk-plan.ts'
import { trackedVersion } from '../../ledger/decisions/tracked-tools.ts'
import { isObject } from '../../protocol/json.ts'
import { plural } from '../../protocol/text.ts'
import { oneLine, paint, wrap, wrapWithCommand } from '../../serve/terminal.ts'
import { pointerInWords } from '../../tool/difference/place-in-words.ts'
import { listingOf } from '../../tool/hash.ts'
import { needsReview, type VerifyFinding } from '../../tool/verify/finding.ts'
import { findingLines } from './present-tool.ts'

const MAX_SAFE_NAMES = 6
const MAX_SHORT_NAMES = 3
const MAX_CHANGES = 6
const MAX_NAME = 130
const MAX_WHY = 240
const MAX_SHORT_WHY = 120

/** A longer screen names fewer of the tools that change nothing. */
const MOST_LINES = 36

/**
 * How much is said of what needs no look of its own. some: a few of the plain tools that change nothing are named. counted: a line for each
 * server. short: one for all servers without anything special, and findings without their explanation.
 */
type ScreenLength = 'whole' | 'some' | 'counted' | 'short'

export function presentBulk(plan: BulkPlan, details: boolean): string {
  if (details) return screenOf(plan, 'whole')
  const fitting = (['some', 'counted'] as const).map((length) => screenOf(plan, length))
  return fitting.find((screen) => screen.split('\n').length <= MOST_LINES) ?? screenOf(plan, 'short')
}

function screenOf({ items, leftOut, newServers }: BulkPlan, length: ScreenLength): string {
  const servers = [...new Set([...items, ...leftOut].map(({ server }) => server))]
  const own = new Map(servers.map((server) => [server, items.filter((one) => one.server === server)]))
  const isPlain = (server: string): boolean => length === 'short' && own.get(server)?.every(isPlainItem) === true
  const blocks = servers.flatMap((server) => {
    const some = own.get(server) ?? []
    return some.length === 0 || isPlain(server)
      ? []
      : [serverBlock(server, some, newServers.has(server), length).join('\n')]
  })
  const plain = servers.flatMap((server) => (isPlain(server) ? (own.get(server) ?? []) : []))
  if (plain.length > 0) blocks.push(plainServerLines(plain, newServers, blocks.length > 0))
  const rest = leftOutLines(leftOut, length)
  const isCut = length === 'counted' || length === 'short'
  const shown = blocks.join(isCut ? '\n' : '\n\n')
  const more = isCut && blocks.length > 0 ? `\n${paint('dim', 'every name: --details')}` : ''
  return [...(shown === '' ? [] : [`${shown}${more}`]), ...(rest.length === 0 ? [] : [rest.join('\n')])].join('\n\n')
}

/** A person needs to see no more of it than that it is there. */
const isPlainItem = (item: BulkItem): boolean => !isSpecial(item) && !item.seen.body.destructive && !isFileWord(item)

const isSpecial = ({ findings, kind }: BulkItem): boolean => needsReview(findings) || isChange(kind)

/** The servers by name, those that are new first. */
function plainServerLines(items: readonly BulkItem[], newServers: ReadonlySet<string>, isRest: boolean): string {
  const groups = Map.groupBy(items, ({ server }) => newServers.has(server))
  return [true, false]
    .flatMap((isNew) => {
      const some = groups.get(isNew) ?? []
      if (some.length === 0) return []
      const servers = [...new Set(some.map(({ server }) => oneLine(server, 60)))]
      const head = plural(servers.length, `${isRest ? 'other ' : ''}${isNew ? 'new ' : ''}server`)
      return [`${paint('bold', head)}: ${countText(some)}, changing nothing`, wrap(servers.join(', '), 6)]
    })
    .join('\n')
}

const KIND_TEXT: Readonly<Record<BulkKind, string>> = {
  suspicious: 'suspicious change',
  different: 'changed',
  wider: 'accepts more than before',
  harmless: 'written in another way',
  'new-tool': 'new since the first listing',
  'not-reviewed': 'not reviewed yet',
  'not-signed': 'not signed yet',
  decided: 'decided before, with other rights',
}

/** Resources, prompts and instructions have a kind in front of their names. */
export function countText(items: readonly { readonly seen: { readonly tool: string } }[]): string {
  const others = items.filter(({ seen }) => seen.tool.includes(':')).length
  const tools = items.length - others
  const parts = [
    tools > 0 && plural(tools, 'tool'),
    others > 0 && plural(others, 'resource or prompt', 'resources and prompts'),
  ]
  return parts.filter((part) => part !== false).join(', ')
}

const isChange = (kind: BulkKind): boolean => ['suspicious', 'different', 'wider', 'harmless'].includes(kind)

function serverBlock(server: string, items: readonly BulkItem[], isNew: boolean, length: ScreenLength): string[] {
  const isCut = length === 'counted' || length === 'short'
  const version = items.map(({ seen }) => seen).find(({ definition }) => definition.server_version !== null)
  const shown = version === undefined ? '' : `  ${paint('dim', trackedVersion(version))}`
  const isPlain = isCut && items.every(({ seen }) => !seen.body.destructive)
  const effect = isPlain ? ', changing nothing' : ''
  const lines = [
    `${paint('bold', oneLine(server, 60))}${shown}  ${isNew ? 'new server: ' : ''}${countText(items)}${effect}`,
  ]
  const special = items.filter(isSpecial)
  for (const one of special) lines.push(...specialLines(one, length))
  const plain = items.filter((one) => !special.includes(one))
  for (const [kind, some] of Map.groupBy(plain, (one) => one.kind)) {
    const risky = some.filter(({ seen }) => seen.body.destructive)
    const named = some.filter((one) => !one.seen.body.destructive && isFileWord(one))
    const safe = some.filter((one) => !one.seen.body.destructive && !named.includes(one))
    if (safe.length > 0 && !isCut)
      lines.push(...nameLines(kind, 'changes nothing', safe, length === 'whole' ? safe.length : MAX_SAFE_NAMES))
    if (named.length > 0) lines.push(...nameLines(kind, 'changes nothing (says myrmex.json)', named, named.length))
    if (risky.length > 0) lines.push(...nameLines(kind, 'changes state', risky, risky.length))
  }
  return lines
}

/** A pattern of the operator covers it, who accepted the pattern before the tool was there. Its server does not say that it only reads. */
function isFileWord({ kind, seen }: BulkItem): boolean {
  const listing = listingOf(seen.body)
  const annotations = listing?.annotations
  return kind === 'new-tool' && listing !== undefined && !(isObject(annotations) && annotations.readOnlyHint === true)
}

/** Names are on lines of their own, so that one cannot pass for a sentence of ours. */
function nameLines(kind: BulkKind, effect: string, items: readonly BulkItem[], most: number): string[] {
  const names = items.slice(0, most).map(({ seen, server }) => shortName(seen.tool, server))
  const left = items.length - names.length
  const more = left > 0 ? ` and ${left} more` : ''
  const head = `  ${KIND_TEXT[kind]}, ${effect}: ${items.length}`
  return [effect === 'changes state' ? paint('red', head) : head, wrap(`${names.join(', ')}${more}`, 6)]
}

function specialLines({ seen, server, kind, findings, changes, level }: BulkItem, length: ScreenLength): string[] {
  const effect = level === 'trusted' ? 'changes state' : 'changes nothing'
  const name = length === 'short' ? shortName(seen.tool, server) : oneLine(seen.tool, MAX_NAME)
  const head = wrap(`${name}: ${effect}; ${KIND_TEXT[kind]}`, 4).trimStart()
  const shown = length === 'whole' ? changes : changes.slice(0, MAX_CHANGES)
  const left = changes.length - shown.length
  const isUnknown = isChange(kind) && changes.length === 0
  return [
    `  ${paint('yellow', head)}`,
    ...(isUnknown ? ['    - the earlier definition is not known'] : []),
    ...shown.map((change) => `    - ${wrap(oneLine(change), 6).trimStart()}`),
    ...(left > 0 ? [`    and ${plural(left, 'more change')}: --details`] : []),
    ...shownFindings(
      findings.filter(({ grade }) => grade !== 'note'),
      length,
    ),
  ]
}

/** Findings are always shown, and their explanation only if there is room. */
function shownFindings(findings: readonly VerifyFinding[], length: ScreenLength): string[] {
  if (length !== 'short') return findingLines(findings, 4)
  return findings.map(({ grade, rule, where, message, quote }) => {
    const found = quote === undefined ? oneLine(message, MAX_SHORT_WHY) : `“${oneLine(quote, MAX_SHORT_WHY)}”`
    return wrap(`${grade}: ${rule}: ${oneLine(pointerInWords(where), 100)}: ${found}`, 4)
  })
}

/** The server stands above. */
const shortName = (tool: string, server: string): string =>
  plainName(tool.startsWith(`${server}.`) ? tool.slice(server.length + 1) : tool)

/** In quotes if it has a comma or a blank: one name must not look like several. */
const plainName = (name: string): string =>
  oneLine(/^[\w.:/*{}+~%-]+$/.test(name) ? name : JSON.stringify(name), MAX_NAME)

/** In open mode all of them lack the same: one line. Everything else has its own reason and command. */
function leftOutLines(leftOut: readonly LeftOut[], length: ScreenLength): string[] {
  if (leftOut.length === 0) return []
  const open = leftOut.filter(({ reason }) => reason === 'open-mode')
  const state = leftOut.filter(({ reason }) => reason === 'changes-state')
  const single = leftOut.filter((one) => !open.includes(one) && !state.includes(one))
  const lines = [paint('bold', `left out: ${countText(leftOut)}`)]
  for (const { seen, reason, why, command } of single)
    lines.push(
      `  ${paint('red', oneLine(seen.tool, MAX_NAME))}`,
      wrap(`${reason}: ${oneLine(why, length === 'short' ? MAX_SHORT_WHY : MAX_WHY)}`, 4),
      `    ${oneLine(command)}`,
    )
  const names = (some: readonly LeftOut[]): string => {
    const shown = length === 'whole' ? some : some.slice(0, length === 'short' ? MAX_SHORT_NAMES : MAX_SAFE_NAMES)
    const left = some.length - shown.length
    return wrap(`${shown.map(({ seen }) => plainName(seen.tool)).join(', ')}${left > 0 ? ` and ${left} more` : ''}`, 6)
  }
  if (open.length > 0)
    lines.push(
      wrapWithCommand(
        `${plural(open.length, 'tool')} that ${open.length === 1 ? 'changes' : 'change'} state, because this ledger is in open mode, where any process of this user can approve calls. Add --open, or lock it:`,
        'npx myrmex operator init',
        2,
      ),
      names(open),
    )
  if (state.length > 0)
    lines.push(
      wrapWithCommand(
        `${plural(state.length, 'tool')} that ${state.length === 1 ? 'changes' : 'change'} state and must be trusted:`,
        'npx myrmex trust',
        2,
      ),
      names(state),
    )
  return lines
}
