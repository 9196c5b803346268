/** Prompts: list, and get with arguments. */
import { invalidParams } from '../../protocol/errors.ts'
import { isObject, type JsonObject } from '../../protocol/json.ts'
import { ForwardedResult } from '../../tool/forwarded-result.ts'
import { nearest } from '../../tool/nearest.ts'
import type { Prompt, PromptMessage } from '../../tool/prompt.ts'
import { upstreamListing } from '../../tool/upstream-listing.ts'
import { page } from '../results/page.ts'
import { listEnvelope, withEnvelope, withForeignResult } from '../results/result-envelope.ts'
import type { Server } from '../server.ts'
import type { Method } from './method-table.ts'

export const listPrompts: Method = (exchange, server) => {
  const { items, nextCursor } = page(server.prompts.all(), (item) => item.name, exchange.params, server.pageSize)
  return listEnvelope(exchange, { prompts: items.map(listing) }, nextCursor)
}

function listing(prompt: Prompt): JsonObject {
  const { name, title, description, arguments: args } = prompt
  const said = upstreamListing(prompt)
  if (said !== undefined) return { ...said, name }
  const shown = args?.map(({ complete: _, ...argument }) => argument as JsonObject)
  return { name, title, description, ...(shown !== undefined && { arguments: shown }) }
}

export const getPrompt: Method = (exchange, server) =>
  exchange.inRounds(async () => {
    const { params } = exchange
    const prompt = findPrompt(server, params?.name)
    const args = readArguments(prompt, params?.arguments)
    const body = await prompt.get(args, exchange.openScope())
    if (body instanceof ForwardedResult) return withForeignResult(exchange, body)
    const messages: PromptMessage[] =
      typeof body === 'string' ? [{ role: 'user', content: { type: 'text', text: body } }] : body
    const { description } = prompt
    return withEnvelope(exchange, { ...(description !== undefined && { description }), messages })
  })

export function findPrompt(server: Server, name: unknown): Prompt {
  if (typeof name !== 'string') throw invalidParams('name must be a string')
  const prompt = server.prompts.get(name) ?? server.view.unlistedPrompt?.(name)
  if (prompt !== undefined) return prompt
  const near = nearest(
    name,
    server.prompts.all().map((item) => item.name),
  )
  throw invalidParams(`Unknown prompt: ${name}`, { name, nearest: near })
}

function readArguments(prompt: Prompt, given: unknown): Record<string, string> {
  const args = given ?? {}
  if (!isObject(args)) throw invalidParams('arguments must be an object')
  for (const [name, value] of Object.entries(args)) {
    if (typeof value !== 'string') throw invalidParams(`argument ${name} must be a string`)
  }
  const missing = (prompt.arguments ?? []).filter(({ name, required }) => required && args[name] === undefined)
  if (missing.length > 0) {
    throw invalidParams(`prompt ${prompt.name} lacks ${missing.map(({ name }) => name).join(', ')}`)
  }
  return args as Record<string, string>
}
