/**
 * The tools a server has. Registering the same definition again does nothing; another definition under the same name
 * and version is refused; versions of a name live side by side and the highest answers.
 * name-resolver.ts says which names a tool is found by.
 */
import { ToolError } from '../protocol/errors.ts'
import type { JsonObject } from '../protocol/json.ts'
import { assertMade, madeList } from './assert-made.ts'
import { bareName, flatName } from './name.ts'
import { ownerOf, ownsName, resolveNames } from './name-resolver.ts'
import { nearest } from './nearest.ts'
import { shownVersion } from './server-version.ts'
import { definitionLocation, showLocation } from './source-location.ts'
import { outputSchemaOf, type Tool } from './tool.ts'
import { aliasesOf } from './tool-aliases.ts'
import { compareVersions, highestWithin } from './version.ts'

/** The registration entry of the specification. */
export interface RegistrationEntry {
  name: string
  description: string
  inputSchema: JsonObject
  metadata: { module: string; destructive: boolean; deprecated_in: string | null; cache_ttl: number }
}

export interface ListedTool {
  /** the name on the wire: bare in a server of one module, flat in one of several */
  readonly listedAs: string
  readonly tool: Tool
}

/** The module of the tools that the platform itself adds. */
export const PLATFORM = 'myrmex'

/** Everything of one name, highest version first. */
type Versions = [Tool, ...Tool[]]

/** What lookups need, rebuilt when the registry changes and never during a call. */
interface Index {
  readonly byName: ReadonlyMap<string, Versions>
  readonly listed: readonly ListedTool[]
}

/** The highest of these versions within a range. Throws ValidationError for a range that is none. */
export function versionWithin(versions: readonly Tool[], range: string): Tool | undefined {
  // A run asks for exactly the version it was planned with, at every step: that of the definition, whatever its server's is now.
  const exact = versions.find(({ version }) => version === range)
  if (exact !== undefined) return exact
  const chosen = highestWithin(versions.map(shownVersion), range)
  return versions.find((tool) => shownVersion(tool) === chosen)
}

/** Where both definitions were made, if that is known. */
function places(first: Tool, second: Tool): string {
  const [before, now] = [definitionLocation(first), definitionLocation(second)]
  if (before === undefined || now === undefined) return ''
  return `: it was made at ${showLocation(before)}, this one at ${showLocation(now)}`
}

export class Registry {
  #tools = new Map<string, Versions>()
  #index: Index | undefined
  #listeners = new Set<() => void>()
  /** owners of names whose tools may not be known yet */
  #reserved: ReadonlySet<string> = new Set()
  /** grows with every change: text rendered for one revision is valid until the next */
  revision = 0

  constructor(tools: Iterable<Tool> = []) {
    for (const tool of madeList(tools, 'tool')) this.register(tool)
  }

  get size(): number {
    return this.#tools.size
  }

  register(tool: Tool): this {
    assertMade(tool, 'tool', 'What register() gets')
    const versions = this.#tools.get(tool.name)
    const same = versions?.find((other) => other.version === tool.version)
    if (same !== undefined) {
      if (same.hash === tool.hash) return this
      throw ToolError.of(
        'RegistrationError',
        `${tool.name} ${tool.version} is registered with another definition${places(same, tool)}. Give the changed one a new version.`,
      )
    }
    if (versions === undefined) this.#tools.set(tool.name, [tool])
    else {
      versions.push(tool)
      versions.sort((a, b) => compareVersions(a.version, b.version))
    }
    this.#changed()
    return this
  }

  /** Removes one version of a name, or all of them. */
  unregister(name: string, version?: string): boolean {
    const versions = this.#tools.get(name)
    if (versions === undefined) return false
    const left = version === undefined ? [] : versions.filter((tool) => tool.version !== version)
    if (left.length === versions.length) return false
    if (left.length === 0) this.#tools.delete(name)
    else this.#tools.set(name, left as Versions)
    this.#changed()
    return true
  }

