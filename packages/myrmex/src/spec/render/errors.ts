/** Section 5: each declared error with its condition and the form of its `error_details`, and once for all tools the errors of the platform. */
import { ERROR_CATALOGUE, type ErrorType, errorTypesWhere } from '../../protocol/errors.ts'
import { isObject, type JsonObject } from '../../protocol/json.ts'
import type { ToolBody } from '../../tool/verify/verify-tool.ts'
import type { RecordedExamples } from '../examples/recorded-examples.ts'
import { inCode, inLine } from '../markdown/text.ts'
import { jsonBlock, table } from '../markdown/write-blocks.ts'
import { TYPE } from '../read/sections/errors.ts'
import { fieldsOf, type SchemaNode, typeInWords } from '../schema-view.ts'
import type { Origin } from './tool.ts'

/** Details that an example returned. */
interface SeenDetails {
  readonly type: string
  readonly details: unknown
  /** the number of the example, from 1 */
  readonly example: number
}

const seenIn = (recorded: RecordedExamples | undefined): SeenDetails[] =>
  (recorded?.results ?? []).flatMap((one, index) => {
    const error = one?.result.error ?? null
    if (error === null) return []
    return [{ type: error.error_type, details: error.error_details ?? null, example: index + 1 }]
  })

const HEADING = 'Errors of every tool'
const COMMON = [...errorTypesWhere('common')] as ErrorType[]

export function errorParts(body: ToolBody, origin: Origin, recorded: RecordedExamples | undefined): string[] {
  if (origin === 'elsewhere') return ['The server does not say how the tool fails.']
  const seen = seenIn(recorded)
  const types = Object.keys(body.errors)
  const link = `[${HEADING}](#${HEADING.toLowerCase().replaceAll(' ', '-')})`
  const always = `It may also fail with ${COMMON.map(inCode).join(', ')}: see ${link}.`
  if (types.length === 0) return ['The tool declares no errors of its own.', always]
  const described = Object.entries(body.errorDetails ?? {})
  const silent = types.filter((type) => detailsInWords(type, body, seen) === undefined)
  return [
    'A failure has `error_type`, `error_message` and `error_details`. The `error_type` values of this tool:',
    errorList(body, seen),
    ...(silent.length === 0 ? [] : [`The \`error_details\` of ${listed(silent.map(inCode))} are not described.`]),
    ...described.flatMap(([type, schema]) => [
      `**JSON Schema for \`error_details\` of ${TYPE.test(type) ? inCode(type) : inLine(type)}**:`,
      jsonBlock(schema),
    ]),
    always,
  ]
}

/** An item of a list is read back only if it opens with one word. A table takes any name. */
function errorList(body: ToolBody, seen: readonly SeenDetails[]): string {
  const entries = Object.entries(body.errors)
  if (!entries.every(([type]) => TYPE.test(type))) {
    const rows = entries.map(([type, condition]) => [
      inCode(type),
      inLine(condition),
      detailsInWords(type, body, seen) ?? '',
    ])
    return table(['Error type', 'When', 'Form'], rows)
  }
  return entries
    .map(([type, condition]) => {
      const details = detailsInWords(type, body, seen)
      return `- ${inCode(type)}: ${inLine(condition)}${details === undefined ? '' : `\n  - ${details}`}`
    })
    .join('\n')
}

/** It opens with a plain word: a name in code would be read as another error type. */
function detailsInWords(type: string, { errorDetails }: ToolBody, seen: readonly SeenDetails[]): string | undefined {
  const declared = errorDetails !== undefined && Object.hasOwn(errorDetails, type) ? errorDetails[type] : undefined
  if (declared !== undefined) return `With \`error_details\`: ${formInWords(declared)}`
  const example = seen.find((one) => one.type === type)
  if (example === undefined) return undefined
  const { details, example: number } = example
  if (details === null) return `Without \`error_details\` (see example ${number}).`
  return `With \`error_details\` as in example ${number}: ${formInWords(schemaOf(details))}`
}

function formInWords(schema: SchemaNode): string {
  if (schema.type === 'string') return 'a text.'
  const all = fieldsOf(schema)
  const hasInner = (name: string): boolean =>
    all.some((other) => /^(?:\[\])*\./.test(other.name.slice(name.length)) && other.name.startsWith(name))
  const fields = all
    .filter(({ name }) => !hasInner(name))
    .map(({ name, schema: node, required, depth }) => {
      const optional = required || depth > 1 ? '' : ', optional'
      return `${inCode(name)} (${inLine(typeInWords(node, schema))}${optional})`
    })
  return fields.length === 0 ? 'an object.' : `${fields.join(', ')}.`
}

/** The form of a value, as far as one value shows it. */
function schemaOf(value: unknown): JsonObject {
  if (value === null) return { type: 'null' }
  if (Array.isArray(value)) return { type: 'array', ...(value.length > 0 && { items: schemaOf(value[0]) }) }
  if (!isObject(value)) return { type: Number.isInteger(value) ? 'integer' : typeof value }
  const properties = Object.entries(value).map(([name, inner]) => [name, schemaOf(inner)])
  return { type: 'object', properties: Object.fromEntries(properties), required: Object.keys(value) }
}

const listed = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`

/** The last part of a document of our own tools. */
export const commonErrorParts = (): string[] => [
  `## ${HEADING}`,
  'The platform itself returns these, whatever the tool. Fields of `error_details` are present where they apply.',
  COMMON.map((type) => {
    const { summary, details = {} } = ERROR_CATALOGUE[type]
    const fields = Object.entries(details).map(([name, meaning]) => `  - ${inCode(name)}: ${inLine(meaning)}`)
    return [`- ${inCode(type)}: ${inLine(summary)}`, ...fields].join('\n')
  }).join('\n'),
]
