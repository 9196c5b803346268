/**
 * The resources and prompts of all upstreams, merged into one server. Resources keep their URI. If two servers have the same URI,
 * the later one's gets the prefix `server+`. Prompt names stay unchanged while only one server has prompts. Only changed items are
 * touched.
 */
import type { JsonObject } from '../../protocol/json.ts'
import type { Catalogue } from '../../server/catalogue.ts'
import type { Server } from '../../server/server.ts'
import type { ServerView } from '../../server/server-view.ts'
import { flatName } from '../../tool/name.ts'
import type { Prompt } from '../../tool/prompt.ts'
import type { Resource } from '../../tool/resource.ts'
import { escapeHidden } from '../../tool/text/hidden-characters.ts'
import type { Forwarder } from '../forward/forwarder.ts'
import type { HostProblem } from '../servers/host-problem.ts'
import { suspicionAbout } from '../trust/suspicious-text.ts'
import type { Listing } from '../upstream/listing/listing.ts'
import { proxiedPrompt } from './proxied-prompt.ts'
import { proxiedResource, proxiedTemplate, unlistedResource } from './proxied-resource.ts'
import { toSnakeCase } from './tool-names.ts'
import { UriOwners } from './uri-owners.ts'

export interface UpstreamItems {
  readonly forwarder: Forwarder
  readonly listing: Pick<Listing, 'resources' | 'templates' | 'prompts'>
}

/** Items by key: what each is made from, and how. */
type Items<T> = ReadonlyMap<string, { readonly owner: Forwarder; readonly text: string; readonly make: () => T }>
type MutableItems<T> = Map<string, NonNullable<ReturnType<Items<T>['get']>>>

export class MergedCatalogue {
  readonly #server: Server
  readonly #upstreams = new Map<string, UpstreamItems>()
  #resources: Items<Resource> = new Map()
  #prompts: Items<Prompt> = new Map()
  #owners = new UriOwners()
  #aliases = new Map<string, string>()
  #problems: HostProblem[] = []
  /** server names in configuration order: the first one keeps a shared URI */
  order: readonly string[] = []

  constructor(server: Server, view: ServerView) {
    this.#server = server
    view.unlistedResource = (uri) => this.#unlisted(uri)
    view.unlistedPrompt = (name) => server.prompts.get(this.#aliases.get(name) ?? '')
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

  #rebuild(): void {
    this.#problems = []
    const upstreams = [...this.#upstreams].sort(([a], [b]) => this.order.indexOf(a) - this.order.indexOf(b))
    const { resources, prompts } = this.#server
    this.#resources = update(resources, this.#resources, this.#wantedResources(upstreams))
    this.#prompts = update(prompts, this.#prompts, this.#wantedPrompts(upstreams))
  }

  #wantedResources(upstreams: readonly [string, UpstreamItems][]): Items<Resource> {
    const wanted: MutableItems<Resource> = new Map()
    this.#owners = new UriOwners()
    for (const [name, one] of upstreams) {
      const add = (uri: unknown, listed: JsonObject, make: (prefix: string) => Resource): void => {
        const own = String(uri)
        if (this.#isSuspicious(name, own, listed)) return
        const prefix = this.#isTaken(own, wanted) ? prefixOf(name) : ''
        if (this.#isTaken(prefix + own, wanted)) return this.#reportDuplicate(name, own)
        wanted.set(prefix + own, { owner: one.forwarder, text: JSON.stringify(listed), make: () => make(prefix) })
        this.#owners.add(own, one.forwarder)
      }
      const { resources, templates } = one.listing
      for (const listed of resources)
        add(listed.uri, listed, (prefix) => proxiedResource(one.forwarder, prefix, listed))
      for (const listed of templates)
        add(listed.uriTemplate, listed, (prefix) => proxiedTemplate(one.forwarder, prefix, listed))
      this.#owners.addPrefix(prefixOf(name), one.forwarder)
    }
    return wanted
  }

  /** Taken by another upstream, or by the server itself. */
  #isTaken(key: string, wanted: Items<Resource>): boolean {
    return wanted.has(key) || (this.#server.resources.get(key) !== undefined && !this.#resources.has(key))
  }

  #wantedPrompts(upstreams: readonly [string, UpstreamItems][]): Items<Prompt> {
    const wanted: MutableItems<Prompt> = new Map()
    this.#aliases = new Map()
    const bare: [string, string][] = []
    const isAlone = upstreams.filter(([, { listing }]) => listing.prompts.length > 0).length === 1
    for (const [name, one] of upstreams) {
      for (const listed of one.listing.prompts) {
        const original = String(listed.name)
        if (this.#isSuspicious(name, original, listed)) continue
        const flat = flatName(`${name}.${toSnakeCase(original) || original}`)
        const isOthers = this.#server.prompts.get(original) !== undefined && !this.#prompts.has(original)
        const key = isAlone && !isOthers ? original : flat
        if (wanted.has(key)) {
          this.#reportDuplicate(name, original)
          continue
        }
        wanted.set(key, {
          owner: one.forwarder,
          text: JSON.stringify(listed),
          make: () => proxiedPrompt(one.forwarder, key, listed),
        })
        this.#addAliases(key, `${name}.${original}`, flat)
        bare.push([key, original])
      }
    }
    // After all names with a server prefix, so no prompt can take over another server's prefixed name.
    for (const [key, original] of bare) this.#addAliases(key, original)
    return wanted
  }

  /** The first prompt with a name keeps it. */
  #addAliases(key: string, ...aliases: readonly string[]): void {
    for (const alias of aliases) if (!this.#aliases.has(alias)) this.#aliases.set(alias, key)
  }

  /** Models read listed texts, and nobody reviews resources and prompts one by one: suspicious ones are skipped. */
  #isSuspicious(server: string, item: string, listed: JsonObject): boolean {
    const suspicion = suspicionAbout(listed)
    if (suspicion === undefined) return false
    const message = `${server}: ${escapeHidden(item)} is skipped: ${suspicion}`
    this.#problems.push({ server, item, error_type: 'PermissionError', message })
    return true
  }

  #reportDuplicate(server: string, item: string): void {
    const message = `${server} lists ${JSON.stringify(item)} twice. The second one is skipped.`
    this.#problems.push({ server, item, error_type: 'RegistrationError', message })
  }

  #unlisted(uri: string): Resource | undefined {
    const found = this.#owners.find(uri)
    return found && unlistedResource(found.to, found.prefix, uri)
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
