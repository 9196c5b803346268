/** Prompts: list, and get with arguments. */
import { EMPTY, invalidParams, type RpcError } from '../../protocol/errors.ts'
import { isObject, type JsonObject } from '../../protocol/json.ts'
import { didYouMean } from '../../protocol/text.ts'
import { answer } from '../../tool/answer.ts'
import type { Principal } from '../../tool/context.ts'
import { ForwardedResult } from '../../tool/forwarded-result.ts'
import { extrasListing } from '../../tool/listing-extras.ts'
import { nearest } from '../../tool/nearest.ts'
import type { Prompt, PromptBody, PromptMessage } from '../../tool/prompt.ts'
import { upstreamListing } from '../../tool/upstream-listing.ts'
import type { Exchange } from '../exchange.ts'
import { page } from '../results/page.ts'
import { listEnvelope, withEnvelope, withForeignResult } from '../results/result-envelope.ts'
import type { Server } from '../server.ts'
import { existsFor, isUnreviewed, notCallable, refreshTrust, visibleItems } from '../visible-items.ts'
import { gated, refuseUnknown } from './gated-request.ts'
import type { Method } from './method-table.ts'

export const listPrompts: Method = async (exchange, server) => {
  await refreshTrust(server)
  const visible = visibleItems(server, exchange.principal, server.prompts.all())
  const { items, nextCursor } = page(visible, (item) => item.name, exchange.params, server.pageSize)
  const prompts = items.map((item) => listing(server, item))
  const keyed = items.map((item) => [item.name, item] as const)
  return listEnvelope(exchange, { prompts }, nextCursor, {}, keyed)
}

function listing(server: Server, prompt: Prompt): JsonObject {
  const { name, title, description, arguments: args } = prompt
  const said = upstreamListing(prompt)
  if (said !== undefined && isUnreviewed(server, prompt))
    return { name, description: notCallable(server.definitionOf(prompt).name) }
  if (said !== undefined) return { ...said, name }
  const shown = args?.map(({ complete: _, ...argument }) => argument as JsonObject)
  return { name, title, description, ...(shown !== undefined && { arguments: shown }), ...extrasListing(prompt) }
}

export const getPrompt: Method = async (exchange, server) => {
  const { params } = exchange
  const prompt = await findPrompt(exchange, server, params?.name)
  const { description } = prompt
  return gated(
    exchange,
    server,
    {
      definition: server.definitionOf(prompt),
      work: async (call) => toResult(await prompt.get(readArguments(prompt, params?.arguments), call), description),
    },
    ({ data, forwarded }) =>
      forwarded === null
        ? withEnvelope(exchange, data ?? {})
        : withForeignResult(exchange, new ForwardedResult(forwarded)),
  )
}

function toResult(body: PromptBody, description: string | undefined): unknown {
  if (body instanceof ForwardedResult) return answer(body.result, { forwarded: body.result })
  const messages: PromptMessage[] =
    typeof body === 'string' ? [{ role: 'user', content: { type: 'text', text: body } }] : body
  return { ...(description !== undefined && { description }), messages }
}

/** Records and rejects a request for an unknown prompt. */
export async function findPrompt(exchange: Exchange, server: Server, name: unknown): Promise<Prompt> {
  if (typeof name !== 'string') throw invalidParams('name must be a string')
  const prompt = server.prompts.get(name) ?? server.view.unlistedPrompt?.(name)
  if (prompt !== undefined && existsFor(server, exchange.principal, prompt)) return prompt
  await refreshTrust(server)
  return refuseUnknown(exchange, server, `prompt:${name}`, unknownPrompt(server, name, exchange.principal))
}

function unknownPrompt(server: Server, name: string, principal: Principal): RpcError {
  const known = visibleItems(server, principal, server.prompts.all())
  const near = nearest(
    name,
    known.map((item) => item.name),
  )
  return invalidParams(`Unknown prompt: ${name || EMPTY}.${didYouMean(near)}`, { name, nearest: near })
}

function readArguments(prompt: Prompt, given: unknown): Record<string, string> {
  const args = given ?? {}
  if (!isObject(args)) throw invalidParams('arguments must be an object')
  for (const [name, value] of Object.entries(args)) {
    if (typeof value !== 'string') throw invalidParams(`argument ${name} must be a string`)
  }
  const missing = (prompt.arguments ?? []).filter(({ name, required }) => required && args[name] === undefined)
  if (missing.length > 0) {
    throw invalidParams(
      `The prompt ${prompt.name} needs ${missing.length === 1 ? 'the argument' : 'the arguments'} ${missing.map(({ name }) => name).join(', ')}.`,
    )
  }
  return args as Record<string, string>
}
