/**
 * Reviews the definitions of one upstream before they are registered: which ones are trusted, which ones wait for a person, and why.
 * The operator learns about every one that waits: in the log, as an event, and as a problem of the host until somebody has decided.
 */
import { type HeldBack, type HoldFacts, holdOf } from '../../ledger/decisions/held-back.ts'
import { isRefused } from '../../ledger/decisions/trust-row.ts'
import { isTrustedEnough } from '../../pipeline/gates/trust.ts'
import { getOrMake } from '../../protocol/get-or-make.ts'
import { plural } from '../../protocol/text.ts'
import { TimeSlices } from '../../protocol/time-slices.ts'
import type { Server } from '../../server/server.ts'
import type { GradedChange } from '../../tool/grade/grade-change.ts'
import type { Tool } from '../../tool/tool.ts'
import { hideName } from '../../tool/upstream-listing.ts'
import type { ScanContext } from '../../tool/verify/scan/context.ts'
import { scanTexts } from '../../tool/verify/scan/scan-definition.ts'
import type { HostChange } from '../host.ts'
import type { HostProblem } from '../servers/host-problem.ts'
import type { Listing, ListPart } from '../upstream/listing/listing.ts'
import { endpointDigest } from '../upstream/listing/listing-store.ts'
import type { LogLevel, UpstreamSettings } from '../upstream/upstream-deps.ts'
import { reviewListing } from './first-listing.ts'
import { followFile } from './follow-file.ts'
import { type InactiveTrust, inactiveTrustProblems } from './inactive-trust.ts'
import { instructionsDefinition } from './instructions-definition.ts'
import { applyConfiguredTrust, type Review } from './trust-from-config.ts'

interface Reporters {
  readonly log: (level: LogLevel, line: string) => void
  readonly emit: (change: HostChange) => void
}

/** The listings of the servers of each host, in the order in which they came first. */
const beingListed = new WeakMap<Server, Map<string, Listing['tools']>>()

interface ReviewedPart {
  readonly listing: Listing
  readonly part: string
  readonly prefix: string
  readonly count: number
}

type HeldNote = Pick<HoldFacts, 'worst' | 'isUnsigned' | 'isByFile' | 'isChanged' | 'grade' | 'isLate'>
const NO_NOTE: HeldNote = Object.freeze({
  ...{ worst: undefined, isUnsigned: false, isByFile: false, isChanged: false, grade: null, isLate: false },
})

interface HeldMessage {
  readonly item: string
  readonly message: string
}

/** How names of the items of a list begin. Those of tools have no colon. */
const PREFIXES: Readonly<Record<ListPart, string>> = {
  tools: '',
  resources: 'resource:',
  templates: 'resource:',
  prompts: 'prompt:',
}

/** Lines for single definitions, and names in a line for many. */
const MAX_LOGGED = 3
const GROUP_TEXTS = [
  'changed since they were pinned and are quarantined',
  'are new since the first listing and are not callable',
  'must be reviewed first, because of what the scanner found',
]

export class DefinitionReview {
  readonly #server: Server
  readonly #settings: UpstreamSettings
  readonly #reporters: Reporters
  /** definitions that wait for a person */
  readonly #held = new Map<Tool, HostProblem>()
  /** those whose configured trust does not count yet */
  readonly #heldBack = new Map<Tool, InactiveTrust>()
  /** its latest tools in `beingListed` */
  #listed: Listing['tools'] | undefined
  /** what the review found about definitions that a person must look at */
  readonly #notes = new Map<Tool, HeldNote>()
  #instructions: Tool | undefined
  /** when the operator's file was raised for this server */
  #raisedAt: Promise<number | undefined> | undefined
  /** instructions were reviewed, or there are none */
  #hasInstructions = false

  constructor(server: Server, settings: UpstreamSettings, reporters: Reporters) {
    this.#server = server
    this.#settings = settings
    this.#reporters = reporters
  }

