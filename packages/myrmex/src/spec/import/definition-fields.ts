/** The fields of a definition as its author writes them for `tool()`, from the form that documents and lock files have. */
import { isObject } from '../../protocol/json.ts'
import type { Example } from '../../tool/tool.ts'
import type { ToolBody } from '../../tool/verify/verify-tool.ts'

/** Without its functions. A field that is undefined is not written. */
export function definitionFields(body: ToolBody): Record<string, unknown> {
  const { inputSchema: input, outputSchema, task, undo: _undo, dryRun: _dryRun, text, name, version, ...rest } = body
  const { title, description, errors, errorDetails, examples, ...others } = rest
  return {
    name,
    version,
    title,
    description,
    input,
    output: text === true ? 'text' : outputSchema,
    errors: declaredErrors(errors, errorDetails),
    ...others,
    examples: text === true ? examples.map(textOf) : examples,
    task: task === 'allowed' ? true : task,
  }
}

/** The functions that the definition must have. */
export const functionNames = ({ dryRun, undo }: ToolBody): string[] => [
  ...(dryRun === true ? ['dryRun'] : []),
  ...(undo === true ? ['undo'] : []),
  'run',
]

const declaredErrors = (
  errors: Readonly<Record<string, string>>,
  details: Readonly<Record<string, object>> = {},
): object =>
  Object.fromEntries(
    Object.entries(errors).map(([type, when]) => [
      type,
      Object.hasOwn(details, type) ? { when, details: details[type] } : when,
    ]),
  )

/** The example as its author writes it. */
const textOf = (example: Example): Example =>
  isObject(example.data) && typeof example.data.text === 'string' ? { ...example, data: example.data.text } : example
