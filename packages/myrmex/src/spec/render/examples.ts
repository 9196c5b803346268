/** Section 7: each example with its call and result. If no example fails, a failure is shown as well. */

import { ERROR_TYPES } from '../../protocol/errors.ts'
import type { JsonObject } from '../../protocol/json.ts'
import type { Example } from '../../tool/tool.ts'
import type { ToolBody } from '../../tool/verify/verify-tool.ts'
import { inLine } from '../markdown/text.ts'
import { jsonBlock } from '../markdown/write-blocks.ts'
import { sampleValue } from './sample.ts'
import type { Origin } from './tool.ts'

const RESULT = '**Result**:'
/** The values below it are not promised. */
const FORM = '**Result (its form; the values differ)**:'
const CALL = '**Call**:'

export function exampleParts(body: ToolBody, origin: Origin): string[] {
  const parts = body.examples.flatMap((example, index) => exampleOf(body, example, index))
  if (body.examples.length === 0) parts.push('The definition has no examples.')
  if (origin === 'own' && !body.examples.some(({ error }) => error !== undefined)) {
    parts.push('#### Any failure', 'Every failure has the same form. One for arguments that break the schema:', FORM)
    parts.push(jsonBlock(failure('SchemaError', ERROR_TYPES.SchemaError)))
  }
  return parts
}

function exampleOf(body: ToolBody, { title, arguments: args, data, error }: Example, index: number): string[] {
  const heading = title === undefined ? `#### Example ${index + 1}` : `#### Example ${index + 1}: ${inLine(title)}`
  const call = [heading, CALL, jsonBlock({ tool_name: body.name, arguments: args as JsonObject })]
  if (error !== undefined) return [...call, FORM, jsonBlock(failure(error, conditionOf(body, error)))]
  if (data !== undefined) return [...call, RESULT, jsonBlock(success(data))]
  if (body.outputSchema.type === 'null') return [...call, FORM, jsonBlock(success(null))]
  const sample = sampleValue(body.outputSchema)
  if (sample === undefined) return [...call, 'It succeeds: `data` is as section 4 says.']
  return [...call, FORM, jsonBlock(success(sample))]
}

const success = (data: unknown): object => ({ status: 'success', data, error: null, explanation: null })

const failure = (error_type: string, error_message: string): object => ({
  status: 'failure',
  data: null,
  error: { error_type, error_message, error_details: null },
  explanation: null,
})

const conditionOf = ({ errors }: ToolBody, type: string): string =>
  Object.hasOwn(errors, type)
    ? (errors[type] as string)
    : Object.hasOwn(ERROR_TYPES, type)
      ? ERROR_TYPES[type as keyof typeof ERROR_TYPES]
      : type
