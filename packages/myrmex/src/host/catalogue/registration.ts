/**
 * Registers what one upstream lists as tools, resources and prompts of the host's server. A changed listing touches only the items
 * that differ, because clients are notified of every change. Unusable items are skipped and reported as problems.
 */
import { type HeldBackSummary, summarise } from '../../ledger/decisions/held-back.ts'
import { messageOf, ToolError } from '../../protocol/errors.ts'
import { getOrMake } from '../../protocol/get-or-make.ts'
import { isObject, type JsonObject } from '../../protocol/json.ts'
import { clip } from '../../protocol/text.ts'
import { TimeSlices } from '../../protocol/time-slices.ts'
import { META } from '../../protocol/versions.ts'
import type { Server } from '../../server/server.ts'
import { pageUris } from '../../tool/app-meta.ts'
import { withPageTools } from '../../tool/page-tools.ts'
import { passedHosts, withoutHosts } from '../../tool/passed-hosts.ts'
import type { Tool } from '../../tool/tool.ts'
import { aliasesOf, withAliases } from '../../tool/tool-aliases.ts'
import type { MismatchListener } from '../../tool/unchecked-arguments.ts'
import { upstreamListing, withShownMeta } from '../../tool/upstream-listing.ts'
import { pageText } from '../apps/app-page.ts'
import { metaWithHostUris } from '../apps/app-uris.ts'
import { hasTasks } from '../forward/forwarded-meta.ts'
import type { Forwarder } from '../forward/forwarder.ts'
import type { HostChange } from '../host.ts'
import { type HostProblem, toHostProblem } from '../servers/host-problem.ts'
import { DefinitionReview } from '../trust/definition-review.ts'
import { suggestCommand, suggestionFacts, suggestSettings } from '../trust/suggest-settings.ts'
import type { Listing } from '../upstream/listing/listing.ts'
import type { LogLevel, UpstreamSettings } from '../upstream/upstream-deps.ts'
import { ItemDefinitions } from './item-definitions.ts'
import type { MergedCatalogue } from './merged-catalogue.ts'
import { type DefinitionState, proxiedTool } from './proxied-tool.ts'
import { type ToolName, toolNames } from './tool-names.ts'
import { settingsForTool } from './tool-settings.ts'

export interface RegistrationOptions {
  readonly server: Server
  readonly catalogue: MergedCatalogue
  readonly settings: UpstreamSettings
  readonly forwarder: Forwarder
  readonly log: (level: LogLevel, line: string) => void
  readonly emit: (change: HostChange) => void
}

/** Schemas are compiled on first use. Foreign schemas are compiled now, so that a bad one is reported before a call needs it. */
function compiled(tool: Tool): Tool {
  for (const schema of [tool.input, tool.output]) {
    try {
      schema.parse({})
    } catch (thrown) {
      const why = messageOf(thrown)
      throw ToolError.of('RegistrationError', `A schema cannot be compiled: ${why}`, null, { cause: thrown })
    }
  }
  return tool
}

const MAX_MISMATCH = 300

const sameName = (name: string, other: string): ToolError =>
  ToolError.of(
    'RegistrationError',
    `Its name here is ${name}, which ${JSON.stringify(other)} has already. It is skipped.`,
  )

/** Its description is not that of the tool, so nobody could decide about it here. An earlier decision stays as it is. */
function refuseNotReviewed({ _meta }: JsonObject): void {
  if (!isObject(_meta) || _meta[META.notReviewed] !== true) return
  throw ToolError.of(
    'PermissionError',
    'Its server lists it by its name only, because the operator of that server must review it first. Decide there: in the ledger of that server.',
  )
}

const definitionText = (listed: JsonObject, mayTakeLong: boolean): string =>
  `${mayTakeLong} ${passedHosts(listed).join()} ${JSON.stringify(listed)}`

/** The same listing comes more than once. */
const withoutAllHosts = new WeakMap<Listing, Listing>()

interface RegisteredTool {
  readonly tool: Tool
  /** the upstream's definition as JSON, to detect changes */
  readonly text: string
  readonly state: DefinitionState
  /** of the server when it listed the tool */
  readonly serverVersion: string | undefined
}

export class Registration {
  readonly #options: RegistrationOptions
  #tools: ReadonlyMap<string, RegisteredTool> = new Map()
  #problems: HostProblem[] = []
  /** definitions of its resources, prompts and agent methods */
  #items: ItemDefinitions | undefined
  readonly #review: DefinitionReview
  #listing: Listing | undefined
  /** the latest listing, reviewed or not */
  #latest: Listing | undefined
  #queue: Promise<void> = Promise.resolve()
  #isClosed = false

