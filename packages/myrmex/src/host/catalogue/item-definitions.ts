/**
 * The definitions of an upstream's resources, templates, prompts and agent methods, as it lists them. They are pinned and decided about
 * like its tools. An item that did not change keeps its definition object.
 */
import { getOrMake } from '../../protocol/get-or-make.ts'
import { isObject, type JsonObject } from '../../protocol/json.ts'
import { AGENT_EXTENSION } from '../../protocol/versions.ts'
import { canonicalTemplate, canonicalUri } from '../../tool/canonical-uri.ts'
import { hasSchemeOf, withPossibleResources } from '../../tool/possible-resources.ts'
import { agentMethodDefinition, requestDefinition, requestName } from '../../tool/request-definition.ts'
import { templateKey } from '../../tool/resource.ts'
import type { Tool } from '../../tool/tool.ts'
import type { Listing } from '../upstream/listing/listing.ts'
import { type ToolName, toolNames } from './tool-names.ts'

export type ListedItems = Pick<Listing, 'resources' | 'templates' | 'prompts' | 'capabilities' | 'pages' | 'tools'>

/** by the definition of unlisted resources */
const lateDefinitions = new WeakMap<Tool, Tool>()

interface KeptDefinition {
  readonly definition: Tool
  /** what it was made from */
  readonly text: string
}

/** Two spellings of one URI, or a name that is used twice: the second item has no definition and is not served. */
export class ItemDefinitions {
  readonly #byName = new Map<string, KeptDefinition>()
  readonly #byItem = new Map<JsonObject, Tool>()
  /** of the pages of apps, by canonical URI */
  readonly #pages = new Map<string, { readonly page: JsonObject; readonly definition?: Tool | undefined }>()
  readonly #known: ItemDefinitions | undefined
  readonly #timeout: number
  /** for the resources that the server does not list */
  readonly unlisted: Tool
  /** the same for resources that it lists later: they can be read like unlisted ones, but can mean no other resource */
  readonly late: Tool

  constructor(server: string, listing: ListedItems, timeout: number, known?: ItemDefinitions) {
    this.#known = known
    this.#timeout = timeout
    this.unlisted = this.#add(requestName('resource', server, '*'), {}, 'Resources that the server does not list.')
    this.late = getOrMake(lateDefinitions, this.unlisted, ({ name, description }) =>
      requestDefinition({ name, description, listing: {}, origin: 'upstream', timeout }),
    )
    for (const page of listing.pages ?? []) this.#pages.set(canonicalUri(String(page.uri)), { page })
    const spellings = new Set<string>()
    for (const item of [...listing.resources, ...listing.templates]) {
      const uri = String(item.uri ?? item.uriTemplate)
      const spelling = item.uri === undefined ? templateKey(canonicalTemplate(uri)) : canonicalUri(uri)
      if (spellings.has(spelling)) continue
      spellings.add(spelling)
      const name = requestName('resource', server, uri)
      // A template may have the text of a resource. It has a definition of its own.
      const own = item.uri === undefined && this.#byName.has(name) ? `resource:${server}:${templateName(uri)}` : name
      this.#addItem(own, item, this.#withPage(item), `The resource ${uri}.`)
    }
    this.#addPages(server, spellings)
    this.#setPossibleResources(server, listing)
    const names = toolNames(server, listing.prompts)
    for (const [index, item] of listing.prompts.entries()) {
      const { name, takenBy } = names[index] as ToolName
      if (takenBy === undefined) this.#addItem(`prompt:${name}`, item, item, `The prompt ${String(item.name)}.`)
    }
    for (const method of agentMethods(listing.capabilities)) {
      const made = agentMethodDefinition(server, method, { origin: 'upstream' })
      this.#keep(made.name, method, () => made)
    }
    this.#known = undefined
  }