  get problems(): readonly HostProblem[] {
    const { trust } = this.#server.ledger
    const waiting = [...this.#held].filter(([tool]) => !isTrustedEnough(tool, trust)).map(([, problem]) => problem)
    return [...waiting, ...inactiveTrustProblems(this.#settings.name, this.#heldBack.values(), trust)]
  }

  /** Models read them, so clients get only what is trusted now. */
  get instructions(): string | undefined {
    const definition = this.#instructions
    if (definition === undefined) return undefined
    return isTrustedEnough(definition, this.#server.ledger.trust) ? definition.description : undefined
  }

  /** `fresh` are the tools that were not reviewed before. */
  async tools(fresh: readonly Tool[], listing: Listing): Promise<void> {
    this.#listed = listing.tools
    getOrMake(beingListed, this.#server, () => new Map()).set(this.#settings.name, listing.tools)
    const count = listing.tools.length
    if (count === 0 && listing.refused?.includes('tools')) return
    const isFirstListing = await this.#review(fresh, {
      listing,
      part: 'tools',
      prefix: `${this.#settings.name}.`,
      count,
    })
    if (!isFirstListing) return
    const { name, trust } = this.#settings
    const tools = plural(count, 'tool')
    this.#reporters.log(
      // Nothing was allowed with none: at the first start of many servers that would be a page of lines.
      trust === 'none' ? 'debug' : 'info',
      `${name}: its first listing is accepted: ${tools}, with trust ${trust}. Tools that appear later wait for review.`,
    )
  }

  /** Resources, templates, prompts and agent methods, each with a first listing of its own. */
  async items(fresh: readonly Tool[], all: readonly Tool[], listing: Listing): Promise<void> {
    const { name } = this.#settings
    const { resources, templates, prompts, pages = [], refused = [] } = listing
    const unlisted = `resource:${name}:*`
    const parts: readonly [part: string, prefix: string, count: number][] = [
      ['resources', `resource:${name}:`, resources.length + templates.length + pages.length],
      ['prompts', `prompt:${name}.`, prompts.length],
      ['agent', `agent:${name}.`, all.filter((one) => one.name.startsWith(`agent:${name}.`)).length],
    ]
    for (const [part, prefix, count] of parts) {
      if (count === 0 && refused.some((one) => one === part || (part === 'resources' && one === 'templates'))) continue
      const own = fresh.filter((one) => one.name.startsWith(prefix) && one.name !== unlisted)
      await this.#review(own, { listing, part, prefix, count })
    }
    // There is always one, and never another.
    const rest = fresh.filter((one) => one.name === unlisted)
    if (rest.length > 0) await this.#review(rest, { listing, part: 'unlisted', prefix: unlisted, count: 1 })
  }

  async takeInstructions(listing: Listing): Promise<void> {
    const { instructions } = listing
    const { name } = this.#settings
    const text = this.#settings.instructions ? instructions : undefined
    if (this.#hasInstructions && text === this.#instructions?.description) return
    if (this.#instructions !== undefined) this.forget(this.#instructions)
    this.#instructions = undefined
    const fresh = text?.trim() ? [instructionsDefinition(name, text)] : []
    const prefix = `instructions:${name}`
    await this.#review(fresh, { listing, part: 'instructions', prefix, count: fresh.length })
    this.#instructions = fresh[0]
    this.#hasInstructions = true
  }

  /** What the server no longer lists leaves the lists of people. It may still have what it refused to list. */
  async recordListed(definitions: readonly Tool[], { refused = [] }: Listing): Promise<void> {
    const all = this.#instructions === undefined ? definitions : [...definitions, this.#instructions]
    const listed = all.map(({ name, version, hash }) => ({ tool: name, version, hash }))
    await this.#server.ledger.listedDefinitions.record(
      this.#settings.name,
      listed,
      (name) => !refused.some((part) => name.startsWith(PREFIXES[part]) && (part !== 'tools' || !name.includes(':'))),
    )
  }

  /** It is no longer listed. */
  forget(tool: Tool): void {
    this.#held.delete(tool)
    this.#heldBack.delete(tool)
    this.#notes.delete(tool)
  }

  /** The server is gone: its names are nobody's any more. */
  close(): void {
    const listed = beingListed.get(this.#server)
    const { name } = this.#settings
    // A server of the same name may have come in its place.
    if (listed?.get(name) === this.#listed) listed?.delete(name)
  }

  /** Returns whether it was the first listing of this part. */
  async #review(fresh: readonly Tool[], { listing, part, prefix, count }: ReviewedPart): Promise<boolean> {
    const { ledger } = this.#server
    const { name: server, trust, changes, openMs: settleMs } = this.#settings
    const endpoint = endpointDigest(this.#settings)
    const listed = await reviewListing(ledger, { server, part, endpoint, count, prefix, settleMs })
    const accepts = changes === undefined ? {} : { accepts: changes }
    await hideSpeakingNames(fresh)
    this.#raisedAt ??= followFile(ledger, server, trust).catch((thrown) => {
      this.#raisedAt = undefined
      throw thrown
    })
    const found = await applyConfiguredTrust(ledger, fresh, trust, {
      isFirst: listed.isFirst,
      raisedAt: await this.#raisedAt,
      context: this.#scanContext(listing),
      ...accepts,
    })
    await listed.accept()
    for (const one of found.held) this.#heldBack.set(one.tool, one)
    for (const { message } of inactiveTrustProblems(server, found.held, ledger.trust))
      this.#reporters.log('warn', `${server}: ${message}`)
    for (const { tool, graded } of found.accepted) this.#report(tool, 'accepted', graded)
    const messages = [
      found.changed.map(({ tool, graded }) => this.#hold(tool, changeText(graded), 'quarantined')),
      found.late.map((tool) => this.#hold(tool, `is new since the first listing of ${server}`, 'new_tool')),
      found.suspicious.map(({ tool, why }) => this.#hold(tool, `must be reviewed first: ${why.replace(/\.$/, '')}`)),
    ]
    this.#logHeld(messages)
    this.#note(found)
    return listed.isFirstListing
  }

  /** Which names are the server's own, and which belong to the servers that are registered at the moment. */
  #scanContext({ tools, prompts }: Listing): ScanContext {
    const { name: own } = this.#settings
    const others = [...this.#server.registry].filter(({ name }) => !name.startsWith(`${own}.`))
    return {
      own: [...tools, ...prompts].map(({ name }) => String(name)),
      others: [
        ...others.map(({ name, description }) => ({ name, server: name.slice(0, name.indexOf('.')), description })),
        ...this.#earlierListings(),
      ],
    }
  }

  /** Tools of servers that are reviewed at the same time, and whose listings came before this one's. */
  #earlierListings(): { readonly name: string; readonly server: string; readonly description: string }[] {
    const listed = [...(beingListed.get(this.#server) ?? [])]
    const own = listed.findIndex(([name]) => name === this.#settings.name)
    const earlier = listed.slice(0, Math.max(0, own))
    return earlier.flatMap(([server, tools]) =>
      tools.map(({ name, description }) => ({
        name: `${server}.${String(name)}`,
        server,
        description: typeof description === 'string' ? description : '',
      })),
    )
  }

  #report({ name: tool }: Tool, what: 'accepted', { grade }: GradedChange): void {
    const { name: server } = this.#settings
    const why = grade === 'harmless' ? 'not in what it does or says' : 'it accepts more than before'
    this.#reporters.log('info', `${tool} changed, but ${why} (${grade}), so the change is accepted.`)
    this.#reporters.emit({ kind: what, server, tool, grade })
  }

  /** A line for each of a few; of many one for each reason, with the command that shows them. */
  #logHeld(groups: readonly (readonly HeldMessage[])[]): void {
    const { name: server } = this.#settings
    const count = groups.reduce((sum, messages) => sum + messages.length, 0)
    for (const [index, messages] of groups.entries()) {
      if (count <= MAX_LOGGED) for (const { message } of messages) this.#reporters.log('warn', message)
      else if (messages.length > 0) {
        const names = messages.slice(0, MAX_LOGGED).map(({ item }) => item)
        const left = messages.length - names.length
        const list = `${names.join(', ')}${left > 0 ? ` and ${left} more` : ''}`
        const text = `${server}: ${plural(messages.length, 'definition')} ${GROUP_TEXTS[index]}: ${list}. Review them with: npx myrmex trust status ${server}`
        this.#reporters.log('warn', text)
      }
    }
  }

  #note({ changed, late, suspicious, held }: Review): void {
    const note = (tool: Tool, more: Partial<HeldNote>): void =>
      void this.#notes.set(tool, { ...NO_NOTE, ...this.#notes.get(tool), ...more })
    for (const { tool, graded } of changed) note(tool, { isChanged: true, grade: graded?.grade ?? null })
    for (const tool of late) note(tool, { isLate: true })
    for (const { tool, worst } of suspicious) if (worst !== 'note') note(tool, { worst })
    for (const { tool, why } of held) note(tool, { isByFile: true, isUnsigned: why === 'unsigned' })
  }

  /** The tools among these that cannot be called now, and why. */
  heldBack(tools: Iterable<Tool>): (HeldBack & { readonly destructive: boolean })[] {
    const { trust, lock } = this.#server.ledger
    return [...tools].flatMap((tool) => {
      if (isTrustedEnough(tool, trust)) return []
      const row = trust.decisionOf(tool)
      const { name, destructive, origin } = tool
      const decided = {
        isRefused: row !== undefined && isRefused(row),
        isVerified: trust.levelOf(tool) === 'verified',
        ...(row !== undefined && !trust.isSigned(row) && { isUnsigned: true }),
      }
      const facts = { tool: name, destructive, isUpstream: origin !== 'own', isLocked: lock.isLocked }
      return [{ ...holdOf({ ...facts, ...NO_NOTE, ...this.#notes.get(tool), ...decided }), destructive }]
    })
  }

  #hold(tool: Tool, why: string, event?: 'quarantined' | 'new_tool'): HeldMessage {
    const { name: server } = this.#settings
    const { name: item } = tool
    // A resource that appears later can be read like one that the server does not list.
    const isReadable = event === 'new_tool' && item.startsWith('resource:')
    const effect = item.startsWith('instructions:')
      ? 'hidden from clients'
      : isReadable
        ? 'listed by its URI only'
        : 'not callable'
    const message = `${item} ${why}. It is ${effect}. Review it with: npx myrmex trust status ${item}`
    this.#held.set(tool, { server, item, error_type: 'PermissionError', message })
    if (event !== undefined) this.#reporters.emit({ kind: event, server, tool: item })
    return { item, message }
  }
}

/** Unreviewed items are hidden from models, except for their names, and the server chooses those too. */
async function hideSpeakingNames(fresh: readonly Tool[]): Promise<void> {
  const slices = new TimeSlices()
  for (const definition of fresh) {
    if (isSpeaking(definition.name)) hideName(definition)
    await slices.pause()
  }
}

/** No order to a model is shorter. */
const MIN_WORDS = 3

function isSpeaking(name: string): boolean {
  const words = name.replace(/%20|[^\p{L}\p{N}~]+/gu, ' ').trim()
  if (words.split(' ').length < MIN_WORDS) return false
  return scanTexts([{ where: '/name', text: words, kind: 'prose' }]).some(({ grade }) => grade !== 'note')
}

function changeText(graded: GradedChange | undefined): string {
  const reason = graded?.grade === 'wider' ? ': it accepts more than before' : ''
  return `changed since it was pinned and is quarantined${reason}`
}
