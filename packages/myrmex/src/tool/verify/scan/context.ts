/**
 * What the scanner knows beside the text itself: which tools the server has, and which belong to other servers. With it,
 * "call resolve_id first" is a hint about the server's own tool, and "when send_email is used" is an attempt on another server's.
 */

export interface OtherTool {
  readonly name: string
  readonly server?: string
  /** to recognise an imitation */
  readonly description?: string
}

export interface ScanContext {
  /** names of the server's own tools, prompts and resources, as the server lists them */
  readonly own?: Iterable<string>
  /** tools of other servers behind the same host */
  readonly others?: Iterable<OtherTool>
  /** Whether sentences are also judged by their words as a whole. That asks for a look at foreign tools; authors get rules only. */
  readonly rulesOnly?: boolean
}

/** Whose name a word is. `unknown`: it looks like a name of a tool, but no known tool has it. */
export type NameOwner = 'self' | 'own' | 'foreign' | 'unknown'

export class KnownNames {
  readonly #tools: ToolNames
  readonly #self: ReadonlySet<string>
  readonly #parameters = new Set<string>()

  constructor(context: ScanContext, self?: string, parameters: Iterable<string> = []) {
    this.#tools = toolNames(context)
    this.#self = new Set(self === undefined ? [] : formsOf(self))
    for (const name of parameters) this.#parameters.add(plainName(name))
  }

  get others(): readonly OtherTool[] {
    return this.#tools.others
  }

  /** `word` is a word of the text, in lower case. */
  ownerOf(word: string): NameOwner | undefined {
    return this.#owner(word) ?? this.#ownerOfSuffix(word)
  }

  #owner(word: string): NameOwner | undefined {
    return this.#self.has(word) ? 'self' : this.#tools.owners.get(word)
  }

  /** `jira_get_issue` is the own tool `get_issue` under the prefix that a client gives it. */
  #ownerOfSuffix(word: string): NameOwner | undefined {
    const [first = '', ...rest] = word.split('_', MAX_NAME_PARTS)
    const owner = first !== '' && rest.length > 1 ? this.#owner(rest.join('_')) : undefined
    return owner === 'own' || owner === 'self' ? owner : undefined
  }

  isParameter(word: string): boolean {
    return this.#parameters.has(plainName(word))
  }
}

const MAX_NAME_PARTS = 20

interface ToolNames {
  readonly others: readonly OtherTool[]
  readonly owners: ReadonlyMap<string, NameOwner>
}

/** Made once for a context: all tools of a server are scanned with the same one, and a server may have thousands. */
const known = new WeakMap<ScanContext, ToolNames>()

function toolNames(context: ScanContext): ToolNames {
  const before = known.get(context)
  if (before !== undefined) return before
  const owners = new Map<string, NameOwner>()
  // Single plain words ("search", "fetch") are too ordinary to be read as names.
  const put = (name: string, owner: NameOwner): void => {
    for (const form of formsOf(name)) if (/[a-z][a-z0-9]*[_.-][a-z]/.test(form)) owners.set(form, owner)
  }
  const others = [...(context.others ?? [])]
  for (const { name } of others) put(name, 'foreign')
  // A name that two servers have is the server's own: it is what its text means by it.
  for (const name of context.own ?? []) put(name, 'own')
  const names = { others, owners }
  known.set(context, names)
  return names
}

const plainName = (name: string): string => name.toLowerCase().replaceAll(/[_-]/g, '')

/** `shop.list_orders` is also written `list_orders`, `shop_list_orders` and `listOrders`. */
function formsOf(name: string): string[] {
  const bare = name.slice(name.lastIndexOf('.') + 1)
  const snake = bare.replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
  return [name, bare, snake, snake.replaceAll('-', '_'), name.replaceAll('.', '_')].map((form) => form.toLowerCase())
}
