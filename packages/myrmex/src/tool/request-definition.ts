/**
 * Definitions of what requests reach besides tools: resources, templates, prompts, methods of agents. Each has a name, a hash and an
 * origin like a tool, so that the same gates judge it, the same ledger pins it and the same rules match it.
 *
 * | name | what it is | scope that covers it |
 * | --- | --- | --- |
 * | `resource:files:file:///a.txt` | a resource or template of the server `files` | `resource:files` |
 * | `resource:files:*` | the resources that `files` does not list | `resource:files` |
 * | `prompt:files.greet` | a prompt | `prompt:files.greet`, `prompt:files.*` |
 * | `agent:ops.plan` | a method of an agent | `agent:ops.plan`, `agent:ops.*` |
 * | `method:vendor/act` | a method of the program's own | itself |
 */
import type { JsonObject } from '../protocol/json.ts'
import type { Schema } from '../protocol/schema.ts'
import type { SecretNames } from '../protocol/secret.ts'
import type { Context } from './context.ts'
import { definitionHash, sha256 } from './hash.ts'
import { extrasListing } from './listing-extras.ts'
import { toSnakeCase } from './name.ts'
import type { Prompt } from './prompt.ts'
import type { Resource } from './resource.ts'
import type { Tool } from './tool.ts'
import { withUpstreamListing } from './upstream-listing.ts'

export type RequestKind = 'resource' | 'prompt' | 'agent' | 'method'

export interface RequestDefinition {
  readonly name: string
  /** a sentence for people who decide about it */
  readonly description: string
  /** everything that a client sees of it */
  readonly listing: JsonObject
  readonly origin: Tool['origin']
  /** milliseconds; default 30,000 */
  readonly timeout?: number
  /** names of the fields in params and results that must not be recorded */
  readonly secrets?: SecretNames
}

const DEFAULT_TIMEOUT_MS = 30_000
const VERSION = '0.0.0'
const NO_SECRETS: SecretNames = new Set()
const NO_ERRORS = Object.freeze({})

/** Names are shown in lists and typed in commands. */
const MAX_NAME_LENGTH = 200

/** The name of a definition. `owner` is the server or module, `key` what identifies it there. */
export function requestName(kind: RequestKind, owner: string, key: string): string {
  const plain = key.toWellFormed().replace(/[^\x21-\x7e]/gu, encodeURIComponent)
  const name = kind === 'method' ? `method:${plain}` : `${kind}:${owner}${kind === 'resource' ? ':' : '.'}${plain}`
  // A URI or a foreign name can be long, or differ from another only at its end.
  return name.length <= MAX_NAME_LENGTH ? name : `${name.slice(0, MAX_NAME_LENGTH - 17)}~${sha256(name).slice(0, 16)}`
}

/** The kind of the item that a definition describes. Names of tools have no colon. */
export function kindOfName(name: string): 'tool' | RequestKind {
  const colon = name.indexOf(':')
  return colon === -1 ? 'tool' : (name.slice(0, colon) as RequestKind)
}

/** A server's own name may be any text; names in rules are plain. */
export const ownerName = (name: string): string => toSnakeCase(name) || 'server'

/** The work is part of the request, not of the definition. */
export interface RequestCall extends Context {
  readonly work: () => unknown
}

const params: Schema = schemaOf({ type: 'object', properties: { method: { type: 'string' }, uri: { type: 'string' } } })
const result: Schema = schemaOf({ type: 'object' })

/** The methods check their params themselves, because each era has its own errors for them. */
function schemaOf(json: JsonObject, secrets: SecretNames = NO_SECRETS): Schema {
  return { json, validates: 'json', secrets, parse: (data) => ({ success: true, data }) }
}

export function requestDefinition(definition: RequestDefinition): Tool {
  const { name, description, listing, origin, timeout = DEFAULT_TIMEOUT_MS, secrets } = definition
  let hash: string | undefined
  const made: Tool = withUpstreamListing(
    {
      kind: 'tool',
      name,
      module: name.slice(0, name.lastIndexOf('.') + 1 || undefined).replace(/\.$/, ''),
      version: VERSION,
      title: undefined,
      description,
      input: secrets === undefined ? params : schemaOf(params.json, secrets),
      output: result,
      hasData: true,
      returnsText: false,
      errors: NO_ERRORS,
      errorDetails: NO_ERRORS,
      errorTypes: new Set<string>(),
      idempotent: true,
      destructive: false,
      openWorld: undefined,
      keyed: false,
      security: 'Reads only, as far as the server is honest.',
      examples: [],
      timeout,
      limit: undefined,
      cacheTtl: 0,
      deprecatedIn: undefined,
      replacedBy: undefined,
      migration: undefined,
      icons: undefined,
      meta: undefined,
      task: false,
      headers: [],
      ask: undefined,
      dryRun: undefined,
      undo: undefined,
      run: (_input, ctx) => (ctx as RequestCall).work(),
      origin,
      get hash() {
        hash ??= definitionHash(made)
        return hash
      },
    },
    listing,
  )
  return Object.freeze(made)
}

const definitions = new WeakMap<object, Tool>()

/** The definition of a registered resource or prompt. */
export const definitionOf = (item: object): Tool | undefined => definitions.get(item)

export function withDefinition<T extends object>(item: T, definition: Tool): T {
  definitions.set(item, definition)
  return item
}

const THINK_MS = 600_000

export const agentMethodName = (agent: string, method: string): string =>
  requestName('agent', agent, method.slice(method.indexOf('/') + 1))

/** A method of an agent. A model behind it may take long. */
export const agentMethodDefinition = (
  agent: string,
  method: string,
  { origin, secrets }: Pick<RequestDefinition, 'origin' | 'secrets'>,
): Tool =>
  requestDefinition({
    name: agentMethodName(agent, method),
    description: `The method ${method} of an agent.`,
    listing: { method },
    origin,
    timeout: THINK_MS,
    ...(secrets !== undefined && { secrets }),
  })

export const ownPromptDefinition = (owner: string, prompt: Prompt): RequestDefinition => {
  const { name, title, description, arguments: args, icons, meta } = prompt
  const listed = args?.map(({ complete: _, ...argument }) => argument)
  return {
    name: requestName('prompt', owner, toSnakeCase(name) || name),
    description: description ?? `The prompt ${name}.`,
    listing: plain({ name, title, description, arguments: listed, ...extrasListing({ icons, meta }) }),
    origin: 'own',
  }
}

export const ownResourceDefinition = (owner: string, resource: Resource): RequestDefinition => {
  const { uri, template, name, title, description, mimeType, icons, meta } = resource
  const key = uri ?? template?.text ?? name
  return {
    name: requestName('resource', owner, key),
    description: description ?? `The resource ${key}.`,
    listing: plain({
      ...{ uri, uriTemplate: template?.text, name, title, description, mimeType },
      ...extrasListing({ icons, meta }),
    }),
    origin: 'own',
  }
}

/** Without members that are not set. */
const plain = (listing: object): JsonObject => JSON.parse(JSON.stringify(listing))

const standIns = new WeakMap<object, Tool>()

/** The definition that lets a resource be read although nobody has reviewed what its server says about it. */
export const standInOf = (item: object): Tool | undefined => standIns.get(item)

export function withStandIn<T extends object>(item: T, definition: Tool): T {
  standIns.set(item, definition)
  return item
}
