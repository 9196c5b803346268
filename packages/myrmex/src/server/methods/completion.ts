/** `completion/complete`: values for an argument of a prompt or a variable of a resource template. */
import { invalidParams } from '../../protocol/errors.ts'
import { isObject, type JsonObject } from '../../protocol/json.ts'
import { answer } from '../../tool/answer.ts'
import { ForwardedResult } from '../../tool/forwarded-result.ts'
import type { Prompt } from '../../tool/prompt.ts'
import {
  type Completer,
  type Completion,
  type CompletionBody,
  type Resource,
  templateKey,
} from '../../tool/resource.ts'
import type { Exchange } from '../exchange.ts'
import { withEnvelope, withForeignResult } from '../results/result-envelope.ts'
import type { Server } from '../server.ts'
import { existsFor } from '../visible-items.ts'
import { gated, refuseUnknown } from './gated-request.ts'
import type { Method } from './method-table.ts'
import { findPrompt } from './prompts.ts'

/** The protocol's limit for one answer. */
const MAX_VALUES = 100

export const complete: Method = async (exchange, server) => {
  const { ref, argument, context } = exchange.params ?? {}
  if (!isObject(ref)) throw invalidParams('ref must be an object')
  if (!isObject(argument) || typeof argument.name !== 'string' || typeof argument.value !== 'string') {
    throw invalidParams('argument must be {name, value}, both strings')
  }
  const { name, value } = argument
  const others = isObject(context) && isObject(context.arguments) ? (context.arguments as Record<string, string>) : {}
  const item = await itemOf(exchange, server, ref)
  const completer = completerOf(item, name)
  return gated(
    exchange,
    server,
    {
      definition: server.gateDefinition(item),
      work: async (call) => toResult(completer === undefined ? [] : await completer(value, others, call)),
    },
    ({ data, forwarded }) =>
      forwarded === null
        ? withEnvelope(exchange, data ?? {})
        : withForeignResult(exchange, new ForwardedResult(forwarded)),
  )
}

function toResult(body: CompletionBody): unknown {
  if (!(body instanceof ForwardedResult)) return { completion: bounded(body) }
  const { completion } = body.result
  const { values, ...rest } = isObject(completion) ? (completion as JsonObject) : {}
  const strings = Array.isArray(values) ? values.filter((one) => typeof one === 'string') : []
  const result = { ...body.result, completion: { ...rest, values: strings.slice(0, MAX_VALUES) } }
  return answer(result, { forwarded: result })
}

function bounded(all: string[] | Completion): Completion {
  if (!Array.isArray(all)) return { ...all, values: all.values.slice(0, MAX_VALUES) }
  const values = all.slice(0, MAX_VALUES)
  return { values, total: all.length, hasMore: all.length > values.length }
}

async function itemOf(exchange: Exchange, server: Server, ref: Record<string, unknown>): Promise<Prompt | Resource> {
  if (ref.type === 'ref/prompt') return findPrompt(exchange, server, ref.name)
  if (ref.type !== 'ref/resource' || typeof ref.uri !== 'string')
    throw invalidParams('ref must be of type ref/prompt with a name, or ref/resource with a uri')
  const { uri } = ref
  const unknown = (): Promise<never> =>
    refuseUnknown(exchange, server, `resource:${uri}`, invalidParams(`Unknown resource template: ${uri}`, { uri }))
  const item = server.resources.get(templateKey(uri)) ?? server.resources.get(uri)
  return item !== undefined && existsFor(server, exchange.principal, item) ? item : unknown()
}

function completerOf(item: Prompt | Resource, argument: string): Completer | undefined {
  if (item.kind === 'prompt') return item.arguments?.find(({ name }) => name === argument)?.complete
  return Object.hasOwn(item.complete ?? {}, argument) ? item.complete?.[argument] : undefined
}
