/**
 * The resources and prompts of all upstreams on one server. Resources keep their URI; where two servers have the same, the later one's
 * stands under its name and a plus. Prompts keep their name while only one server has some. Only what changed is touched.
 */
import type { JsonObject } from '../../protocol/json.ts'
import type { Catalogue } from '../../server/catalogue.ts'
import type { Server } from '../../server/server.ts'
import { flatName } from '../../tool/name.ts'
import type { Prompt } from '../../tool/prompt.ts'
import type { Resource } from '../../tool/resource.ts'
import { escapeHidden } from '../../tool/text/hidden-characters.ts'
import type { Forwarder } from '../forward/forwarder.ts'
import type { HostProblem } from '../servers/host-problem.ts'
import { suspicionAbout } from '../trust/suspicious-text.ts'
import type { Listing } from '../upstream/listing/listing.ts'
import { proxiedPrompt } from './proxied-prompt.ts'
import { proxiedResource, proxiedTemplate, type ResourceSource, unlistedResource } from './proxied-resource.ts'
import { toSnakeCase } from './tool-names.ts'
import { UriOwners } from './uri-owners.ts'

export interface UpstreamItems extends ResourceSource {
  readonly listing: Pick<Listing, 'resources' | 'templates' | 'prompts'>
}

/** What stands on the shelf under a key, and what it was made of. */
interface Placed<T> {
  readonly item: T
  readonly owner: Forwarder
  readonly said: string
}

type Wanted<T> = Map<string, { owner: Forwarder; said: string; make: () => T }>

export class MergedCatalogue {
  readonly #server: Server
  readonly #goods = new Map<string, UpstreamItems>()
  readonly #resources = new Map<string, Placed<Resource>>()
  readonly #prompts = new Map<string, Placed<Prompt>>()
  readonly #routes = new UriOwners()
  #aliases = new Map<string, string>()
  #problems: HostProblem[] = []
  /** of the configuration: who comes first keeps the URI that two have */
  order: readonly string[] = []

  constructor(server: Server) {
    this.#server = server
    server.resources.unlisted = (uri) => this.#unlisted(uri)
    server.prompts.unlisted = (name) => server.prompts.get(this.#aliases.get(name) ?? '')
  }

  get problems(): readonly HostProblem[] {
    return this.#problems
  }

  put(name: string, goods: UpstreamItems): void {
    this.#goods.set(name, goods)
    this.#arrange()
  }

  remove(name: string): void {
    if (this.#goods.delete(name)) this.#arrange()
  }

  #arrange(): void {
    this.#problems = []
    const goods = [...this.#goods].sort(([a], [b]) => this.order.indexOf(a) - this.order.indexOf(b))
    const { resources, prompts } = this.#server
    place(resources, this.#resources, this.#wantedResources(goods))
    place(prompts, this.#prompts, this.#wantedPrompts(goods))
  }

  #wantedResources(goods: readonly [string, UpstreamItems][]): Wanted<Resource> {
    const wanted: Wanted<Resource> = new Map()
    this.#routes.clear()
    for (const [name, one] of goods) {
      const add = (uri: unknown, listed: JsonObject, make: (prefix: string) => Resource): void => {
        const own = String(uri)
        if (this.#isDoubtful(name, own, listed)) return
        const prefix = this.#isTaken(own, wanted) ? prefixOf(name) : ''
        if (this.#isTaken(prefix + own, wanted)) return this.#twice(name, own)
        wanted.set(prefix + own, { owner: one.forwarder, said: JSON.stringify(listed), make: () => make(prefix) })
        this.#routes.add(own, one)
      }
      const { resources, templates } = one.listing
      for (const listed of resources) add(listed.uri, listed, (prefix) => proxiedResource(one, prefix, listed))
      for (const listed of templates) add(listed.uriTemplate, listed, (prefix) => proxiedTemplate(one, prefix, listed))
      this.#routes.addPrefix(prefixOf(name), one)
    }
    return wanted
  }

  /** By another upstream, or by something of the server's own. */
  #isTaken(key: string, wanted: Wanted<Resource>): boolean {
    return wanted.has(key) || (this.#server.resources.get(key) !== undefined && !this.#resources.has(key))
  }

  #wantedPrompts(goods: readonly [string, UpstreamItems][]): Wanted<Prompt> {
    const wanted: Wanted<Prompt> = new Map()
    this.#aliases = new Map()
    const bare: [string, string][] = []
    const isAlone = goods.filter(([, { listing }]) => listing.prompts.length > 0).length === 1
    for (const [name, one] of goods) {
      for (const listed of one.listing.prompts) {
        const theirs = String(listed.name)
        if (this.#isDoubtful(name, theirs, listed)) continue
        const flat = flatName(`${name}.${toSnakeCase(theirs) || theirs}`)
        const isOthers = this.#server.prompts.get(theirs) !== undefined && !this.#prompts.has(theirs)
        const key = isAlone && !isOthers ? theirs : flat
        if (wanted.has(key)) {
          this.#twice(name, theirs)
          continue
        }
        wanted.set(key, {
          owner: one.forwarder,
          said: JSON.stringify(listed),
          make: () => proxiedPrompt(one.forwarder, key, listed),
        })
        this.#call(key, `${name}.${theirs}`, flat)
        bare.push([key, theirs])
      }
    }
    // After all names that have a server in front: none may call its prompt by another's.
    for (const [key, theirs] of bare) this.#call(key, theirs)
    return wanted
  }

  /** The first who has a name is meant by it. */
  #call(key: string, ...aliases: readonly string[]): void {
    for (const alias of aliases) if (!this.#aliases.has(alias)) this.#aliases.set(alias, key)
  }

  /** Models read what is listed, and nobody decides about each of these: one that hides something or gives orders is left out. */
  #isDoubtful(server: string, item: string, listed: JsonObject): boolean {
    const doubt = suspicionAbout(listed)
    if (doubt === undefined) return false
    const message = `${server}: ${escapeHidden(item)} is left out: ${doubt}`
    this.#problems.push({ server, item, error_type: 'PermissionError', message })
    return true
  }

  #twice(server: string, item: string): void {
    const message = `${server} lists ${JSON.stringify(item)} twice; the second is left out.`
    this.#problems.push({ server, item, error_type: 'RegistrationError', message })
  }

  #unlisted(uri: string): Resource | undefined {
    const found = this.#routes.find(uri)
    return found && unlistedResource(found.to, found.prefix, uri)
  }
}

/** A plus cannot be mistaken for a part of a name of ours. */
const prefixOf = (server: string): string => `${/^[a-z]/.test(server) ? '' : 'x'}${server.replaceAll('_', '-')}+`

/** Takes away what is not wanted any more, then puts up what is new. */
function place<T extends object>(on: Catalogue<T>, placed: Map<string, Placed<T>>, wanted: Wanted<T>): void {
  for (const [key, { owner, said }] of placed) {
    const now = wanted.get(key)
    if (now?.owner === owner && now.said === said) continue
    on.remove(key)
    placed.delete(key)
  }
  for (const [key, { owner, said, make }] of wanted) {
    if (placed.has(key)) continue
    const item = make()
    on.add(item)
    placed.set(key, { item, owner, said })
  }
}