  /** The page of an app is part of what its resource is. */
  #withPage(item: JsonObject): JsonObject {
    const known = item.uri === undefined ? undefined : this.#pages.get(canonicalUri(String(item.uri)))
    return known === undefined ? withoutState(item) : { ...withoutState(item), page: known.page }
  }

  /** Servers may leave pages out of their lists: tools name them. */
  #addPages(server: string, listed: ReadonlySet<string>): void {
    for (const [uri, { page }] of this.#pages) {
      const name = requestName('resource', server, String(page.uri))
      const isNew = !listed.has(uri) && !this.#byName.has(name)
      const definition = isNew
        ? this.#add(name, { uri: String(page.uri), page }, `The page ${uri} of an app.`)
        : this.get(name)
      this.#pages.set(uri, { page, definition })
    }
  }

  /** The definition of the page at a URI, as the server knows it. */
  pageAt(uri: string): Tool | undefined {
    return this.#pages.get(canonicalUri(uri))?.definition
  }

  /** Each page with the name of its definition. */
  *pages(): Generator<readonly [name: string, page: JsonObject]> {
    for (const { page, definition } of this.#pages.values()) if (definition !== undefined) yield [definition.name, page]
  }

  /** A URI of a template, or one that is not listed, could mean a listed resource under another spelling. */
  #setPossibleResources(server: string, { templates }: ListedItems): void {
    const listed = this.all()
    withPossibleResources(this.unlisted, { owner: server, mayMean: () => true, listed })
    for (const item of templates) {
      const definition = this.#byItem.get(item)
      if (definition === undefined) continue
      withPossibleResources(definition, { owner: server, mayMean: hasSchemeOf(String(item.uriTemplate)), listed })
    }
  }

  of(item: JsonObject): Tool | undefined {
    return this.#byItem.get(item)
  }

  get(name: string): Tool | undefined {
    return this.#byName.get(name)?.definition
  }

  all(): Tool[] {
    return [...this.#byName.values()].map(({ definition }) => definition)
  }

  #addItem(name: string, item: JsonObject, listing: JsonObject, description: string): void {
    if (this.#byName.has(name)) return
    this.#byItem.set(item, this.#add(name, listing, description))
  }

  #add(name: string, listing: JsonObject, fallback: string): Tool {
    const description = typeof listing.description === 'string' ? listing.description : fallback
    const timeout = this.#timeout
    return this.#keep(name, `${timeout} ${JSON.stringify(listing)}`, () =>
      requestDefinition({ name, description, listing, origin: 'upstream', timeout }),
    )
  }

  kept(name: string): KeptDefinition | undefined {
    return this.#byName.get(name)
  }

  #keep(name: string, text: string, make: () => Tool): Tool {
    const known = this.#known?.kept(name)
    const kept = known?.text === text ? known : { definition: make(), text }
    this.#byName.set(name, kept)
    return kept.definition
  }
}

/** A name that no URI has. */
const templateName = (text: string): string => requestName('resource', '', text).replace('resource::', 'template+')

/** Its size and time of change are data: they say nothing about what it is. */
function withoutState({ size, annotations, ...listing }: JsonObject): JsonObject {
  const others = size === undefined || typeof size === 'number' ? listing : { ...listing, size }
  if (!isObject(annotations)) return annotations === undefined ? others : { ...others, annotations }
  const { lastModified, ...rest } = annotations as JsonObject
  const kept = lastModified === undefined || isTime(lastModified) ? rest : { ...rest, lastModified }
  return Object.keys(kept).length === 0 ? others : { ...others, annotations: kept }
}

/** A time without room for words. */
const isTime = (value: unknown): boolean =>
  typeof value === 'string' &&
  /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?)?$/i.test(value)

/** A server can list any number of methods; an agent has these. */
function agentMethods({ extensions }: JsonObject): string[] {
  const agent = isObject(extensions) ? extensions[AGENT_EXTENSION] : undefined
  const methods = isObject(agent) && Array.isArray(agent.methods) ? agent.methods : []
  return ['agent/plan', 'agent/critique'].filter((method) => methods.includes(method))
}
