/** One side of a comparison: a client connected to a server, directly or through the host, and what came of each thing it did. */
import { vi } from 'vitest'
import type { Target } from '../interop/tapped-server.ts'
import type { Client, Connection, Level, ReceivedNotification, Result } from './clients/connection.ts'
import { hostedNames, type ItemNames, type ListedItem, listItems, normalisedName, OWN_NAMES } from './listed-names.ts'
import { normaliseError, normaliseResult, withoutFailureSchema, withoutHostFields } from './normalise.ts'
import { ScriptedUser } from './scripted-user.ts'

/** Where a server is reached. */
export interface ComparisonSide {
  readonly target: Target
  /** its name behind the host; undefined: directly */
  readonly server: string | undefined
  /** where it keeps its files */
  readonly folder: string
  /** of its resources' URIs */
  readonly scheme: string | undefined
  readonly roots: readonly string[]
}

export class Session {
  readonly #connection: Connection
  readonly #side: ComparisonSide
  readonly #names: ItemNames
  readonly user: ScriptedUser

  private constructor(connection: Connection, side: ComparisonSide, names: ItemNames, user: ScriptedUser) {
    this.#connection = connection
    this.#side = side
    this.#names = names
    this.user = user
  }

  /** `known`: what the host calls things; it is asked by default. */
  static async open(client: Client, side: ComparisonSide, known?: ItemNames): Promise<Session> {
    const user = new ScriptedUser(side.roots)
    const connection = await client.open(side.target, user)
    const names = known ?? (side.server === undefined ? OWN_NAMES : await hostedNames(connection, side.server))
    return new Session(connection, side, names, user)
  }

  get folder(): string {
    return this.#side.folder
  }

  /** What came of it: result or error, the questions on the way, the progress told. */
  async #outcome(method: string, params: Result, progress?: Result[], own?: string): Promise<Result> {
    this.user.asked = []
    const onProgress = progress && ((said: Result) => void progress.push(said))
    const answer = await this.#connection.ask(method, params, onProgress).then(
      (result) => ({ result: normaliseResult(result, this.folder) }),
      (error: unknown) => ({ error: normaliseError(error, this.folder, params.name, own) }),
    )
    const asked = this.user.asked.map(({ params: said, ...rest }) => ({
      ...rest,
      params: normaliseResult(said, this.folder),
    }))
    // The last ones may come with the result, and clients drop them or not as it happens.
    const first = progress?.slice(0, 2)
    return { ...answer, ...(asked.length > 0 && { asked }), ...(first && { progress: first }) }
  }

  call(tool: string, args: Result): Promise<Result> {
    return this.#outcome('tools/call', { name: this.#names.tool(tool), arguments: args }, undefined, tool)
  }

  /** The same, with progress reports. */
  callWatched(tool: string, args: Result): Promise<Result> {
    return this.#outcome('tools/call', { name: this.#names.tool(tool), arguments: args }, [])
  }

  /** Whether it was refused; the host sees what is wrong before the server does, and says so in words of its own. */
  async refused(tool: string, args: Result): Promise<boolean> {
    const { result, error } = (await this.call(tool, args)) as { result?: Result; error?: Result }
    return error !== undefined || result?.isError === true
  }

  read(uri: string): Promise<Result> {
    return this.#outcome('resources/read', { uri })
  }

  prompt(name: string, args?: Record<string, string>): Promise<Result> {
    return this.#outcome('prompts/get', { name: this.#names.prompt(name), ...(args && { arguments: args }) })
  }

  completePrompt(name: string, argument: string, value: string, others?: Record<string, string>): Promise<Result> {
    return this.#complete({ type: 'ref/prompt', name: this.#names.prompt(name) }, argument, value, others)
  }

  completeUri(uri: string, argument: string, value: string): Promise<Result> {
    return this.#complete({ type: 'ref/resource', uri }, argument, value)
  }

  #complete(ref: Result, name: string, value: string, others?: Record<string, string>): Promise<Result> {
    const context = others && { context: { arguments: others } }
    return this.#outcome('completion/complete', { ref, argument: { name, value }, ...context })
  }

  /** Tools in the server's own names, in the order of the alphabet. */
  async tools(): Promise<ListedItem[]> {
    const { server } = this.#side
    const all = await listItems(this.#connection, 'tools/list', 'tools')
    return this.#ordered(server === undefined ? all : all.filter((tool) => isOf(server, tool)))
  }

  async #list(method: string, key: string, capability: string): Promise<ListedItem[]> {
    if (this.#connection.server.capabilities[capability] === undefined) return []
    const all = await listItems(this.#connection, method, key)
    return this.#ordered(all.filter(({ uri, uriTemplate = uri }) => this.#isAbout(uriTemplate)))
  }

  /** Several servers behind the host have resources; their schemes distinguish them. */
  #isAbout(uri: unknown): boolean {
    const { server, scheme } = this.#side
    return uri === undefined || server === undefined || String(uri).startsWith(`${scheme}:`)
  }

  #ordered(items: readonly ListedItem[]): ListedItem[] {
    return items
      .map(
        (item) =>
          normaliseResult(
            withoutHostFields(this.#side.server === undefined ? item : withoutFailureSchema(item)),
            this.folder,
          ) as ListedItem,
      )
      .map((item) => ({
        ...item,
        name: this.#side.server === undefined ? normalisedName(item.name) : ownWords(this.#side.server, item.name),
      }))
      .sort((a, b) => (a.name < b.name ? -1 : 1))
  }

  resources(): Promise<ListedItem[]> {
    return this.#list('resources/list', 'resources', 'resources')
  }

  templates(): Promise<ListedItem[]> {
    return this.#list('resources/templates/list', 'resourceTemplates', 'resources')
  }

  prompts(): Promise<ListedItem[]> {
    return this.#list('prompts/list', 'prompts', 'prompts')
  }

  get instructions(): string | undefined {
    return this.#connection.server.instructions
  }

  logLevel(level: Level): Promise<void> {
    return this.#connection.logLevel(level)
  }

  subscribe(uri: string): Promise<() => Promise<void>> {
    return this.#connection.subscribe(uri)
  }

  /** The first notification of that kind, from the last time that somebody looked. `isMeant`: one of an earlier step may come late. */
  async heard(
    method: string,
    isMeant: (params: ReceivedNotification['params']) => boolean = () => true,
  ): Promise<ReceivedNotification> {
    const first = (): ReceivedNotification | undefined =>
      this.#connection.heard.find((told) => told.method === method && isMeant(told.params))
    await vi.waitFor(() => {
      if (first() === undefined) throw new Error(`No ${method}, but ${JSON.stringify(this.#connection.heard)}`)
    })
    const told = first() as ReceivedNotification
    this.#connection.heard = []
    return { method, params: normaliseResult(told.params ?? {}, this.folder) }
  }

  /** All notifications of one kind since the last look. */
  soFar(method: string): ReceivedNotification[] {
    return this.#connection.heard.filter((told) => told.method === method)
  }

  forget(): void {
    this.#connection.heard = []
  }

  close(): Promise<void> {
    return this.#connection.close()
  }
}

const isOf = (server: string, { name, _meta }: ListedItem): boolean =>
  String(_meta?.['myrmex/name'] ?? name).startsWith(`${server}.`)

/** everything_get_sum is get_sum of everything */
function ownWords(server: string, name: string): string {
  const said = normalisedName(name)
  return said.startsWith(`${server}_`) ? said.slice(server.length + 1) : said
}
