/** Calls that clients make while the server runs: plain ones, keyed ones, batches. Each client records the answers it got. */

import { answerOfEnvelope, type Envelope, resultOf } from './answer.ts'
import type { Batch, KeyedCall } from './client-record.ts'
import { type SimulatedClient, toolQuestion } from './simulated-client.ts'

/** Most tools are quick, and some are in the middle of it whenever the kill comes. */
export function slow({ chance }: SimulatedClient, id: string): { id: string; before_ms: number; after_ms: number } {
  const ms = (): number => (chance.often(0.5) ? 0 : chance.between(1, 20))
  return { id, before_ms: ms(), after_ms: ms() }
}

async function plainCall(
  post: SimulatedClient,
  tool: string,
  id: string,
  args: object,
  errorType?: string,
): Promise<void> {
  const told = await post.call(tool, args)
  if (told !== undefined) post.book.expect(tool, id, told, errorType)
}

/** Often many at once: they share a group of the audit. */
export async function look(post: SimulatedClient): Promise<void> {
  const ids = Array.from({ length: 2 ** post.chance.between(0, 4) }, () => post.fresh())
  await Promise.all(ids.map((id) => plainCall(post, 'crash.look', id, { id })))
}

export async function think(post: SimulatedClient): Promise<void> {
  const id = post.fresh()
  await plainCall(post, 'crash.think', id, { id, ms: post.chance.between(0, 20) })
}

export async function relay(post: SimulatedClient): Promise<void> {
  const id = post.fresh()
  const told = await post.call('crash.relay', { id })
  if (told === undefined) return
  post.book.expect('crash.relay', id, told)
  // The call within has an answer too: the tool got it.
  if (told.status === 'success') post.book.note('crash.look', `${id}/1`, { ...told, callId: undefined })
}

export async function wrongArguments(post: SimulatedClient): Promise<void> {
  const id = post.fresh()
  await plainCall(post, 'crash.look', id, { id: 7 }, 'SchemaError')
}

/** Refused as a request, without a call id; the audit has it under the name that was asked for. */
export async function unknownTool(post: SimulatedClient): Promise<void> {
  const name = `crash.none_${post.fresh().replace(/\W/g, '_')}`
  const response = await post.ask(toolQuestion(name, {}))
  if (response === undefined) return
  const { error } = response
  const { message } = error ?? {}
  const told = {
    callId: undefined,
    status: 'failure',
    errorType: 'ToolNotFoundError',
    message,
    details: {},
    data: null,
  }
  if (error?.code === -32602) post.book.note(name, '', told)
  else post.book.problems.losing(`${name} was answered by ${JSON.stringify(response)}`)
}

export async function chargeWithoutKey(post: SimulatedClient): Promise<void> {
  const id = post.fresh()
  await plainCall(post, 'crash.charge', id, slow(post, id))
}

function keyed(post: SimulatedClient, tool: KeyedCall['tool'], key?: string): KeyedCall {
  const id = post.fresh()
  const declined = tool === 'crash.charge' && post.chance.often(0.1) ? { decline: true } : {}
  const args = tool === 'crash.look' ? { id } : { ...slow(post, id), ...declined }
  const call: KeyedCall = { id, key: key ?? `key of ${id}`, tool, args }
  post.book.keyed.push(call)
  return call
}

/** Often several ask at once under one key. */
export async function chargeWithKey(post: SimulatedClient): Promise<void> {
  const call = keyed(post, post.chance.often(0.7) ? 'crash.charge' : 'crash.put')
  const callers = post.chance.often(0.3) ? 3 : 1
  await Promise.all(Array.from({ length: callers }, () => sendKeyed(post, call)))
}

/** A repeated call gets the same answer. */
export async function repeat(post: SimulatedClient): Promise<void> {
  const { keyed } = post.book
  // Mostly the newest, which were on their way when the last server died.
  const choices = post.chance.often(0.5) ? keyed.slice(-100) : keyed
  if (choices.length > 0) await sendKeyed(post, post.chance.pick(choices))
}

export async function sendKeyed(post: SimulatedClient, call: KeyedCall): Promise<void> {
  const { tool, args, key } = call
  const beside = post.wire?.post
  if (beside !== undefined && post.chance.often(0.3)) {
    const envelope = await beside('/call', { tool_name: tool, arguments: args }, key)
    if (envelope !== undefined) post.book.settle(call, answerOfEnvelope(envelope as Envelope))
    return
  }
  const told = await post.call(tool, args, key)
  if (told !== undefined) post.book.settle(call, told)
}

export async function batch(post: SimulatedClient): Promise<void> {
  const key = `batch ${post.fresh()}`
  const tools = ['crash.look', 'crash.charge', 'crash.put', 'crash.charge'] as const
  const calls = tools.map((tool, place) => keyed(post, tool, `${key}#${place}`))
  const made: Batch = { key, calls }
  post.book.batches.push(made)
  await sendBatch(post, made)
}

export async function sendBatch(post: SimulatedClient, { key, calls }: Batch): Promise<void> {
  const results = await batchResults(post, { key, calls })
  calls.forEach((call, place) => {
    const envelope = results?.[place]
    if (envelope !== undefined) post.book.settle(call, answerOfEnvelope(envelope))
  })
}

async function batchResults(post: SimulatedClient, { key, calls }: Batch): Promise<Envelope[] | undefined> {
  const beside = post.wire?.post
  if (beside !== undefined && post.chance.often(0.5)) {
    const body = { calls: calls.map(({ tool, args }) => ({ tool_name: tool, arguments: args })) }
    return ((await beside('/batch', body, key)) as { results: Envelope[] } | undefined)?.results
  }
  const params = { calls: calls.map(({ tool, args }) => ({ name: tool, arguments: args })) }
  const response = await post.ask({ method: 'myrmex/batch', params, key })
  return response === undefined ? undefined : resultOf<{ results: Envelope[] }>(response).results
}
