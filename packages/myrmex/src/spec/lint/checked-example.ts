/** An example of a document, checked against the schemas: its call, its results, and their faults. */
import { isObject } from '../../protocol/json.ts'
import { ownValue } from '../../tool/difference/value-differences.ts'
import type { DocumentExample, JsonBlock } from '../document.ts'
import type { CheckedSchema, SchemaFault } from './checked-schema.ts'
import type { SchemaPart } from './linted-tool.ts'
import { isParsed } from './linted-tool.ts'
import { isTooDeep } from './show-value.ts'
import { TOO_SLOW } from './time-limit.ts'

/** A value inside a block, and the path to it. */
export interface ValueAt {
  readonly value: unknown
  readonly path: readonly PropertyKey[]
}

export interface CheckedValue {
  readonly block: JsonBlock
  readonly faults: readonly SchemaFault[]
  readonly tooSlow: boolean
}

export interface CheckedExample {
  readonly example: DocumentExample
  readonly call: ExampleCall | undefined
  readonly result: ExampleResult | undefined
  readonly input: CheckedValue | undefined
  /** the result and those that follow it */
  readonly outcomes: readonly CheckedResult[]
  /** blocks that are nested too deeply to be checked */
  readonly tooDeep: readonly JsonBlock[]
}

export interface CheckedResult {
  readonly block: JsonBlock
  readonly result: ExampleResult
  readonly output: CheckedValue | undefined
}

export interface ExampleCall {
  /** envelope: `{tool_name, arguments}`; bare: the arguments alone */
  readonly form: 'envelope' | 'bare'
  readonly toolName: ValueAt | undefined
  /** undefined for an envelope without arguments */
  readonly args: ValueAt | undefined
}

export interface ExampleResult {
  readonly form: 'envelope' | 'bare'
  /** the error_type of a failure */
  readonly error: ValueAt | undefined
  readonly failed: boolean
  /** undefined for a failure, or if none is shown */
  readonly data: ValueAt | undefined
}

export function checkExample(example: DocumentExample, input: SchemaPart, output: SchemaPart): CheckedExample {
  const results = [...(example.result === undefined ? [] : [example.result]), ...example.otherResults]
  const blocks = [example.call, ...results].filter(isParsed)
  const deep = blocks.filter((block) => isTooDeep(block.value))
  const known = (block: JsonBlock): boolean => blocks.includes(block) && !deep.includes(block)
  const call = known(example.call) ? shownCall(example.call.value, input.schema) : undefined
  const outcomes = results.filter(known).map((block): CheckedResult => {
    const result = shownResult(block.value, output.schema)
    return { block, result, output: judge(block, result.data, output.schema) }
  })
  return {
    example,
    call,
    result: outcomes.find(({ block }) => block === example.result)?.result,
    outcomes,
    tooDeep: deep,
    input: judge(example.call, call?.args, input.schema),
  }
}

function judge(
  block: JsonBlock,
  part: ValueAt | undefined,
  schema: CheckedSchema | undefined,
): CheckedValue | undefined {
  if (part === undefined || schema === undefined) return undefined
  const { faults } = schema
  if (faults === TOO_SLOW || faults.length > 0) return undefined
  const misfits = schema.faultsOf(part.value)
  if (misfits === TOO_SLOW) return { block, faults: [], tooSlow: true }
  return {
    block,
    faults: misfits.map((misfit) => ({ ...misfit, path: [...part.path, ...misfit.path] })),
    tooSlow: false,
  }
}

/** Whether the schema has a property of that name, so that a bare value may have one, too. */
const declares = (schema: CheckedSchema | undefined, name: string): boolean =>
  isObject(schema?.json.properties) && Object.hasOwn(schema.json.properties, name)

function shownCall(value: unknown, schema: CheckedSchema | undefined): ExampleCall {
  const bare: ExampleCall = { form: 'bare', toolName: undefined, args: { value, path: [] } }
  if (!isObject(value)) return bare
  const args = ownValue(value, 'arguments')
  const isEnvelope =
    (Object.hasOwn(value, 'tool_name') && (args !== undefined || !declares(schema, 'tool_name'))) ||
    (isObject(args) && !declares(schema, 'arguments'))
  if (!isEnvelope) return bare
  const name = ['tool_name', 'name'].find((key) => Object.hasOwn(value, key))
  return {
    form: 'envelope',
    toolName: name === undefined ? undefined : { value: value[name], path: [name] },
    args: isObject(args) ? { value: args, path: ['arguments'] } : undefined,
  }
}

function shownResult(value: unknown, schema: CheckedSchema | undefined): ExampleResult {
  const bare: ExampleResult = { form: 'bare', error: undefined, failed: false, data: { value, path: [] } }
  if (!isObject(value)) return bare
  const error = ownValue(value, 'error')
  // A JSON-RPC response that is left has no data: it is a protocol error, or has content blocks only.
  if (ownValue(value, 'jsonrpc') !== undefined) {
    const result = ownValue(value, 'result')
    const failed = isObject(error) || (isObject(result) && result.isError === true)
    return { form: 'bare', error: undefined, failed, data: undefined }
  }
  const isEnvelope =
    (typeof ownValue(value, 'status') === 'string' &&
      (Object.hasOwn(value, 'data') || Object.hasOwn(value, 'error') || !declares(schema, 'status'))) ||
    (isObject(error) && Object.hasOwn(error, 'error_type') && !declares(schema, 'error'))
  if (!isEnvelope) return bare
  const failed = ownValue(value, 'status') === 'failure' || (ownValue(value, 'status') === undefined && isObject(error))
  const type = isObject(error) ? ownValue(error, 'error_type') : undefined
  return {
    form: 'envelope',
    error: type === undefined ? undefined : { value: type, path: ['error', 'error_type'] },
    failed,
    data: failed ? undefined : { value: ownValue(value, 'data') ?? null, path: ['data'] },
  }
}
