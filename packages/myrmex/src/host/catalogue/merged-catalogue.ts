/**
 * The resources and prompts of all upstreams, merged into one server. Resources keep their URI while no other server has URIs of the
 * same scheme and authority. Otherwise all of them get the prefix `server+`, so that no server can claim the URI of another. Prompt names
 * stay unchanged while only one server has prompts. Only changed items are touched.
 */
import type { JsonObject } from '../../protocol/json.ts'
import type { Catalogue } from '../../server/catalogue.ts'
import type { Server } from '../../server/server.ts'
import type { ServerView } from '../../server/server-view.ts'
import { flatName, hashedName } from '../../tool/name.ts'
import type { Prompt } from '../../tool/prompt.ts'
import { withDefinition, withStandIn } from '../../tool/request-definition.ts'
import type { Resource } from '../../tool/resource.ts'
import type { Tool } from '../../tool/tool.ts'
import type { Forwarder } from '../forward/forwarder.ts'
import type { HostProblem } from '../servers/host-problem.ts'
import type { ItemDefinitions, ListedItems } from './item-definitions.ts'
import { proxiedPrompt } from './proxied-prompt.ts'
import { proxiedResource, proxiedTemplate, unlistedResource } from './proxied-resource.ts'
import { UriSpaces } from './uri-spaces.ts'

export interface UpstreamItems {
  readonly forwarder: Forwarder
  readonly listing: ListedItems
  readonly definitions: ItemDefinitions
}

/** Items by key: what each is made from, and how. */
type Items<T> = ReadonlyMap<string, { readonly owner: Forwarder; readonly text: string; readonly make: () => T }>
type MutableItems<T> = Map<string, NonNullable<ReturnType<Items<T>['get']>>>

export class MergedCatalogue {
  readonly #server: Server
  readonly #upstreams = new Map<string, UpstreamItems>()
  #resources: Items<Resource> = new Map()
  #prompts: Items<Prompt> = new Map()
  #spaces = new UriSpaces<UpstreamItems | undefined>()
  #aliases = new Map<string, string>()
  #problems: HostProblem[] = []
  #isUpdating = false
  /** server names in configuration order: the first one keeps a shared URI */
  order: readonly string[] = []

  constructor(server: Server, view: ServerView) {
    this.#server = server
    view.unlistedResource = (uri) => this.#unlisted(uri)
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
  }

  #wantedResources(upstreams: readonly [string, UpstreamItems][]): Items<Resource> {
    const wanted: MutableItems<Resource> = new Map()
    const spaces = this.#readSpaces(upstreams)
    for (const [name, one] of upstreams) {
      const { forwarder, definitions } = one
      const add = (uri: unknown, listed: JsonObject, make: (prefix: string) => Resource): void => {
        const own = String(uri)
        const definition = definitions.of(listed)
        const prefix = spaces.isExclusive(own, one) ? '' : prefixOf(name)
        if (definition === undefined || wanted.has(prefix + own)) return this.#reportDuplicate(name, own)
        const text = `${definition.hash} ${JSON.stringify(listed)}`
        wanted.set(prefix + own, {
          owner: forwarder,
          text,
          make: () => withStandIn(withDefinition(make(prefix), definition), definitions.unlisted),
        })
      }
      const { resources, templates } = one.listing
      for (const listed of resources) add(listed.uri, listed, (prefix) => proxiedResource(forwarder, prefix, listed))
      for (const listed of templates)
        add(listed.uriTemplate, listed, (prefix) => proxiedTemplate(forwarder, prefix, listed))
    }
    return wanted
  }

  /** The server's own resources have spaces too, and keep their URIs. */
  #readSpaces(upstreams: readonly [string, UpstreamItems][]): UriSpaces<UpstreamItems | undefined> {
    const spaces = new UriSpaces<UpstreamItems | undefined>()
    const { resources } = this.#server
    for (const item of resources.all()) {
      const key = resources.keyOf(item)
      if (!this.#resources.has(key)) spaces.add(key, undefined)
    }
    for (const [name, one] of upstreams) {
      spaces.addPrefix(prefixOf(name), one)
      for (const { uri } of one.listing.resources) spaces.add(String(uri), one)
      for (const { uriTemplate } of one.listing.templates) spaces.add(String(uriTemplate), one)
    }
    // Servers that are not known yet have their prefix all the same.
    for (const name of this.order) if (!this.#upstreams.has(name)) spaces.addPrefix(prefixOf(name), undefined)
    this.#spaces = spaces
    return spaces
  }

  #wantedPrompts(upstreams: readonly [string, UpstreamItems][]): Items<Prompt> {
    const wanted: MutableItems<Prompt> = new Map()
    this.#aliases = new Map()
    const bare: [string, string][] = []
    const names = upstreams.flatMap(([, { listing, definitions }]) =>
      listing.prompts.map((listed) => definitions.of(listed)?.name.slice('prompt:'.length) ?? ''),
    )
    // `a.b_c` and `a_b.c` flatten alike: then neither server gets the flat name.
    const flats = Map.groupBy(names, flatName)
    const isAlone = upstreams.filter(([, { listing }]) => listing.prompts.length > 0).length === 1
    for (const [name, one] of upstreams) {
      for (const listed of one.listing.prompts) {
        const original = String(listed.name)
        const definition = one.definitions.of(listed)
        const canonical = definition?.name.slice('prompt:'.length) ?? ''
        const flat = flats.get(flatName(canonical))?.length === 1 ? flatName(canonical) : hashedName(canonical)
        const isOthers = this.#server.prompts.get(original) !== undefined && !this.#prompts.has(original)
        const key = isAlone && !isOthers ? original : flat
        if (definition === undefined || wanted.has(key)) {
          this.#reportDuplicate(name, original)
          continue
        }
        wanted.set(key, {
          owner: one.forwarder,
          text: `${definition.hash} ${JSON.stringify(listed)}`,
          make: () => withDefinition(proxiedPrompt(one.forwarder, key, listed), definition),
        })
        this.#addAliases(key, `${name}.${original}`, flat)
        bare.push([key, original])
      }
    }
    // After all names with a server prefix, so no prompt can take over another server's prefixed name.
    const originals = Map.groupBy(bare, ([, original]) => original)
    for (const [key, original] of bare) if (originals.get(original)?.length === 1) this.#addAliases(key, original)
    return wanted
  }

  /** The first prompt with a name keeps it. */
  #addAliases(key: string, ...aliases: readonly string[]): void {
    for (const alias of aliases) if (!this.#aliases.has(alias)) this.#aliases.set(alias, key)
  }

  #reportDuplicate(server: string, item: string): void {
    const message = `${server} lists ${JSON.stringify(item)} twice. The second one is skipped.`
    this.#problems.push({ server, item, error_type: 'RegistrationError', message })
  }

  #unlisted(uri: string): Resource | undefined {
    const [sole, ...others] = this.#upstreams.values()
    // A host of one server has nothing to confuse it with.
    const isAlone = sole !== undefined && others.length === 0 && this.order.length === 1
    const { owner, prefix } = this.#spaces.find(uri) ?? (isAlone ? { owner: sole, prefix: '' } : {})
    if (owner === undefined || prefix === undefined) return undefined
    return withDefinition(unlistedResource(owner.forwarder, prefix, uri), owner.definitions.unlisted)
  }
}

/** The plus sign cannot be part of a server name. */
const prefixOf = (server: string): string => `${/^[a-z]/.test(server) ? '' : 'x'}${server.replaceAll('_', '-')}+`

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