  constructor(options: RegistrationOptions) {
    this.#options = options
    this.#review = new DefinitionReview(options.server, options.settings, options)
  }

  readonly #toHostUri = (uri: string): string => this.#options.catalogue.uriFor(this.#options.settings.name, uri)

  get problems(): readonly HostProblem[] {
    return [...this.#problems, ...this.#review.problems]
  }

  /** Its tools that cannot be called now, and the pages of its apps that cannot be read. */
  heldBack(): HeldBackSummary & { readonly suggestion: string | null } {
    const { server, settings } = this.#options
    const tools = [...this.#tools.values()].map(({ tool }) => tool)
    // An app does not work without its page.
    const pages = [...(this.#items?.pages() ?? [])].flatMap(([name]) => this.#items?.get(name) ?? [])
    const held = this.#review.heldBack([...tools, ...pages])
    const summary = summarise(settings.name, held, server.ledger.lock.isLocked)
    const isSuggested =
      summary.total > 0 && suggestSettings(settings.name, tools.map(suggestionFacts), settings.tools) !== undefined
    return { ...summary, suggestion: isSuggested ? suggestCommand(settings.name) : null }
  }

  /** The server's instructions, if clients may see them now. */
  get instructions(): string | undefined {
    return this.#review.instructions
  }

  /** Resolves when everything is registered. Listings are processed in order. Changed tools reject calls from now on. */
  replace(said: Listing): Promise<void> {
    const listing = getOrMake(withoutAllHosts, said, ({ tools, resources, templates, prompts, ...rest }) => ({
      ...rest,
      tools: tools.map(withoutHosts),
      resources: resources.map(withoutHosts),
      templates: templates.map(withoutHosts),
      prompts: prompts.map(withoutHosts),
    }))
    this.#latest = listing
    this.#markOutdated(this.#tools.values())
    this.#queue = this.#queue.then(() => this.#replace(listing)).catch((thrown) => this.#failed(thrown))
    return this.#queue
  }

  /** Reviewing a listing takes time. Calls that were approved earlier may arrive meanwhile, so outdated tools are marked first. */
  #markOutdated(registered: Iterable<RegisteredTool>): void {
    const listing = this.#latest
    if (listing === undefined) return
    const mayTakeLong = hasTasks(listing)
    const now = new Map(listing.tools.map((listed) => [listed.name, listed]))
    for (const { tool, text, state } of registered) {
      const listed = now.get(upstreamListing(tool)?.name)
      if (listed === undefined || definitionText(listed, mayTakeLong) !== text) state.isOutdated = true
    }
  }

  async #replace(listing: Listing): Promise<void> {
    if (this.#isClosed || listing === this.#listing) return
    this.#problems = []
    const now = await this.#read(listing)
    const fresh = [...now].filter(([name, { tool }]) => this.#tools.get(name)?.tool !== tool)
    const { catalogue, settings, forwarder } = this.#options
    const items = new ItemDefinitions(settings.name, listing, settings.timeoutMs, this.#items)
    const freshItems = items.all().filter((one) => this.#items?.get(one.name) !== one)
    // Before anything is registered, so that no request finds it undecided.
    await this.#review.tools(
      fresh.map(([, { tool }]) => tool),
      listing,
    )
    await this.#keepPages(items)
    setPageTools(items, now.values())
    await this.#review.items(freshItems, items.all(), listing)
    await this.#review.takeInstructions(listing)
    if (this.#isClosed) return
    this.#markOutdated(now.values())
    this.#register(now)
    this.#forgetItems(items)
    forwarder.pages.pages = listing.pages ?? []
    catalogue.put(settings.name, { forwarder, listing, definitions: items })
    this.#listing = listing
    await this.#review.recordListed([...[...now.values()].map(({ tool }) => tool), ...items.all()], listing)
  }

  /** For people who review them. */
  async #keepPages(items: ItemDefinitions): Promise<void> {
    for (const [name, page] of items.pages()) {
      const text = pageText(page)
      if (text !== undefined) await this.#options.server.ledger.pages.keep(name, String(page.hash), text)
    }
  }

  #forgetItems(now: ItemDefinitions | undefined): void {
    for (const one of this.#items?.all() ?? []) {
      if (now?.get(one.name) === one) continue
      this.#review.forget(one)
    }
    this.#items = now
  }

  async #read(listing: Listing): Promise<Map<string, RegisteredTool>> {
    const { settings, forwarder } = this.#options
    const now = new Map<string, RegisteredTool>()
    const mayTakeLong = hasTasks(listing)
    const known = new Set((await this.#options.server.ledger.trust.decisions()).map(({ tool }) => tool))
    const names = toolNames(settings.name, listing.tools, (name) => known.has(name))
    const serverVersion = listing.server?.version
    const slices = new TimeSlices()
    for (const [index, listed] of listing.tools.entries()) {
      const { name, full, alias, takenBy } = names[index] as ToolName
      const original = String(listed.name)
      const own = settingsForTool(settings.tools, { server: settings.name, name: full, alias, original })
      if (own.enabled === false) continue
      try {
        refuseNotReviewed(listed)
        if (takenBy !== undefined) throw sameName(name, takenBy)
        const text = definitionText(listed, mayTakeLong)
        const before = this.#tools.get(name)
        const { timeoutMs } = settings
        const definition: DefinitionState = { isOutdated: false }
        const options = { forwarder, listed, name, settings: own, timeoutMs, mayReturnTask: mayTakeLong, definition }
        if (before?.text === text && isUnchanged(before, { serverVersion, alias })) now.set(name, before)
        else {
          const onMismatch = settings.strict === true ? undefined : this.#mismatchLog(name)
          const made = proxiedTool({ ...options, serverVersion, onMismatch })
          const tool = withAliases(compiled(made), { canonical: alias, original })
          if (pageUris(listed._meta).length > 0) withShownMeta(tool, (meta) => metaWithHostUris(meta, this.#toHostUri))
          now.set(name, { tool, text, state: definition, serverVersion })
        }
      } catch (thrown) {
        this.#problems.push(toHostProblem(settings.name, thrown, original))
      }
      await slices.pause()
    }
    return now
  }

  /** Once for each definition: a program may repeat its mistake in every call. */
  #mismatchLog(name: string): MismatchListener {
    let isLogged = false
    return (issues) => {
      if (isLogged) return
      isLogged = true
      const what = issues.map(({ path, constraint }) => `${path || 'the arguments'} ${constraint}`).join('; ')
      this.#options.log(
        'warn',
        `${name}: arguments that do not fit its schema are passed on: ${clip(what, MAX_MISMATCH)}`,
      )
    }
  }

  #register(now: ReadonlyMap<string, RegisteredTool>): void {
    const { registry } = this.#options.server
    for (const [name, { tool }] of this.#tools) {
      if (now.get(name)?.tool === tool) continue
      registry.unregister(name, tool.version)
      this.#review.forget(tool)
    }
    for (const [name, { tool }] of now) {
      if (this.#tools.get(name)?.tool === tool) continue
      try {
        registry.register(tool)
      } catch (thrown) {
        // Another part of the server already has that name.
        this.#problems.push(toHostProblem(this.#options.settings.name, thrown, name))
      }
    }
    this.#tools = now
  }

  #failed(thrown: unknown): void {
    const { settings, log } = this.#options
    const reported = toHostProblem(settings.name, thrown)
    this.#problems.push(reported)
    log('error', `${settings.name}: its listing could not be registered: ${reported.message}`)
  }

  /** Unregisters everything. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#queue
    this.#register(new Map())
    this.#review.close()
    this.#options.catalogue.remove(this.#options.settings.name)
  }
}

/** Its other name becomes free or is taken with the tools beside it. */
const isUnchanged = (
  { tool, serverVersion, state }: RegisteredTool,
  now: { readonly serverVersion: string | undefined; readonly alias: string | undefined },
): boolean => serverVersion === now.serverVersion && aliasesOf(tool)?.canonical === now.alias && !state.isOutdated

function setPageTools(items: ItemDefinitions, registered: Iterable<RegisteredTool>): void {
  const tools = new Map<Tool, Tool[]>()
  for (const { tool } of registered)
    for (const uri of pageUris(upstreamListing(tool)?._meta)) {
      const page = items.pageAt(uri)
      if (page !== undefined) tools.set(page, [...(tools.get(page) ?? []), tool])
    }
  for (const [name] of items.pages()) {
    const page = items.get(name)
    if (page !== undefined) withPageTools(page, tools.get(page) ?? [])
  }
}
