/**
 * The resources and prompts of all upstreams, merged into one server. Resources keep their URI while no other server has URIs of the
 * same scheme and authority. Otherwise all of them get the prefix `server+`, so that no server can claim the URI of another. Prompt names
 * stay unchanged while only one server has prompts and every server is known. The names and, as far as the ledger knows them, the URIs of
 * a server that is not here yet are kept for it. Only changed items are touched.
 */
import { mayReadResources } from '../../pipeline/gates/authorise.ts'
import { isObject, type JsonObject } from '../../protocol/json.ts'
import type { Catalogue } from '../../server/catalogue.ts'
import { type FoundResource, ResourceIndex } from '../../server/resource-index.ts'
import type { Server } from '../../server/server.ts'
import type { ServerView } from '../../server/server-view.ts'
import { pageUris } from '../../tool/app-meta.ts'
import { schemeOf } from '../../tool/canonical-uri.ts'
import type { Principal } from '../../tool/context.ts'
import { type ItemNames, resolveNames } from '../../tool/name-resolver.ts'
import { passedHosts } from '../../tool/passed-hosts.ts'
import type { Prompt } from '../../tool/prompt.ts'
import { withDefinition, withStandIn } from '../../tool/request-definition.ts'
import { type Resource, templateKey } from '../../tool/resource.ts'
import type { Tool } from '../../tool/tool.ts'
import { templateProblem } from '../../tool/uri-template.ts'
import type { Forwarder } from '../forward/forwarder.ts'
import type { HostProblem } from '../servers/host-problem.ts'
import type { ItemDefinitions, ListedItems } from './item-definitions.ts'
import { proxiedPrompt } from './proxied-prompt.ts'
import { proxiedResource, proxiedTemplate, unlistedResource } from './proxied-resource.ts'
import { prefixOf, withoutPrefix, withPrefix } from './uri-prefix.ts'
import { type UriOwners, UriSpaces } from './uri-spaces.ts'

export interface UpstreamItems {
  readonly forwarder: Forwarder
  readonly listing: ListedItems
  readonly definitions: ItemDefinitions
}

/** Items by key: what each is made from, and how. */
type Items<T> = ReadonlyMap<string, { readonly owner: Forwarder; readonly text: string; readonly make: () => T }>
type MutableItems<T> = Map<string, NonNullable<ReturnType<Items<T>['get']>>>

const itemText = ({ hash }: Tool, listed: JsonObject): string =>
  `${hash} ${passedHosts(listed).join()} ${JSON.stringify(listed)}`

export class MergedCatalogue {
  readonly #server: Server
  readonly #upstreams = new Map<string, UpstreamItems>()
  /** the resources of each upstream that are served */
  #indexes = new Map<UpstreamItems, ResourceIndex>()
  /** names of the configured upstreams, known or not */
  #reserved: ReadonlySet<string> = new Set()
  #resources: Items<Resource> = new Map()
  #prompts: Items<Prompt> = new Map()
  #spaces = new UriSpaces<SpaceOwner>()
  #aliases = new Map<string, string>()
  #problems: HostProblem[] = []
  /** the URIs of the pages of all tools */
  #pages = ''
  #isUpdating = false
  /** server names in configuration order: the first one keeps a shared URI */
  order: readonly string[] = []

