/** Calls and results in examples: our envelopes, or JSON-RPC messages of the MCP wire. */

import { isObject, type Json } from '../../../protocol/json.ts'
import type { JsonBlock } from '../../document.ts'

const STATUS = new Set(['success', 'failure', 'no_change_needed', 'partial_success'])

const isParams = (value: unknown): value is Record<string, Json> =>
  isObject(value) && typeof value.name === 'string' && isObject(value.arguments) && onlyHas(value, PARAMS)
const PARAMS = new Set(['name', 'arguments', '_meta'])
const onlyHas = (value: object, keys: ReadonlySet<string>): boolean => Object.keys(value).every((key) => keys.has(key))

const isRequest = (value: unknown): value is { params: Record<string, Json> } =>
  isObject(value) && value.method === 'tools/call' && isObject(value.params)

export const isCall = (value: Json | undefined): boolean =>
  isRequest(value) || isParams(value) || (isObject(value) && typeof value.tool_name === 'string')

const isResponse = (value: unknown): value is { result: Record<string, Json> } =>
  isObject(value) && typeof value.jsonrpc === 'string' && isObject(value.result)

export const isResult = (value: Json | undefined): boolean =>
  isResponse(value) ||
  (isObject(value) && typeof value.status === 'string' && STATUS.has(value.status)) ||
  (isObject(value) && typeof value.jsonrpc === 'string' && isObject(value.error))

/** The call in a block, as `{tool_name, arguments}` or bare arguments. */
export function callIn(block: JsonBlock): JsonBlock {
  const { value } = block
  if (isRequest(value)) return asCall(block, value.params, ['params'])
  return isParams(value) ? asCall(block, value, []) : block
}

function asCall(block: JsonBlock, params: Readonly<Record<string, Json>>, under: readonly string[]): JsonBlock {
  const value = { tool_name: params.name ?? null, arguments: params.arguments ?? {} }
  return { ...block, value, locationOf: ([key, ...path]) => block.locationOf([...under, ...keyIn(key), ...path]) }
}

const keyIn = (key: PropertyKey | undefined): PropertyKey[] =>
  key === undefined ? [] : [key === 'tool_name' ? 'name' : key]

/** The result in a block: an envelope, or bare data. */
export function resultIn(block: JsonBlock): JsonBlock {
  const { value } = block
  if (!isResponse(value)) return block
  const { structuredContent, isError } = value.result
  if (!isObject(structuredContent)) return block
  const inside = structuredContent as { [key: string]: Json }
  const under = ['result', 'structuredContent']
  if (isError !== true) return { ...block, value: inside, locationOf: (path) => block.locationOf([...under, ...path]) }
  return {
    ...block,
    value: { status: 'failure', data: null, error: inside, explanation: null },
    locationOf: ([key, ...path]) => block.locationOf(key === 'error' ? [...under, ...path] : under),
  }
}
