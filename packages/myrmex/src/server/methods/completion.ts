/** `completion/complete`: values for an argument of a prompt or a variable of a resource template. */
import { invalidParams } from '../../protocol/errors.ts'
import { isObject } from '../../protocol/json.ts'
import type { Completer } from '../../tool/resource.ts'
import { withEnvelope } from '../results/result-envelope.ts'
import type { Server } from '../server.ts'
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
  const others = isObject(context) && isObject(context.arguments) ? (context.arguments as Record<string, string>) : {}
  const completer = completerOf(server, ref, argument.name)
  const all = completer === undefined ? [] : await completer(argument.value, others)
  if (!Array.isArray(all))
    return withEnvelope(exchange, { completion: { ...all, values: all.values.slice(0, MAX_VALUES) } })
  const values = all.slice(0, MAX_VALUES)
  return withEnvelope(exchange, {
    completion: { values, total: all.length, hasMore: all.length > values.length },
  })
}

function completerOf(server: Server, ref: Record<string, unknown>, argument: string): Completer | undefined {
  if (ref.type === 'ref/prompt') {
    return findPrompt(server, ref.name).arguments?.find(({ name }) => name === argument)?.complete
  }
  if (ref.type === 'ref/resource' && typeof ref.uri === 'string') {
    const item = server.resources.get(ref.uri)
    if (item === undefined) throw invalidParams(`Unknown resource template: ${ref.uri}`, { uri: ref.uri })
    return Object.hasOwn(item.complete ?? {}, argument) ? item.complete?.[argument] : undefined
  }
  throw invalidParams('ref must be of type ref/prompt with a name, or ref/resource with a uri')
}