  constructor(server: Server, view: ServerView) {
    this.#server = server
    view.findResource = (uri, principal) => this.#find(uri, principal)
    view.explainMissingResource = (uri, principal) => this.#explainMissing(uri, principal)
    view.unlistedPrompt = (name) => server.prompts.get(this.#aliases.get(name) ?? '')
    view.makeRoom = (resources, prompts) => this.#makeRoom(resources, prompts)
    // The server's own items come first, also if they come later.
    const onOwnChange = (): void => {
      if (!this.#isUpdating && this.#upstreams.size > 0) this.#rebuild()
    }
    server.resources.onChange(onOwnChange)
    server.prompts.onChange(onOwnChange)
  }

  #makeRoom(resources: readonly string[], prompts: readonly string[]): void {
    this.#asUpdate(() => {
      this.#resources = release(this.#server.resources, this.#resources, resources)
      this.#prompts = release(this.#server.prompts, this.#prompts, prompts)
    })
  }

  /** Changes that it makes itself are none of the server's own. */
  #asUpdate(change: () => void): void {
    this.#isUpdating = true
    try {
      change()
    } finally {
      this.#isUpdating = false
    }
  }

  get problems(): readonly HostProblem[] {
    return this.#problems
  }

  /** Keeps names and URIs for these upstreams, whether they are known or not. Replaces the names given before. */
  reserve(names: ReadonlySet<string>): void {
    if (names.symmetricDifference(this.#reserved).size === 0) return
    this.#reserved = new Set(names)
    if (this.#upstreams.size > 0) this.#rebuild()
  }

  put(name: string, upstreams: UpstreamItems): void {
    this.#upstreams.set(name, upstreams)
    this.#rebuild()
  }

  remove(name: string): void {
    if (this.#upstreams.delete(name)) this.#rebuild()
  }

  /** The definition of a resource, a prompt or a method of an upstream. */
  definition(name: string): Tool | undefined {
    for (const { definitions } of this.#upstreams.values()) {
      const found = definitions.get(name)
      if (found !== undefined) return found
    }
    return undefined
  }

  #rebuild(): void {
    this.#problems = []
    const upstreams = [...this.#upstreams].sort(([a], [b]) => this.order.indexOf(a) - this.order.indexOf(b))
    const { resources, prompts } = this.#server
    this.#asUpdate(() => {
      this.#resources = update(resources, this.#resources, this.#wantedResources(upstreams))
      this.#prompts = update(prompts, this.#prompts, this.#wantedPrompts(upstreams))
    })
    this.#updatePages()
    const served = Map.groupBy(this.#resources, ([, { owner }]) => owner)
    this.#indexes = new Map(
      upstreams.map(([, one]) => {
        const keys = served.get(one.forwarder)?.map(([key]) => key) ?? []
        return [one, new ResourceIndex(keys.flatMap((key) => resources.get(key) ?? []))]
      }),
    )
  }

  #wantedResources(upstreams: readonly [string, UpstreamItems][]): Items<Resource> {
    const wanted: MutableItems<Resource> = new Map()
    const spaces = this.#readSpaces(upstreams)
    for (const [name, one] of upstreams) {
      const { forwarder, definitions } = one
      const add = (
        uri: unknown,
        listed: JsonObject,
        make: (prefix: string) => Resource,
        keyOf = (served: string) => served,
      ): void => {
        const own = String(uri)
        const definition = definitions.of(listed)
        const prefix = spaces.isExclusive(own, one) ? '' : prefixOf(name)
        const key = keyOf(withPrefix(prefix, own))
        if (definition === undefined || wanted.has(key)) return this.#reportDuplicate(name, own)
        const text = itemText(definition, listed)
        wanted.set(key, {
          owner: forwarder,
          text,
          make: () => {
            const made = withDefinition(make(prefix), definition)
            // A page is run by clients: no other definition lets it be read before it was reviewed.
            return definitions.pageAt(own) === definition ? made : withStandIn(made, definitions.late)
          },
        })
      }
      const { resources, templates } = one.listing
      for (const listed of resources) add(listed.uri, listed, (prefix) => proxiedResource(forwarder, prefix, listed))
      for (const listed of templates) {
        const problem = templateProblem(String(listed.uriTemplate))
        if (problem === undefined)
          add(listed.uriTemplate, listed, (prefix) => proxiedTemplate(forwarder, prefix, listed), templateKey)
        else this.#reportTemplate(name, String(listed.uriTemplate), problem)
      }
    }
    return wanted
  }

  /** The server's own resources have spaces too, and keep their URIs. */
  #readSpaces(upstreams: readonly [string, UpstreamItems][]): UriSpaces<SpaceOwner> {
    const spaces = new UriSpaces<SpaceOwner>()
    const { resources } = this.#server
    for (const item of resources.all()) {
      if (!this.#resources.has(resources.keyOf(item))) spaces.add(item.uri ?? item.template?.text ?? '', 'own')
    }
    for (const [name, one] of upstreams) {
      spaces.addPrefix(prefixOf(name), one)
      for (const { uri } of one.listing.resources) spaces.add(String(uri), one)
      for (const { uriTemplate } of one.listing.templates) spaces.add(String(uriTemplate), one)
    }
    // Servers that are not known yet have their prefix all the same, and the URIs that they listed before.
    for (const name of this.#reserved.union(new Set(this.order))) {
      if (this.#upstreams.has(name)) continue
      spaces.addPrefix(prefixOf(name), 'unknown')
      for (const uri of this.#server.ledger.trust.resourcesOf(name)) spaces.add(uri, 'unknown')
    }
    this.#spaces = spaces
    return spaces
  }

  /** See tool/name-resolver.ts. */
  #wantedPrompts(upstreams: readonly [string, UpstreamItems][]): Items<Prompt> {
    const wanted: MutableItems<Prompt> = new Map()
    this.#aliases = new Map()
    const listings = upstreams.flatMap(([name, { forwarder, listing, definitions }]) =>
      listing.prompts.flatMap((listed) => {
        const definition = definitions.of(listed)
        if (definition === undefined) this.#reportDuplicate(name, String(listed.name))
        return definition === undefined ? [] : { server: name, forwarder, listed, definition }
      }),
    )
    const names = resolveNames(
      listings.map(({ definition, listed }) => ({ name: promptName(definition), bare: String(listed.name) })),
      { reserved: this.#reserved, known: new Set(this.#upstreams.keys()) },
    )
    const isAlone = new Set(listings.map(({ server }) => server)).size === 1
    const keys = names.map(({ flat, bare, isBareUnique }) => {
      const isOthers = this.#server.prompts.get(bare) !== undefined && !this.#prompts.has(bare)
      return isAlone && isBareUnique && !isOthers ? bare : flat
    })
    for (const [index, { server, forwarder, listed, definition }] of listings.entries()) {
      const [key, { flat, name }] = [keys[index] as string, names[index] as ItemNames]
      if (wanted.has(key)) {
        this.#reportDuplicate(server, String(listed.name))
        continue
      }
      wanted.set(key, {
        owner: forwarder,
        text: itemText(definition, listed),
        make: () => withDefinition(proxiedPrompt(forwarder, key, listed), definition),
      })
      this.#addAliases(key, name, `${server}.${String(listed.name)}`, flat)
    }
    // After all names with a server prefix, so no prompt can take over another server's prefixed name.
    for (const [index, { bare, isBareUnique }] of names.entries())
      if (isBareUnique) this.#addAliases(keys[index] as string, bare)
    return wanted
  }

  /** The first prompt with a name keeps it. */
  #addAliases(key: string, ...aliases: readonly string[]): void {
    for (const alias of aliases) if (!this.#aliases.has(alias)) this.#aliases.set(alias, key)
  }

  #reportTemplate(server: string, item: string, why: string): void {
    const message = `${server} lists the template ${JSON.stringify(item.slice(0, 200))}, which is skipped: ${why}.`
    this.#problems.push({ server, item, error_type: 'RegistrationError', message })
  }

  #reportDuplicate(server: string, item: string): void {
    const message = `${server} lists ${JSON.stringify(item)} twice. The second one is skipped.`
    this.#problems.push({ server, item, error_type: 'RegistrationError', message })
  }

  /** Only resources of the server that has the space of the URI, or its prefix. */
  #find(uri: string, principal: Principal | undefined): FoundResource | undefined {
    const { owners, prefix } = this.#candidates(uri)
    const [owner, ...others] = owners
    if (owner === undefined || owner === 'own' || owner === 'unknown' || others.length > 0) return undefined
    const { forwarder, definitions } = owner
    const { name } = forwarder.upstream.settings
    const index = this.#indexes.get(owner)
    const mayRead =
      principal === undefined ||
      (mayReadResources(principal, name) && this.#server.pipeline.profiles.reaches(principal, name))
    const listed = index?.listed(uri) ?? (mayRead ? index?.matching(uri) : undefined)
    if (listed !== undefined) return listed
    const definition = definitions.pageAt(prefix === '' ? uri : withoutPrefix(prefix, uri)) ?? definitions.unlisted
    return {
      item: withDefinition(unlistedResource(forwarder, prefix, uri, this.#server.view.hostId), definition),
      variables: {},
      uri,
    }
  }

  /** A URI of a server as clients of the host must ask for it, so that it reaches this server and no other. */
  uriFor(server: string, uri: string): string {
    const one = this.#upstreams.get(server)
    if (one === undefined || one === this.#sole) return uri
    const { owners, prefix } = this.#spaces.ownersOf(uri)
    const isOwn = prefix === '' && owners.size === 1 && owners.has(one)
    return isOwn ? uri : withPrefix(prefixOf(server), uri)
  }

  /** Where the pages of apps are. Clients read that in the list of tools. */
  #updatePages(): void {
    const places: string[] = []
    const withPages = [...this.#spaces.sharersOfScheme('ui:')]
    for (const [name, { forwarder, listing }] of this.#upstreams) {
      const uris = [...new Set(listing.tools.flatMap(({ _meta }) => pageUris(_meta)))]
      const here = uris.map((uri) => this.uriFor(name, uri))
      const isMoved = here.some((uri, index) => uri !== uris[index])
      // A result could name the page of another server: a client would show it there, with data of this server.
      const otherHasPages = withPages.some((other) => other !== this.#upstreams.get(name))
      forwarder.toHostUri = isMoved || otherHasPages ? (uri) => this.uriFor(name, uri) : undefined
      places.push(...here)
    }
    const now = places.join('\n')
    if (now === this.#pages) return
    this.#pages = now
    this.#server.registry.relist()
  }

  /**
   * The servers that may have a URI, the best evidence first: those with its prefix or in its space, those with URIs of its scheme, those
   * with resources at all. Who has listed something always comes before who has not, so no server takes what is another's.
   */
  #candidates(uri: string): UriOwners<SpaceOwner> {
    const found = this.#spaces.ownersOf(uri)
    if (found.owners.size > 0) return found
    const sole = this.#sole
    if (sole !== undefined) return { owners: new Set([sole]), prefix: '' }
    const ofScheme = this.#spaces.sharersOfScheme(uri)
    if (ofScheme.size > 0) return { owners: ofScheme, prefix: '' }
    return { owners: schemeOf(uri) === undefined ? new Set() : this.#withResources(), prefix: '' }
  }

  /** A server that is not known yet may have any resource. */
  #withResources(): ReadonlySet<SpaceOwner> {
    const known = [...this.#upstreams.values()].filter(({ listing }) => isObject(listing.capabilities.resources))
    const isComplete = [...this.#reserved].every((name) => this.#upstreams.has(name))
    return new Set<SpaceOwner>(isComplete ? known : [...known, 'unknown'])
  }

  /**
   * Names only servers of which the caller may read something. If its profile hides any of those that may have it, there is no hint: what
   * a caller cannot see must look like what does not exist.
   */
  #explainMissing(uri: string, principal: Principal): string | undefined {
    const { owners } = this.#candidates(uri)
    if (owners.size < 2 || !this.#isInView(owners, principal)) return undefined
    const names = [...this.#upstreams]
      .flatMap(([name, one]) => (owners.has(one) && mayReadResources(principal, name) ? [name] : []))
      .sort()
    if (names.length === 0) return undefined
    const uris = names.map((name) => withPrefix(prefixOf(name), uri))
    const rest = owners.has('unknown') ? ' Servers that are not connected may have it too.' : ''
    return `It may be a resource of ${names.join(' or ')}. Ask for ${uris.join(' or ')}.${rest}`
  }

  #isInView(owners: ReadonlySet<SpaceOwner>, principal: Principal): boolean {
    if (principal.profile === undefined) return true
    const { profiles } = this.#server.pipeline
    return [...owners].every(
      (one) => typeof one !== 'string' && profiles.reaches(principal, one.forwarder.upstream.settings.name),
    )
  }

  /** A host of one server has nothing to confuse it with. */
  get #sole(): UpstreamItems | undefined {
    const [sole, ...others] = this.#upstreams.values()
    return others.length === 0 && this.#reserved.size <= 1 && this.order.length <= 1 ? sole : undefined
  }
}

/** `own`: this server. `unknown`: a configured server that is not known yet. */
type SpaceOwner = UpstreamItems | 'own' | 'unknown'

const promptName = ({ name }: Tool): string => name.slice('prompt:'.length)

/** Removes items that are no longer wanted, then adds new ones. Returns the wanted ones. */
function update<T extends object>(catalogue: Catalogue<T>, before: Items<T>, wanted: Items<T>): Items<T> {
  const isSame = (key: string): boolean => {
    const [old, now] = [before.get(key), wanted.get(key)]
    return old !== undefined && old.owner === now?.owner && old.text === now.text
  }
  for (const key of before.keys()) if (!isSame(key)) catalogue.remove(key)
  for (const [key, { make }] of wanted) if (!isSame(key)) catalogue.add(make())
  return wanted
}

/** Removes items whose keys somebody else needs. */
function release<T extends object>(catalogue: Catalogue<T>, items: Items<T>, keys: readonly string[]): Items<T> {
  const left = new Map(items)
  for (const key of keys) if (left.delete(key)) catalogue.remove(key)
  return left
}