  /** Keeps the names of these owners for them, whether their tools are here or not. Replaces the owners named before. */
  reserve(owners: ReadonlySet<string>): void {
    if (owners.symmetricDifference(this.#reserved).size === 0) return
    this.#reserved = new Set(owners)
    this.#changed()
  }

  /** By canonical, flat or, where unique, bare name. A range picks the highest version within it. */
  find(name: string, range?: string): Tool | undefined {
    const versions = (this.#index ?? this.#build()).byName.get(name)
    if (versions === undefined) return undefined
    return range === undefined ? versions[0] : versionWithin(versions, range)
  }

  /** The versions of a name, highest first. */
  versions(name: string): readonly Tool[] {
    return (this.#index ?? this.#build()).byName.get(name) ?? []
  }

  /** Names like this one, of the tools that pass the filter. */
  nearest(name: string, filter: (candidate: string) => boolean = () => true): string[] {
    return nearest(name, this.#tools.keys().filter(filter))
  }

  /** In the order of the wire: by canonical name, the highest version of each. */
  listed(): readonly ListedTool[] {
    return (this.#index ?? this.#build()).listed
  }

  list(): RegistrationEntry[] {
    return this.listed().map(({ tool }) => ({
      name: tool.name,
      description: tool.description,
      inputSchema: tool.input.json,
      metadata: {
        module: tool.module,
        destructive: tool.destructive,
        deprecated_in: tool.deprecatedIn ?? null,
        cache_ttl: tool.cacheTtl,
      },
    }))
  }

  schema(name: string): { input: JsonObject; output: JsonObject | null } | undefined {
    const tool = this.find(name)
    return tool && { input: tool.input.json, output: outputSchemaOf(tool) ?? null }
  }

  /** Every tool of every version. */
  *[Symbol.iterator](): Iterator<Tool> {
    for (const versions of this.#tools.values()) yield* versions
  }

  /** The listing of a tool has changed, and no tool. */
  relist(): void {
    this.#changed()
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  #changed(): void {
    this.#index = undefined
    this.revision++
    for (const listener of this.#listeners) listener()
  }

  #build(): Index {
    const items = [...this.#tools.keys()].sort().map((name) => ({ name, bare: bareName(name) }))
    const modules = new Set(items.map(({ name }) => name.slice(0, name.lastIndexOf('.'))))
    const known = new Set([...modules].map(ownerOf))
    // The platform's own tools do not make a server one of several modules.
    const oneModule = modules.size === (modules.has(PLATFORM) ? 2 : 1)
    const byName = new Map<string, Versions>()
    const listed: ListedTool[] = []
    for (const { name, flat, bare, isBareUnique } of resolveNames(items, { reserved: this.#reserved, known })) {
      const versions = this.#tools.get(name) as Versions
      if (isBareUnique && !byName.has(bare)) byName.set(bare, versions)
      byName.set(flat, versions)
      byName.set(name, versions)
      listed.push({ listedAs: oneModule && isBareUnique ? bare : flat, tool: versions[0] })
    }
    // `a.a_x` is bare `a_x`, and so is `a.x` flat: the listed name wins.
    for (const { listedAs, tool } of listed) byName.set(listedAs, this.#tools.get(tool.name) as Versions)
    this.#addAliases(byName, known)
    this.#index = { byName, listed }
    return this.#index
  }

  /** Aliases come after all names, so that no alias takes the place of a name. */
  #addAliases(byName: Map<string, Versions>, known: ReadonlySet<string>): void {
    const aliased = [...this.#tools.values()].flatMap((versions) => {
      const aliases = aliasesOf(versions[0])
      return aliases === undefined ? [] : { versions, aliases, owner: ownerOf(versions[0].name) }
    })
    if (aliased.length === 0) return
    const isOwn = ownsName({ reserved: this.#reserved, known })
    const add = (name: string, versions: Versions): void => {
      if (!byName.has(name)) byName.set(name, versions)
    }
    for (const { versions, aliases, owner } of aliased) {
      const { canonical } = aliases
      if (canonical === undefined) continue
      add(canonical, versions)
      if (isOwn(owner, canonical.replaceAll('.', '_'))) add(flatName(canonical), versions)
    }
    // A tool that is not here could have any of these.
    if (!this.#reserved.isSubsetOf(known)) return
    const originals = Map.groupBy(aliased, ({ aliases }) => aliases.original)
    for (const [original, [first, ...others]] of originals) {
      if (original === undefined || first === undefined || others.length > 0) continue
      if (isOwn(first.owner, original)) add(original, first.versions)
    }
  }
}
