/**
 * Section 7: each example with its call and result. A result that a call returned is shown whole; where no call may be made, a
 * sample takes its place and says so. If no example fails, a failure is shown as well.
 */

import type { ToolResult } from '../../protocol/envelope.ts'
import { ERROR_TYPES } from '../../protocol/errors.ts'
import type { JsonObject } from '../../protocol/json.ts'
import type { Example } from '../../tool/tool.ts'
import type { ToolBody } from '../../tool/verify/verify-tool.ts'
import type { RecordedExamples, RecordedResult } from '../examples/recorded-examples.ts'
import { inCode, inLine } from '../markdown/text.ts'
import { jsonBlock } from '../markdown/write-blocks.ts'
import { sampleValue } from './sample.ts'
import type { Origin } from './tool.ts'

const CALL = '**Call**:'
/** A promise: every such call returns this data, or fails with this type of error. */
const PROMISED = '**Result**:'
/** The reader of documents knows by "values differ" that it is no promise. */
const RETURNED = '**Result (from a run; values can differ)**:'
const SHORTENED = '**Result (from a run, shortened; values can differ)**:'
const SAMPLE = '**Sample result (made up from the schema; values differ)**:'

export function exampleParts(body: ToolBody, origin: Origin, recorded: RecordedExamples | undefined): string[] {
  const parts = body.examples.flatMap((example, index) => exampleOf(body, example, index, recorded?.results[index]))
  if (body.examples.length === 0) parts.push('The definition has no examples.')
  if (origin === 'own' && !body.examples.some(({ error }) => error !== undefined)) parts.push(...anyFailure(recorded))
  return parts
}

/** The reader of documents takes a call below this heading for an example, so its arguments are in the sentence. */
function anyFailure(recorded: RecordedExamples | undefined): string[] {
  const heading = '#### Any failure'
  if (recorded?.refused === undefined) {
    const result = failure('SchemaError', ERROR_TYPES.SchemaError)
    return [
      heading,
      'Every failure has this form. This one is for arguments that break the schema:',
      SAMPLE,
      jsonBlock(result),
    ]
  }
  const { arguments: args, result } = recorded.refused
  const said = `Every failure has this form. This one is for the arguments ${inCode(JSON.stringify(args))}:`
  return [heading, said, PROMISED, jsonBlock(result)]
}

function exampleOf(body: ToolBody, example: Example, index: number, recorded: RecordedResult | undefined): string[] {
  const { title, arguments: args } = example
  const heading = title === undefined ? `#### Example ${index + 1}` : `#### Example ${index + 1}: ${inLine(title)}`
  const call = [heading, CALL, jsonBlock({ tool_name: body.name, arguments: args as JsonObject })]
  return [...call, ...resultOf(body, example, recorded)]
}

function resultOf(body: ToolBody, { data, error }: Example, recorded: RecordedResult | undefined): string[] {
  if (recorded !== undefined) {
    const { result, shortened } = recorded
    const isPromised = data !== undefined || error !== undefined
    return [shortened ? SHORTENED : isPromised ? PROMISED : RETURNED, jsonBlock(result)]
  }
  if (error !== undefined)
    return [SAMPLE, jsonBlock(failure(error, conditionOf(body, error), sampleDetails(body, error)))]
  if (data !== undefined) return [PROMISED, jsonBlock(success(data))]
  const sample = sampleValue(body.outputSchema)
  if (sample === undefined) return ['It succeeds: `data` is as section 4 says.']
  return [SAMPLE, jsonBlock(success(sample))]
}

const success = (data: unknown): ToolResult =>
  ({ status: 'success', data, error: null, explanation: null }) as ToolResult

const failure = (error_type: string, error_message: string, error_details: unknown = null): ToolResult => ({
  status: 'failure',
  data: null,
  error: { error_type, error_message, error_details: error_details as JsonObject },
  explanation: null,
})

const sampleDetails = ({ errorDetails = {} }: ToolBody, type: string): unknown =>
  Object.hasOwn(errorDetails, type) ? (sampleValue(errorDetails[type] as JsonObject) ?? null) : null

const conditionOf = ({ errors }: ToolBody, type: string): string =>
  Object.hasOwn(errors, type)
    ? (errors[type] as string)
    : Object.hasOwn(ERROR_TYPES, type)
      ? ERROR_TYPES[type as keyof typeof ERROR_TYPES]
      : type
